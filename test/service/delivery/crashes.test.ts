import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { createWebhookPartner, deliveryOf } from "../../support/b2b.ts";
import { dieWhen, dyingAt, interceptDb, neverEnds } from "../../support/failing-db.ts";
import { setTime } from "../../support/look-inside.ts";
import { deliverMessages, runCron, useReceiver } from "../../support/receiver.ts";
import { type Partner, PEDRO } from "../../support/service.ts";

const { receiver, queue } = useReceiver();

/** The cron a while later, and whatever it enqueued. */
async function recover(): Promise<void> {
	setTime(Date.now() + 2 * MINUTE_MS);
	await runCron();
	await deliverMessages(...queue.map(({ id }) => id));
}

test("§6: a crash between the commit and the delivery: the certificate still reaches its partner", async () => {
	const { partner } = await createWebhookPartner();
	const pCode = await partner.code();
	const commit = await roundTripOfCommit(partner);
	const answer = await dyingAt(commit, "arrives", () => partner.request({ pCode, ...PEDRO }));
	expect(answer.status).toBe(503);
	expect(receiver.received).toEqual([]);
	await recover();
	expect(receiver.bodies.map(({ data }) => data.p_code)).toEqual([pCode]);
	expect((await deliveryOf(pCode)).last_outcome).toBe("delivered");
	expect(await partner.status(pCode)).toBe("EMITTED");
});

test("§6: a crash during the webhook's attempt: it is sent again under the same webhook-id", async () => {
	const { partner } = await createWebhookPartner();
	const pCode = await partner.code();
	receiver.answer = neverEnds;
	const answer = await dieWhen(
		() => receiver.received.length > 0,
		() => partner.request({ pCode, ...PEDRO }),
	);
	expect(answer.status).toBe(503);
	receiver.answer = () => new Response();
	await recover();
	const [first, second] = receiver.received;
	expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
	expect(second!.body).toBe(first!.body);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered", attempts: 2 });
});

test("§6: after a crash before the commit nothing is ever delivered", async () => {
	const { partner } = await createWebhookPartner();
	const pCode = await partner.code();
	const commit = await roundTripOfCommit(partner);
	await dyingAt(commit, "is lost", () => partner.request({ pCode, ...PEDRO }));
	await abortAllDurableObjects();
	await recover();
	expect(receiver.received).toEqual([]);
	expect(await partner.status(pCode)).not.toBe("EMITTED");
});

/** Which round trip of a certificate_request carries its commit: the last before the webhook goes out. */
async function roundTripOfCommit(partner: Partner): Promise<number> {
	const pCode = await partner.code();
	const trips = { made: 0, atCommit: 0 };
	receiver.answer = () => {
		trips.atCommit = trips.made;
		return new Response();
	};
	const holder = { ...PEDRO, dni: "11111111-1", serialNumber: "111111111", email: "first@example.cl" };
	await interceptDb(
		(nth, deliver) => {
			trips.made = nth;
			return deliver();
		},
		() => partner.request({ pCode, ...holder }),
	);
	await vi.waitUntil(async () => (await deliveryOf(pCode)).last_outcome === "delivered");
	receiver.clear();
	receiver.answer = () => new Response();
	return trips.atCommit;
}
