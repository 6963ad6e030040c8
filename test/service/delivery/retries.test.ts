import { beforeAll, beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { deliveries, deliveryOf, issueToWebhook, request, undelivered } from "../../support/b2b.ts";
import { setTime, stopClock, until } from "../../support/clock.ts";
import { execute } from "../../support/db.ts";
import { failingFrom } from "../../support/failing-db.ts";
import { select } from "../../support/look-inside.ts";
import { deliverMessages, down, runCron, taken, useReceiver } from "../../support/receiver.ts";
import { freshService, ops } from "../../support/service.ts";

const outside = useReceiver("partners", beforeAll);
const { receiver, queue } = outside;
beforeEach(stopClock);

/** Lets every due attempt of the round fail. @returns when each was made, milliseconds after the first. */
async function spendRound(id: string, pCode: string, start: number): Promise<number[]> {
	const made: number[] = [0];
	for (;;) {
		const { next_attempt_at } = await deliveryOf(pCode);
		if (next_attempt_at === null) return made;
		setTime(next_attempt_at);
		made.push(next_attempt_at - start);
		await deliverMessages(id);
	}
}

test("§6: after ten attempts in 72 hours a delivery is a dead letter that ops see and send again", async () => {
	const { partner, pCode, id, start } = await undelivered(outside);
	const made = await spendRound(id, pCode, start);
	expect(made).toHaveLength(10);
	const steps = made.slice(1, -1).map((at, i) => Math.round((at - made[i]!) / SECOND_MS));
	expect(steps).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000]);
	expect(made.at(-1)).toBe(72 * HOUR_MS);
	expect(receiver.received).toHaveLength(10);
	// The longer waits are left to the cron: a queue's message waits twelve hours at most.
	expect(Math.max(...queue.map(({ delaySeconds }) => delaySeconds))).toBe(36_000);

	const [dead, ...others] = await deliveries(`?state=dead&partner_id=${partner.id}`);
	expect(others).toEqual([]);
	expect(dead).toMatchObject({ id, p_code: pCode, state: "dead", attempts: 10, last_outcome: "http 503" });
	expect(dead).toMatchObject({ event: "certificate.emitted", channel: "webhook", payload_kept: true });

	receiver.answer = taken;
	queue.length = 0;
	const resent = await ops("POST", `/deliveries/${id}/resend`);
	expect([resent.status, resent.body.data.delivery.state]).toEqual([200, "pending"]);
	await until(() => queue.length === 1);
	await deliverMessages(id);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered", payload_sealed: null });
	expect(receiver.received.at(-1)!.headers["webhook-id"]).toBe(id);
	expect(await deliveries("?state=dead")).toEqual([]);
	const [audit] = await select("SELECT * FROM audit_events WHERE entity = ?", `delivery:${id}`);
	expect(audit).toMatchObject({
		actor: "ops:token",
		action: "delivery_resent",
		outcome: "http 503",
		version: 1,
	});
});

test("the sealed PFX of a dead letter is erased seven days after its last retry, and then it cannot be resent", async () => {
	const { pCode, id, start } = await undelivered(outside);
	await spendRound(id, pCode, start);
	setTime(start + 72 * HOUR_MS + 7 * DAY_MS - MINUTE_MS);
	await runCron();
	expect((await deliveryOf(pCode)).payload_sealed).toEqual(expect.anything());
	setTime(start + 72 * HOUR_MS + 7 * DAY_MS + MINUTE_MS);
	await runCron();
	expect(await deliveryOf(pCode)).toMatchObject({
		payload_sealed: null,
		recipient_sealed: null,
		delivered_at: null,
	});
	const refused = await ops("POST", `/deliveries/${id}/resend`);
	expect([refused.status, refused.body.details[0].code]).toEqual([406, "PAYLOAD_ERASED"]);
	expect((await ops("POST", "/deliveries/unknown/resend")).status).toBe(404);
});

test("Standard Webhooks Retry-After: the next attempt is not made before it", async () => {
	receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "3600" } });
	const { pCode } = await issueToWebhook();
	await until(() => queue.length === 1);
	const row = await deliveryOf(pCode);
	expect(Math.abs(row.next_attempt_at - row.last_attempt_at - HOUR_MS)).toBeLessThan(MINUTE_MS);
	expect(queue[0]!.delaySeconds).toBeGreaterThan(3_590);
	setTime(row.next_attempt_at - MINUTE_MS);
	await deliverMessages(row.id);
	expect(receiver.received).toHaveLength(1);
	setTime(row.next_attempt_at);
	await deliverMessages(row.id);
	expect(receiver.received).toHaveLength(2);
});

test("Standard Webhooks 410: the endpoint is switched off, ops see it and switch it on, and waiting deliveries are sent", async () => {
	await freshService();
	receiver.answer = () => new Response(null, { status: 410 });
	const { partner, pCode } = await issueToWebhook();
	const show = async () => (await ops("GET", `/partners/${partner.id}`)).body.data.partner;
	await until(async () => (await show()).webhook_off_since !== null);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "gone", next_attempt_at: null });

	const { pCode: second } = await request(partner);
	await until(async () => (await deliveryOf(second)).last_outcome === "endpoint_off");
	expect(receiver.received).toHaveLength(1);
	expect(await deliveries("?state=dead")).toHaveLength(2);

	const sendAgain = async () => {
		await partner.change({ webhook_enabled: true });
		expect((await show()).webhook_off_since).toBeNull();
		setTime(Date.now() + MINUTE_MS);
		await runCron();
		await deliverMessages(...queue.splice(0).map(({ id }) => id));
	};
	setTime(Date.now() + 4 * DAY_MS);
	const later = Date.now();
	await sendAgain();
	// The file is kept after the round that began last.
	expect((await deliveryOf(pCode)).erase_at).toBeGreaterThanOrEqual(later + 72 * HOUR_MS + 7 * DAY_MS);
	receiver.answer = taken;
	await sendAgain();
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
	expect((await deliveryOf(second)).last_outcome).toBe("delivered");
	const audit = await select(
		"SELECT actor, outcome FROM audit_events WHERE entity = ? AND action = 'webhook_switched_off'",
		`partner:${partner.id}`,
	);
	expect(audit).toEqual(new Array(2).fill({ actor: "job:delivery", outcome: "gone" }));
});

test("two concurrent deliveries of one row: one of them sends", async () => {
	const { pCode, id } = await undelivered(outside);
	receiver.clear();
	const { promise: otherIsDone, resolve: release } = Promise.withResolvers<void>();
	receiver.answer = () => otherIsDone.then(taken);
	setTime((await deliveryOf(pCode)).next_attempt_at);
	const both = [deliverMessages(id, id), deliverMessages(id)];
	await Promise.race(both);
	release();
	await Promise.all(both);
	expect(receiver.received).toHaveLength(1);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered", attempts: 2 });
	await deliverMessages(id);
	expect(receiver.received).toHaveLength(1);
});

test("a failure reported late leaves an attempt of the same number that runs since ops sent the delivery again", async () => {
	const { pCode, id } = await undelivered(outside);
	await execute("UPDATE outbox SET attempts = 0 WHERE id = ?", id);
	setTime((await deliveryOf(pCode)).next_attempt_at);
	const answer = Promise.withResolvers<Response>();
	const later: { attempt?: Promise<unknown>; running?: unknown } = {};
	receiver.answer = async () => {
		await ops("POST", `/deliveries/${id}/resend`);
		setTime(Date.now() + SECOND_MS);
		receiver.answer = () => answer.promise;
		later.attempt = deliverMessages(id);
		await until(async () => (await deliveryOf(pCode)).attempts === 1);
		later.running = await deliveryOf(pCode);
		return down();
	};
	await deliverMessages(id);
	expect(await deliveryOf(pCode)).toEqual(later.running);
	answer.resolve(taken());
	await later.attempt;
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered", attempts: 1 });
});

test("a lost message: the cron finds the overdue row and enqueues it, once in ten minutes", async () => {
	await freshService();
	const { pCode, id } = await undelivered(outside);
	queue.length = 0;
	await runCron();
	expect(queue).toEqual([]);
	setTime(Date.now() + MINUTE_MS);
	await runCron();
	await runCron();
	expect(queue).toEqual([{ id, delaySeconds: 0 }]);
	setTime(Date.now() + 11 * MINUTE_MS);
	await runCron();
	expect(queue).toHaveLength(2);
	receiver.answer = taken;
	await deliverMessages(id);
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
});

test("D1 unavailable: the queue repeats the message, and nothing is sent without a claim", async () => {
	const { pCode, id } = await undelivered(outside);
	receiver.clear();
	setTime((await deliveryOf(pCode)).next_attempt_at);
	const result = await failingFrom(1, "is lost", () => deliverMessages(id));
	expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual(["message-0"]);
	expect(receiver.received).toEqual([]);
});

test("D1 unavailable between the sending and its record: it is sent again, with the same webhook-id", async () => {
	const { pCode, id } = await undelivered(outside);
	receiver.clear();
	receiver.answer = taken;
	setTime((await deliveryOf(pCode)).next_attempt_at);
	await failingFrom(2, "is lost", () => deliverMessages(id));
	expect(await deliveryOf(pCode)).toMatchObject({ delivered_at: null, attempts: 2 });
	await deliverMessages(id);
	expect(receiver.received).toHaveLength(1);
	setTime((await deliveryOf(pCode)).next_attempt_at);
	await deliverMessages(id);
	expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
});
