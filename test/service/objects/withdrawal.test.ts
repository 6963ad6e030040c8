import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { createWebhookPartner, deliveries, deliveryOf, request } from "../../support/b2b.ts";
import { certificatesOf, passTime } from "../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../support/receiver.ts";
import { ops } from "../../support/service.ts";

/* What cancelling and revoking do to the deliveries of the code. */

const { receiver } = useReceiver();

test.each([
	["cancelling the code", (pCode: string) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })],
	[
		"revoking its certificate",
		async (pCode: string) => {
			const [certificate] = await certificatesOf(pCode);
			return ops("POST", `/certificates/${certificate!.serial}/revoke`, { reason: "superseded" });
		},
	],
] as const)("%s leaves a delivered certificate's delivery as delivered", async (_, withdraw) => {
	const { partner } = await createWebhookPartner();
	const { pCode } = await request(partner);
	await vi.waitUntil(async () => (await deliveryOf(pCode)).delivered_at !== null);
	const before = await deliveryOf(pCode);
	expect(before).toMatchObject({ last_outcome: "delivered", dead_at: null });
	passTime(SECOND_MS);
	expect((await withdraw(pCode)).status).toBe(200);
	expect(await deliveryOf(pCode)).toEqual(before);
	expect(await deliveries("?state=delivered")).toHaveLength(1);
	expect(await deliveries("?state=dead")).toEqual([]);
});

test("revoking another serial of the code leaves its certificate and that certificate's delivery alone", async () => {
	receiver.answer = () => new Response(null, { status: 503 });
	const { partner } = await createWebhookPartner();
	const { pCode } = await request(partner);
	await vi.waitUntil(async () => (await deliveryOf(pCode)).last_outcome !== null);
	const before = await deliveryOf(pCode);
	const [certificate] = await certificatesOf(pCode);
	const stray = "4".repeat(32);
	await env.DB.prepare(
		"INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at) VALUES (?, 'c0ffee', ?, ?, 1)",
	)
		.bind(stray, partner.id, pCode)
		.run();

	expect((await ops("POST", `/certificates/${stray}/revoke`, { reason: "superseded" })).status).toBe(200);
	const revoked = (await certificatesOf(pCode)).filter(({ revoked_at }) => revoked_at !== null);
	expect(revoked.map(({ serial }) => serial)).toEqual([stray]);
	expect(revoked).not.toContainEqual(certificate);
	expect(await deliveryOf(pCode)).toEqual(before);

	receiver.answer = () => new Response(null, { status: 204 });
	passTime(before.next_attempt_at - Date.now() + SECOND_MS);
	await deliverMessages(before.id);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered" });
});
