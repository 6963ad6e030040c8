import { expect } from "vitest";
import { watchEveryTrip } from "../../support/failing-db.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import type { Fixture } from "./fixture.ts";

/** Answer while something of the service's own is away. */
export const UNAVAILABLE = [503, "SERVICE_UNAVAILABLE"];
/** A PNG as far as anybody looks. */
export const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toBase64();

/** The invariants at once, after the next steps of every code, and again. */
export async function expectAllHolds(fixture: Fixture): Promise<void> {
	expect(await checkInvariants(fixture)).toEqual([]);
	expect(await carryOn(fixture)).toEqual([]);
	expect(await checkInvariants(fixture)).toEqual([]);
}

/** The platform is as it was before the first fixture. */
export function endFixtures(): void {
	watchEveryTrip(null);
}
