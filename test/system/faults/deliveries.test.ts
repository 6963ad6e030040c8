import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { outboxOf, select } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { deliverMessages, knowPartners } from "../../support/receiver.ts";
import type { Settings } from "../../support/service.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture, LEASE_OVER } from "./fixture.ts";
import { WEBHOOK } from "./use-cases.ts";

/* The queue failing, repeating and out of order, and its consumer. */

afterAll(endFixtures);

const B2B: Settings = { mode: "B2B", ...WEBHOOK };

test.each(["fails", "is mute for 80 s, then fails"])(
	"the queue %s: answers are as ever, and the cron delivers",
	async (way) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner(B2B);
		const queue = vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch");
		const error = new Error("Queue sendBatch failed: Too Many Requests");
		const muteness = way === "fails" ? null : goMute(error);
		queue.mockImplementation(() => muteness?.ask() ?? Promise.reject(error));
		fixture.receiver.answer = () => new Response(null, { status: 503 });
		const pCode = await fixture.code(partner);
		expect((await fixture.request(pCode)).status).toBe(200);
		fixture.receiver.answer = () => new Response(null, { status: 204 });
		await vi.waitUntil(() => fixture.log.some((line) => line.includes("enqueue_failed")));
		muteness?.end();
		expect(new Set(muteness?.deadlines)).toEqual(new Set(muteness && [5_000]));
		queue.mockImplementation(async (messages) => {
			for (const { body } of messages as { body: { id: string } }[])
				fixture.queue.push({ id: body.id, delaySeconds: 0 });
		});
		for (let round = 0; round < 3; round++) await fixture.deliverAll();
		expect((await outboxOf(pCode)).map(({ last_outcome }) => last_outcome)).toEqual([
			"delivered",
			"delivered",
		]);
		await expectAllHolds(fixture);
	},
);

/** Three deliveries that are overdue, to a receiver that takes them from now on. */
async function threeOwed(fixture: Fixture): Promise<string[]> {
	const partner = await fixture.partner({ mode: "B2B", webhook_url: WEBHOOK.webhook_url });
	fixture.receiver.answer = () => new Response(null, { status: 503 });
	for (let i = 0; i < 3; i++) await fixture.request(await fixture.code(partner));
	passTime(10 * LEASE_OVER);
	fixture.receiver.clear();
	fixture.receiver.answer = () => new Response(null, { status: 204 });
	const rows = await select("SELECT id FROM outbox WHERE event NOT LIKE 'holder.%'");
	const ids = rows.map(({ id }) => id as string);
	await knowPartners(ids);
	return ids;
}

async function expectDelivered(): Promise<void> {
	const outcomes = await select("SELECT last_outcome FROM outbox WHERE event NOT LIKE 'holder.%'");
	expect(outcomes.map(({ last_outcome }) => last_outcome)).toEqual(["delivered", "delivered", "delivered"]);
}

/** The consumer's run ends for ever when its first message was sent: no round trip of it comes back any more. */
async function dieAfterFirstSend(ids: readonly string[]): Promise<void> {
	const dead = Promise.withResolvers<void>();
	const held = { isClaimed: false, trips: 0 };
	await interceptDb(
		(_, deliver, sql) => {
			if (!held.isClaimed || sql.includes("directory_partners")) {
				held.isClaimed ||= !sql.includes("directory_partners");
				return deliver();
			}
			held.trips += 1;
			if (held.trips === ids.length) dead.resolve();
			return new Promise(() => undefined);
		},
		() => Promise.race([deliverMessages(...ids), dead.promise]),
	);
}

test("the consumer dies after its first send: the queue's repetition brings the others, the sweep that one, under its own id", async () => {
	const fixture = await Fixture.create();
	const ids = await threeOwed(fixture);
	await dieAfterFirstSend(ids);
	const sent = () => fixture.receiver.received.map(({ headers }) => headers["webhook-id"]!);
	expect(sent()).toHaveLength(1);
	const [first] = sent();
	expect(
		(await select("SELECT id FROM outbox WHERE delivered_at IS NULL AND event NOT LIKE 'holder.%'")).length,
	).toBe(3);
	const { explicitAcks } = await deliverMessages(...ids);
	expect(explicitAcks).toHaveLength(3);
	expect(sent().toSorted()).toEqual(ids.toSorted());
	passTime(HOUR_MS);
	await fixture.deliverAll();
	expect(sent().slice(3)).toEqual([first]);
	await expectDelivered();
	await expectAllHolds(fixture);
});
