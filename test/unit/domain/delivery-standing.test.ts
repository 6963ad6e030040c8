import { expect, test } from "vitest";
import { standingOf } from "../../../src/domain/delivery-standing.ts";

const pending = (nextAttemptAt: number) => ({ deliveredAt: null, nextAttemptAt, isKept: true });
const delivered = (deliveredAt: number) => ({ deliveredAt, nextAttemptAt: null, isKept: false });
const dead = { deliveredAt: null, nextAttemptAt: null, isKept: true };
const erased = { ...dead, isKept: false };

test.each([
	["not issued, or B2C", [], null],
	["delivered", [delivered(5)], ["delivered", 5, null]],
	["one address has it, another is tried still", [pending(9), delivered(5)], ["delivered", 5, null]],
	["both addresses have it, since the first", [delivered(7), delivered(5)], ["delivered", 5, null]],
	["tried again", [pending(9), pending(8)], ["pending", null, 8]],
	["one is tried again, the other is a dead letter", [dead, pending(9)], ["pending", null, 9]],
	["dead letters alone", [dead, erased], ["waiting_for_address", null, null]],
	["withdrawn, or erased", [erased, erased], ["ended", null, null]],
] as const)("a certificate's delivery: %s", (_, deliveries, expected) => {
	const standing = standingOf(deliveries);
	expect(standing && [standing.status, standing.deliveredAt, standing.nextAttemptAt]).toEqual(expected);
});
