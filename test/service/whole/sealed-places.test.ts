import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { platformOf } from "../../../src/platform.ts";
import { createWebhookPartner, request } from "../../support/b2b.ts";
import { setTime } from "../../support/clock.ts";
import { certificatesOf, outboxOf, type Row, select } from "../../support/look-inside.ts";
import { deliverMessages, holdQueue, Receiver, spyOnEmail } from "../../support/receiver.ts";
import { freshService, JUANA, JUANA_FULL, ops, Partner, PEDRO, PNG } from "../../support/service.ts";

/* A sealed value opens in its own table, row and column only, tried where the service opens it. */

beforeEach(freshService);

/** Puts a value into one sealed column. */
async function put(table: string, column: string, key: [string, string], value: unknown): Promise<void> {
	const [keyColumn, row] = key;
	await env.DB_2.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${keyColumn} = ?`).bind(value, row).run();
}

/** A value sealed with the service's own key for another table. */
async function sealedElsewhere(row: string, column: string, plaintext: string): Promise<string> {
	const { sealer } = await platformOf(env);
	return sealer.seal(plaintext, { table: "elsewhere", row, column });
}

const HOLDER_COLUMNS = ["rut", "full_name", "email", "phone", "partner_copy"].map((name) => `${name}_sealed`);

test("a holder's value moved from another row, column or table does not open: the claim fails and issues nothing", async () => {
	const partner = await Partner.create({ require_cedula_serie: 0, key_algorithm: "ec-p256" });
	const holder = { ...JUANA_FULL, partnerCopy: "copy@example.cl" };
	const [pCode, other] = [await partner.code(), await partner.code()];
	for (const code of [pCode, other])
		expect((await partner.request({ pCode: code, ...holder })).status).toBe(200);
	const [own] = await select("SELECT * FROM holders WHERE code = ?", pCode);
	const [others] = await select("SELECT * FROM holders WHERE code = ?", other);

	for (const [at, column] of HOLDER_COLUMNS.entries()) {
		const neighbour = HOLDER_COLUMNS[(at + 1) % HOLDER_COLUMNS.length]!;
		const moved = [others![column], own![neighbour], await sealedElsewhere(pCode, column, "moved")];
		for (const [from, value] of moved.entries()) {
			expect(value).toEqual(expect.any(String));
			await put("holders", column, ["code", pCode], value);
			const claim = await partner.claim(pCode);
			expect([column, from, claim.status, claim.body.error]).toEqual([column, from, 500, "INTERNAL_ERROR"]);
		}
		await put("holders", column, ["code", pCode], own![column]);
	}
	expect((await certificatesOf(pCode)).filter(({ issued_at }) => issued_at !== null)).toEqual([]);
	expect((await partner.claim(pCode)).status).toBe(200);
});

test("a delivery's payload or recipient moved from another row, column or table is not sent", async () => {
	const receiver = new Receiver();
	receiver.answer = () => new Response(null, { status: 503 });
	const mails = spyOnEmail(() => {
		throw new Error("refused");
	});
	holdQueue();
	const { partner } = await createWebhookPartner({
		delivery_email: "delivery@partner.example",
		key_algorithm: "ec-p256",
	});
	const first = await request(partner, { partnerCopy: "copy@example.cl" });
	const second = await request(partner, { partnerCopy: "copy@example.cl" });
	const isCopy = (row: Row) => row.event === "certificate.emitted" && row.recipient_sealed !== null;
	const isWebhook = (row: Row) => row.channel === "webhook";
	const webhook = (await outboxOf(first.pCode)).find(isWebhook)!;
	const email = (await outboxOf(first.pCode)).find(isCopy)!;
	const others = await outboxOf(second.pCode);
	await vi.waitUntil(async () => (await outboxOf(second.pCode)).every((row) => row.last_outcome !== null));
	receiver.clear();
	receiver.answer = () => new Response(null, { status: 204 });
	const sent = spyOnEmail();

	const moves = [
		[webhook, "payload_sealed", others.find(isWebhook)!.payload_sealed],
		[webhook, "payload_sealed", await sealedElsewhere(webhook.id, "payload_sealed", "{}")],
		[email, "payload_sealed", others.find(isCopy)!.payload_sealed],
		[email, "payload_sealed", email.recipient_sealed],
		[email, "recipient_sealed", others.find(isCopy)!.recipient_sealed],
		[email, "recipient_sealed", email.payload_sealed],
		[email, "recipient_sealed", await sealedElsewhere(email.id, "recipient_sealed", "a@example.cl")],
	] as const;
	for (const [row, column, value] of moves) {
		expect(value).toEqual(expect.any(String));
		await restore(row);
		await put("outbox", column, ["id", row.id], value);
		setTime(Date.now() + 1);
		await deliverMessages(row.id);
		expect([column, receiver.received.length, mails.length + sent.length]).toEqual([column, 0, 0]);
		const [left] = await select("SELECT last_outcome FROM outbox WHERE id = ?", row.id);
		expect(left).toEqual({ last_outcome: "payload_lost" });
	}
	for (const row of [webhook, email]) {
		await restore(row);
		await deliverMessages(row.id);
	}
	expect([receiver.received.length, sent.length]).toEqual([1, 1]);
});

/** Makes a delivery due again, with its own values. */
async function restore({ id, payload_sealed, recipient_sealed }: Row): Promise<void> {
	await env.DB_2.prepare(
		"UPDATE outbox SET payload_sealed = ?, recipient_sealed = ?, attempts = 1, next_attempt_at = ?, dead_at = NULL, erase_at = NULL WHERE id = ?",
	)
		.bind(payload_sealed, recipient_sealed, Date.now(), id)
		.run();
}

test("a webhook secret moved from another partner or table signs nothing", async () => {
	const receiver = new Receiver();
	holdQueue();
	const { partner } = await createWebhookPartner({ key_algorithm: "ec-p256" });
	const { partner: other } = await createWebhookPartner();
	const secretOf = async ({ id }: Partner) =>
		(await select("SELECT * FROM webhook_secrets WHERE partner_id = ? AND expires_at IS NULL", id))[0]!;
	const own = await secretOf(partner);
	const elsewhere = await sealedElsewhere(own.id, "secret_sealed", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
	for (const value of [(await secretOf(other)).secret_sealed, elsewhere]) {
		await put("webhook_secrets", "secret_sealed", ["id", own.id], value);
		await request(partner);
		expect(receiver.received).toEqual([]);
	}
	await put("webhook_secrets", "secret_sealed", ["id", own.id], own.secret_sealed);
	await request(partner);
	expect(receiver.received).toHaveLength(1);
});

test("a picture moved to another side, validation or code is not shown", async () => {
	const partner = await Partner.create();
	const [pCode, other] = [await partner.code(), await partner.code()];
	const pictures = { dniFront: PNG, dniBack: PNG };
	expect((await partner.request({ pCode, ...JUANA, ...pictures })).status).toBe(200);
	expect((await partner.request({ pCode: other, ...PEDRO, ...pictures })).status).toBe(200);
	const keyOf = async (code: string, side: string) =>
		(await select("SELECT object_key FROM evidence WHERE code = ? AND side = ?", code, side))[0]!
			.object_key as string;
	const content = async (key: string) => (await env.EVIDENCE.get(key))!.text();
	const front = await keyOf(pCode, "front");
	const own = await content(front);
	const moved = [
		await content(await keyOf(pCode, "back")),
		await content(await keyOf(other, "front")),
		await sealedElsewhere(front, "content", "moved"),
	];
	for (const value of moved) {
		await env.EVIDENCE.put(front, value);
		expect((await ops("GET", `/evidence/${pCode}/front`)).status).toBe(500);
	}
	await env.EVIDENCE.put(front, own);
	expect((await ops("GET", `/evidence/${pCode}/front`)).status).toBe(200);
});
