import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { HOOK, rotateSecret } from "../../support/b2b.ts";
import { setTime } from "../../support/clock.ts";
import { dieWhen } from "../../support/failing-db.ts";
import { auditOf, holdRegistry, outboxOf, select } from "../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../support/receiver.ts";
import { JUANA, ops, Partner } from "../../support/service.ts";

const ALL = ["certificate.emitted", "pcode.validated", "pcode.locked", "pcode.cancelled"];

const { receiver, queue } = useReceiver();

const subscriber = () => Partner.create({ webhook_url: HOOK, webhook_events: ALL });

/** Delivers the events that are in the queue, once there are so many. */
async function delivered(count: number) {
	await vi.waitUntil(() => queue.length >= count);
	expect(queue).toHaveLength(count);
	await deliverMessages(...queue.splice(0).map(({ id }) => id));
	return receiver.received.splice(0);
}

function eventOf({ body }: { body: string }) {
	const { type, data } = JSON.parse(body);
	return { type, ...data };
}

const events = async (count: number) => (await delivered(count)).map(eventOf);

test("pcode.validated, pcode.cancelled: sent to a subscriber, signed, with the latest reference, without secrets and personal data", async () => {
	const partner = await subscriber();
	const secret = await rotateSecret(partner, 0);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	const validated = { type: "pcode.validated", p_code: pCode };
	const [got] = await delivered(1);
	expect(eventOf(got!)).toEqual({ ...validated, referenceId: JUANA.referenceId });
	expect(new Webhook(secret).verify(got!.body, got!.headers)).toBeTruthy();
	setTime(Date.now() + DAY_MS);
	await partner.request({ pCode, ...JUANA, referenceId: "anew" });
	expect(await events(1)).toEqual([{ ...validated, referenceId: "anew" }]);
	const reason = "Asked by the holder";
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason });
	expect(await events(1)).toEqual([
		{ type: "pcode.cancelled", p_code: pCode, referenceId: "anew", reason, serialNumber: null },
	]);
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "Once more" });
	expect(await outboxOf(pCode)).toHaveLength(3);
});

test("pcode.locked: the third failed validation, the fifth wrong PIN, and a block by ops", async () => {
	const partner = await subscriber();
	const pCode = await partner.code();
	for (let i = 0; i < 3; i++) await partner.request({ pCode, ...JUANA, serialNumber: "111111112" });
	const [locked] = await events(1);
	expect(locked).toMatchObject({
		type: "pcode.locked",
		p_code: pCode,
		referenceId: null,
		reason: "validation_attempts",
		permanent: false,
	});
	expect(Date.parse(locked!.locked_until) - Date.now()).toBeGreaterThan(29 * MINUTE_MS);

	const other = await partner.code();
	await partner.request({ pCode: other, ...JUANA });
	for (let i = 0; i < 5; i++) await partner.claim(other, { pin: "0000" });
	const [, claimLock] = await events(2);
	expect(claimLock).toMatchObject({ type: "pcode.locked", p_code: other, reason: "claim_attempts" });

	const blocked = await partner.code();
	await ops("POST", `/pcodes/${blocked}/block`, { reason: "Fraud case 17" });
	expect(await events(1)).toEqual([
		{
			type: "pcode.locked",
			p_code: blocked,
			referenceId: null,
			reason: "Fraud case 17",
			locked_until: null,
			permanent: true,
		},
	]);
	await ops("POST", `/pcodes/${blocked}/unblock`, { reason: "Cleared" });
	expect(await outboxOf(blocked)).toHaveLength(1);
});

test("pcode.locked: sent too when a crash spends the third attempt", async () => {
	const partner = await subscriber();
	const pCode = await partner.code();
	for (let i = 0; i < 2; i++) await partner.request({ pCode, ...JUANA, serialNumber: "111111112" });
	const registry = holdRegistry();
	await dieWhen(registry.isAsked, () => partner.request({ pCode, ...JUANA }));
	registry.release();
	setTime(Date.now() + 2 * MINUTE_MS);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(429);
	expect(await auditOf(pCode)).toContain("step_abandoned attempt_spent");
	expect(await events(1)).toMatchObject([{ type: "pcode.locked", reason: "validation_attempts" }]);
});

test("no event is sent to a partner that did not subscribe, or has no webhook", async () => {
	const byDefault = await Partner.create({ webhook_url: HOOK });
	const without = await Partner.create({ webhook_events: ALL });
	for (const [i, partner] of [byDefault, without].entries()) {
		const pCode = await partner.code();
		await partner.request({ pCode, ...JUANA, email: `juana${i}@example.cl` });
		await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "Test" });
	}
	expect(await select("SELECT event FROM outbox")).toEqual([]);
	expect(queue).toEqual([]);
});
