import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Lease } from "../../../src/objects/lease.ts";
import {
	type RememberedCertificate,
	readRemembered,
	rememberRevocation,
	rememberSerial,
} from "../../../src/objects/remembered.ts";
import { createWebhookPartner, deliveryOf, request } from "../../support/b2b.ts";
import { failingFrom } from "../../support/failing-db.ts";
import {
	certificatesOf,
	codeObject,
	codeRow,
	DAY,
	HOUR,
	passTime,
	type Row,
	select,
	storedIn,
} from "../../support/look-inside.ts";
import { deliverMessages, holdQueue, type Queued, Receiver } from "../../support/receiver.ts";
import { freshService, JUANA, ops, Partner } from "../../support/service.ts";

/* What mending a code does besides its own row, after D1 was set back to before the code was issued, cancelled or revoked. */

let receiver: Receiver;
let queue: Queued[];

beforeEach(async () => {
	await freshService();
	receiver = new Receiver();
	receiver.answer = () => new Response(null, { status: 503 });
	queue = holdQueue();
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

async function forgetIssue(pCode: string): Promise<void> {
	await env.DB.batch([
		env.DB.prepare(
			"UPDATE purchase_codes SET issued_at = NULL, certificate_serial = NULL, certificate_not_after = NULL WHERE code = ?",
		).bind(pCode),
		env.DB.prepare("DELETE FROM certificates WHERE code = ?").bind(pCode),
	]);
}

async function cancel(pCode: string): Promise<void> {
	expect((await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })).status).toBe(200);
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

test("the event of a mended cancellation names the certificate, and the mend as the reason", async () => {
	const { pCode, serial, delivery } = await undelivered();
	await cancel(pCode);
	await setBack(pCode, delivery);
	// To before the issue as well.
	await forgetIssue(pCode);
	queue.length = 0;
	receiver.clear();
	expect(await mend()).toEqual([pCode]);
	await vi.waitUntil(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	expect(receiver.bodies).toMatchObject([
		{ type: "pcode.cancelled", data: { reason: "mended_after_restore", serialNumber: serial } },
	]);
});

test("a claim that is repeated with its Idempotency-Key mends the code before it answers", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	const key = { "Idempotency-Key": "restored" };
	const first = await partner.claim(pCode, {}, key);
	const [{ serial }] = (await certificatesOf(pCode)) as [Row];
	await forgetIssue(pCode);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	const again = await partner.claim(pCode, {}, key);
	expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
		200,
		first.text,
		"true",
	]);
	expect(await partner.status(pCode)).toBe("EMITTED");
	expect(await certificatesOf(pCode)).toMatchObject([{ serial, revoked_at: null }]);
});

const remembered = async (partner: Partner, pCode: string) =>
	Object.keys(await storedIn(partner, pCode)).filter((key) => key.startsWith("certificate:"));

test.each([
	["that tells D1 something", true],
	["that finds nothing to tell", false],
])("a mend %s makes the object remember for another 31 days", async (_, restored) => {
	const { partner, pCode, serial, delivery } = await undelivered();
	if (restored) await cancel(pCode);
	passTime(20 * DAY);
	if (restored) await setBack(pCode, delivery);
	expect(await mend()).toEqual(restored ? [pCode] : []);
	passTime(20 * DAY);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
	passTime(12 * DAY);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await remembered(partner, pCode)).toEqual([]);
});

test("the object tells D1 what it lacks before it forgets, and forgets nothing while D1 is away", async () => {
	const { partner, pCode, serial, delivery } = await undelivered();
	await cancel(pCode);
	await setBack(pCode, delivery);
	passTime(32 * DAY);
	await failingFrom(1, "is lost", () => runDurableObjectAlarm(codeObject(partner, pCode)));
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
	passTime(HOUR);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await codeRow(pCode)).toMatchObject({ cancelled_at: expect.any(Number) });
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
});

test("a revocation that the object remembers before the step's own end does not keep the leaf out", async () => {
	const { partner, pCode, serial } = await undelivered();
	const [known] = (await runInDurableObject(codeObject(partner, pCode), (_, { storage }) =>
		readRemembered(storage),
	)) as [RememberedCertificate];
	const { leaf, issuerKeyId, notBefore, notAfter, issuedAt, cancelledAt: _, forgetAt: __, ...rest } = known;
	const facts = { ...rest, notBefore, notAfter, issuedAt };
	const revoked = { ...facts, revokedAt: 5, revocationReason: "keyCompromise" as const };
	const issue = { issuedAt: issuedAt!, notBefore: notBefore!, notAfter: notAfter!, leaf: leaf! };
	const lease = { serial, issuerKeyId, issue, partnerId: partner.id, code: pCode } as Lease;
	const [after] = await runInDurableObject(codeObject(partner, pCode), async (_, { storage }) => {
		storage.kv.delete(`certificate:${serial}`);
		await rememberRevocation(storage, revoked, null, Date.now());
		rememberSerial(storage, lease, true, Date.now());
		return readRemembered(storage);
	});
	expect(after).toMatchObject({ leaf, issuerKeyId, revokedAt: 5, revocationReason: "keyCompromise" });
});
