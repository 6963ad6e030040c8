import { Webhook } from "standardwebhooks";
import { beforeAll, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { alone } from "../../support/alone.ts";
import {
	createWebhookPartner,
	deliveryOf,
	HOOK,
	issueToWebhook,
	request,
	rotateSecret,
} from "../../support/b2b.ts";
import { hastenTimers, passTime, setTime } from "../../support/clock.ts";
import { dumpRegister } from "../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../support/receiver.ts";
import { ops, Partner, PEDRO } from "../../support/service.ts";

const { receiver, queue } = useReceiver("partners", beforeAll);

const settled = (pCode: string) =>
	vi.waitUntil(async () => {
		const row = await deliveryOf(pCode);
		return row.last_outcome === null ? null : row;
	});

test("§6 B2B: certificate_request delivers to the webhook in the same call, once the code is EMITTED, verified by the official library", {
	tags: ["delivery-webhook", "webhook-after-emitted"],
}, async () => {
	const { partner, secret } = await createWebhookPartner();
	const statuses: string[] = [];
	receiver.answer = async () => {
		statuses.push(await partner.status(receiver.bodies[0].data.p_code));
		return new Response();
	};
	const { body, pCode } = await request(partner, PEDRO);
	expect([body.data.status, statuses]).toEqual(["EMITTED", ["EMITTED"]]);
	expect(receiver.received).toHaveLength(1);
	const [got] = receiver.received;
	expect(got).toMatchObject({ url: HOOK, redirect: "manual" });
	expect(got!.headers["content-type"]).toBe("application/json");
	new Webhook(secret).verify(got!.body, got!.headers);
	const [event] = receiver.bodies;
	expect(event.type).toBe("certificate.emitted");
	expect(Math.abs(Date.parse(event.timestamp) - Date.now())).toBeLessThan(MINUTE_MS);
	const { certificate, ...rest } = event.data;
	expect(rest).toEqual({
		p_code: pCode,
		referenceId: PEDRO.referenceId,
		titular: { rut: "22222222-2", nombreCompleto: "PEDRO PABLO MUÑOZ ÑANCUPIL", email: PEDRO.email },
		...body.data.certificate,
	});
	expect(Uint8Array.fromBase64(certificate).length).toBeGreaterThan(1_000);
	expect(got!.body).not.toMatch(alone(PEDRO.pin));
	// The sealed file is erased once it is delivered.
	const row = await settled(pCode);
	expect(row).toMatchObject({ last_outcome: "delivered", payload_sealed: null, next_attempt_at: null });
	expect(row.delivered_at).toBeTypeOf("number");
	expect(queue).toEqual([]);
	const dump = await dumpRegister();
	for (const hidden of [secret, secret.slice(6), "MUÑOZ", PEDRO.email]) expect(dump).not.toContain(hidden);
});

test.each([
	["a 500", () => new Response("no", { status: 500 }), "http 500"],
	[
		"a redirect, which is not followed",
		() => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } }),
		"http 302",
	],
	["no connection", () => Promise.reject(new TypeError("refused by 10.0.0.1")), "unreachable"],
] as const)("§6: %s does not fail the call; the queue tries again after 5 s", async (_, answer, outcome) => {
	receiver.answer = answer;
	const { body, pCode } = await issueToWebhook();
	expect(body.data.status).toBe("EMITTED");
	expect(receiver.received).toHaveLength(1);
	const row = await settled(pCode);
	expect(row).toMatchObject({ last_outcome: outcome, attempts: 1, delivered_at: null });
	expect(row.next_attempt_at - row.last_attempt_at).toBe(5_000);
	await vi.waitUntil(() => queue.length > 0);
	expect(queue).toEqual([{ id: row.id, delaySeconds: 5 }]);
});

test("§6: an endpoint that stalls holds the call for 5 s at most", async () => {
	receiver.answer = () => new Promise(() => undefined);
	const { partner } = await createWebhookPartner();
	const timers = hastenTimers(20, [5_000]);
	const { pCode } = await request(partner);
	expect(timers).toContain(5_000);
	expect(await settled(pCode)).toMatchObject({ last_outcome: "timeout", attempts: 1 });
});

test("an answer without end is read to 64 KiB at most and counts by its status", async () => {
	let sent = 0;
	receiver.answer = () =>
		new Response(
			new ReadableStream({
				pull(controller) {
					sent += 16_384;
					controller.enqueue(new Uint8Array(16_384));
				},
			}),
		);
	const { pCode } = await issueToWebhook();
	expect(await settled(pCode)).toMatchObject({ last_outcome: "delivered" });
	expect(sent).toBeLessThanOrEqual(8 * 16_384);
});

test("Standard Webhooks webhook-id: a retry has the same id and body, and the timestamp of its own attempt", async () => {
	receiver.answer = (nth) => new Response(null, { status: nth === 1 ? 503 : 200 });
	const { secret, pCode } = await issueToWebhook();
	const { id } = await settled(pCode);
	passTime(10_000);
	await deliverMessages(id);
	const [first, second] = receiver.received;
	expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
	expect(second!.body).toBe(first!.body);
	expect(Number(second!.headers["webhook-timestamp"])).toBeGreaterThanOrEqual(
		Number(first!.headers["webhook-timestamp"]) + 9,
	);
	expect(new Webhook(secret).verify(second!.body, second!.headers)).toBeTruthy();
});

test("Standard Webhooks rotation: two signatures while a secret is rotated, one before and after", async () => {
	const { partner, secret: old } = await issueToWebhook();
	const fresh = await rotateSecret(partner, 24);
	expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	await request(partner);
	setTime(Date.now() + 25 * HOUR_MS);
	await request(partner);
	const signatures = receiver.received.map(({ headers }) => headers["webhook-signature"]!.split(" "));
	expect(signatures.map(({ length }) => length)).toEqual([1, 2, 1]);
	const [, during, after] = receiver.received;
	vi.useRealTimers();
	expect(new Webhook(old).verify(during!.body, during!.headers)).toBeTruthy();
	expect(new Webhook(fresh).verify(during!.body, during!.headers)).toBeTruthy();
	setTime(Date.now() + 25 * HOUR_MS);
	expect(new Webhook(fresh).verify(after!.body, after!.headers)).toBeTruthy();
	expect(() => new Webhook(old).verify(after!.body, after!.headers)).toThrow();
});

test("a secret is shown only when it is created, and another partner's does not verify", async () => {
	const created = await ops("POST", "/partners", { name: "New", webhook_url: HOOK });
	expect(created.body.data.webhook_secret).toMatch(/^whsec_/);
	const shown = await ops("GET", `/partners/${created.body.data.partner.id}`);
	expect(shown.text).not.toContain("whsec_");
	await issueToWebhook();
	const [got] = receiver.received;
	expect(() => new Webhook(created.body.data.webhook_secret).verify(got!.body, got!.headers)).toThrow();
	expect((await ops("POST", "/partners/pt_unknown/webhook-secret", {})).status).toBe(404);
});

test("a repeated Idempotency-Key does not deliver again", async () => {
	const { partner } = await createWebhookPartner();
	const pCode = await partner.code();
	const key = { "idempotency-key": "one-delivery" };
	await partner.request({ pCode, ...PEDRO }, key);
	const again = await partner.request({ pCode, ...PEDRO }, key);
	expect(again.headers.get("idempotency-replayed")).toBe("true");
	expect(receiver.received).toHaveLength(1);
});

test("B2C: certificate.emitted of a claimed certificate has neither the file nor the holder", async () => {
	const partner = await Partner.create({ webhook_url: HOOK });
	const { pCode } = await request(partner, PEDRO);
	expect(receiver.received).toEqual([]);
	const claimed = await partner.claim(pCode, { dni: PEDRO.dni, pin: PEDRO.pin });
	await vi.waitUntil(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	const { certificate, ...data } = claimed.body.data;
	expect(receiver.bodies[0]).toMatchObject({ type: "certificate.emitted" });
	expect(receiver.bodies[0].data).toEqual({ ...data, referenceId: PEDRO.referenceId });
	expect(certificate).toBeTypeOf("string");
});
