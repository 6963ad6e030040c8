import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { HOUR_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { deliveries, deliveryOf, issueToWebhook } from "../../support/b2b.ts";
import { passTime } from "../../support/clock.ts";
import { certificatesOf, holderMessagesOf } from "../../support/look-inside.ts";
import { serialOf } from "../../support/pki.ts";
import { deliverMessages, runCron, useReceiver } from "../../support/receiver.ts";
import { ops } from "../../support/service.ts";

/* Effects of cancelling and revoking on the deliveries of the code. */

const { receiver } = useReceiver();

describe.each([
	[
		"cancelling the code",
		["CANCELLED", "cancelled"],
		(pCode: string) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" }),
	],
	[
		"revoking its certificate",
		["EMITTED", "revoked"],
		async (pCode: string) => {
			const [certificate] = await certificatesOf(pCode);
			return ops("POST", `/certificates/${certificate!.serial}/revoke`, { reason: "superseded" });
		},
	],
] as const)("%s", (_, [status, outcome], withdraw) => {
	test("leaves a delivered certificate's delivery as delivered", async () => {
		const { pCode } = await issueToWebhook();
		await vi.waitUntil(async () => (await deliveryOf(pCode)).delivered_at !== null);
		const before = await deliveryOf(pCode);
		expect(before).toMatchObject({ last_outcome: "delivered", dead_at: null });
		passTime(SECOND_MS);
		expect((await withdraw(pCode)).status).toBe(200);
		expect(await deliveryOf(pCode)).toEqual(before);
		expect(await deliveries("?state=delivered")).toHaveLength(1);
		expect(await deliveries("?state=dead")).toEqual([]);
	});

	test("withdraws a certificate that is not delivered yet (invariant 1)", async () => {
		receiver.answer = () => new Response(null, { status: 503 });
		const { partner, pCode } = await issueToWebhook();
		await vi.waitUntil(async () => (await deliveryOf(pCode)).last_outcome !== null);
		receiver.answer = () => new Response(null, { status: 204 });
		expect((await withdraw(pCode)).status).toBe(200);
		const { id, ...row } = await deliveryOf(pCode);
		expect(row).toMatchObject({ last_outcome: outcome, payload_sealed: null });
		passTime(HOUR_MS);
		await deliverMessages(id);
		await runCron();
		expect(receiver.received).toHaveLength(1);
		expect((await ops("POST", `/deliveries/${id}/resend`)).status).toBe(406);
		expect(await partner.status(pCode)).toBe(status);
	});
});

test("revoking another serial of the code leaves its certificate, that certificate's delivery and its holder alone", async () => {
	receiver.answer = () => new Response(null, { status: 503 });
	const { partner, pCode } = await issueToWebhook();
	await vi.waitUntil(async () => (await deliveryOf(pCode)).last_outcome !== null);
	const before = await deliveryOf(pCode);
	const [certificate] = await certificatesOf(pCode);
	const stray = await serialOf(partner);
	await env.DB_2.prepare(
		"INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at) VALUES (?, 'c0ffee', ?, ?, 1)",
	)
		.bind(stray, partner.id, pCode)
		.run();

	expect((await ops("POST", `/certificates/${stray}/revoke`, { reason: "superseded" })).status).toBe(200);
	const revoked = (await certificatesOf(pCode)).filter(({ revoked_at }) => revoked_at !== null);
	expect(revoked.map(({ serial }) => serial)).toEqual([stray]);
	expect(revoked).not.toContainEqual(certificate);
	expect(await deliveryOf(pCode)).toEqual(before);
	expect((await holderMessagesOf(pCode)).map(({ event }) => event)).toEqual(["holder.issued"]);

	receiver.answer = () => new Response(null, { status: 204 });
	passTime(before.next_attempt_at - Date.now() + SECOND_MS);
	await deliverMessages(before.id);
	expect(await deliveryOf(pCode)).toMatchObject({ last_outcome: "delivered" });
});
