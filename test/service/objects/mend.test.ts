import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWebhookPartner, deliveryOf, request } from "../../support/b2b.ts";
import { certificatesOf, type Row, select } from "../../support/look-inside.ts";
import { holdQueue, Receiver } from "../../support/receiver.ts";
import { freshService, ops } from "../../support/service.ts";

/* What mending a code does beside its own row, after D1 was set back to before the code was cancelled or revoked. */

beforeEach(async () => {
	await freshService();
	const receiver = new Receiver();
	receiver.answer = () => new Response(null, { status: 503 });
	holdQueue();
});
afterEach(() => {
	vi.restoreAllMocks();
	vi.useRealTimers();
});

/** An issued code whose certificate is still to be delivered. */
async function undelivered() {
	const { partner } = await createWebhookPartner({
		webhook_events: ["certificate.emitted", "pcode.cancelled"],
	});
	const { pCode } = await request(partner);
	await vi.waitUntil(async () => (await deliveryOf(pCode)).last_outcome !== null);
	const [certificate] = await certificatesOf(pCode);
	return { partner, pCode, serial: certificate!.serial as string, delivery: await deliveryOf(pCode) };
}

/** Sets D1's facts of the code back to those of a good certificate that is still to be delivered. */
async function setBack(pCode: string, delivery: Row): Promise<void> {
	const columns = Object.keys(delivery);
	const places = columns.map(() => "?").join();
	await env.DB.batch([
		env.DB.prepare("UPDATE purchase_codes SET cancelled_at = NULL WHERE code = ?").bind(pCode),
		env.DB.prepare("UPDATE certificates SET revoked_at = NULL, revocation_reason = NULL WHERE code = ?").bind(
			pCode,
		),
		env.DB.prepare("DELETE FROM outbox WHERE code = ?").bind(pCode),
		env.DB.prepare(`INSERT INTO outbox (${columns.join()}) VALUES (${places})`).bind(
			...Object.values(delivery),
		),
	]);
}

async function mend(): Promise<string[]> {
	const { status, body } = await ops("POST", "/restores/mend", { restored_to: new Date().toISOString() });
	expect([status, body.data.failed]).toEqual([200, []]);
	return body.data.mended;
}

test.each([
	["cancelled", (pCode: string) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })],
	[
		"revoked",
		(_: string, serial: string) => ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }),
	],
] as const)("a certificate that the mend makes %s again is not delivered any more", async (why, withdraw) => {
	const { pCode, serial, delivery } = await undelivered();
	expect((await withdraw(pCode, serial)).status).toBe(200);
	await setBack(pCode, delivery);

	expect(await mend()).toEqual([pCode]);
	const [row] = await select(
		"SELECT last_outcome, payload_sealed IS NULL AS erased, next_attempt_at, dead_at FROM outbox WHERE id = ?",
		delivery.id,
	);
	expect(row).toEqual({ last_outcome: why, erased: 1, next_attempt_at: null, dead_at: expect.any(Number) });
});
