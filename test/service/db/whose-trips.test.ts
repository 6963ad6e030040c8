import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliveryOf } from "../../support/b2b.ts";
import { tripsDuring, watchEveryTrip } from "../../support/failing-db.ts";
import { heldAtRegistry, select } from "../../support/look-inside.ts";
import { Receiver } from "../../support/receiver.ts";
import { freshService, JUANA, ops, Partner } from "../../support/service.ts";

/* The tests' own counts: a trip is counted for the call that made it. */

beforeEach(freshService);
afterEach(() => {
	watchEveryTrip(null);
});

test("a count has the trips of its call, and none that the queue makes meanwhile", async () => {
	const partner = await Partner.create();
	await partner.list();
	let made = 0;
	let ofQueue = 0;
	watchEveryTrip((trip) => {
		made++;
		if (trip.some(({ statement }) => statement.includes('"outbox"'))) ofQueue++;
	});
	const [, trips] = await tripsDuring(async () => {
		await env.DELIVERIES.send({ partnerId: partner.id, id: crypto.randomUUID() });
		await vi.waitUntil(() => ofQueue > 0);
		await partner.list();
	});
	expect(trips).toHaveLength(1);
	expect(made).toBeGreaterThan(1);
});

test("a count has none of the trips of a call that began before it", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const { registry, running } = await heldAtRegistry(() => partner.request({ ...JUANA, pCode }));
	let made = 0;
	watchEveryTrip(() => made++);
	const [{ status }, trips] = await tripsDuring(() => {
		registry.release();
		return running;
	});
	expect([status, trips]).toEqual([200, []]);
	expect(made).toBeGreaterThan(0);
});

test("what an answered call left to be done is waited for before the service is emptied", async () => {
	const partner = await Partner.create({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	new Receiver().answer = () => new Response(null, { status: 500 });
	const pCode = await partner.code();
	await partner.request({ ...JUANA, pCode });
	const { id } = await deliveryOf(pCode);
	const [begun, foundTheirPartner]: [number[], boolean[]] = [[], []];
	vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch").mockImplementation(async () => {
		begun.push(1);
		await scheduler.wait(500);
		foundTheirPartner.push((await select("SELECT 1 FROM partners")).length === 1);
	});
	expect((await ops("POST", `/deliveries/${id}/resend`)).status).toBe(200);
	await vi.waitUntil(() => begun.length > 0);
	await freshService();
	expect(foundTheirPartner).toEqual([true]);
});
