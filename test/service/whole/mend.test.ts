import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import { RESTORE_WINDOW_MS } from "../../../src/domain/retention.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { mendPage } from "../../../src/jobs/mend-restored.ts";
import type { Lease } from "../../../src/objects/lease.ts";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import {
	forgetCertificates,
	type RememberedCertificate,
	readRemembered,
	rememberRevocation,
	rememberSerial,
} from "../../../src/objects/remembered.ts";
import { type Platform, platformOf } from "../../../src/platform.ts";
import { createWebhookPartner, deliveryOf } from "../../support/b2b.ts";
import { passTime, setTime, until } from "../../support/clock.ts";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { openDatabases } from "../../support/db.ts";
import { failingFrom } from "../../support/failing-db.ts";
import {
	auditOf,
	certificatesOf,
	codeObject,
	codeRow,
	heldAtRegistry,
	leaseOf,
	select,
	storedIn,
} from "../../support/look-inside.ts";
import { deliverMessages, useReceiver } from "../../support/receiver.ts";
import { JUANA, ops, Partner } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

/* Effects of mending beside the code's row, after D1 was set back to before its issue or revocation. */

const { receiver, queue } = useReceiver();
beforeEach(() => {
	receiver.answer = () => new Response(null, { status: 503 });
});

/** An issued code whose certificate is still to be delivered. */
async function undelivered(beforeIssue = async () => {}) {
	const { partner } = await createWebhookPartner({
		webhook_events: ["certificate.emitted", "pcode.cancelled"],
	});
	const pCode = await partner.code();
	await beforeIssue();
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
	await until(async () => (await deliveryOf(pCode)).last_outcome !== null);
	const [certificate] = await certificatesOf(pCode);
	return { partner, pCode, serial: certificate!.serial as string, delivery: await deliveryOf(pCode) };
}

const cancel = (pCode: string) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });

const revoke = (_: string, serial: string) =>
	ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });

/** The first page of the walk over the codes that D1 has. */
async function walk(restoredTo = Date.now()) {
	const restored = { restored_to: new Date(restoredTo).toISOString() };
	const { status, body } = await ops("POST", "/restores/mend", { database: 2, ...restored });
	expect(status).toBe(200);
	return body.data;
}

async function mend(restoredTo?: number): Promise<string[]> {
	const { failed, mended } = await walk(restoredTo);
	expect(failed).toEqual([]);
	return mended;
}

/** The code's certificates in D1, each with its sealed leaf. */
const register = (pCode: string) =>
	select(
		`SELECT serial, issuer_key_id, issued_at, not_before, not_after, revoked_at, revocation_reason, hex(sealed) AS leaf
		FROM certificates LEFT JOIN leaves ON leaves.id = leaf_id WHERE code = ?`,
		pCode,
	);

test.each([
	["cancelled", [], [cancel], "cancelled", null],
	["revoked", [], [revoke], "revoked", null],
	["cancelled, then revoked", [], [cancel, revoke], "cancelled", null],
	["revoked before the restored moment, and cancelled after it", [revoke], [cancel], "cancelled", "code"],
] as const)(
	"a certificate that was %s is so again after the mend, with its time and reason, and not delivered any more",
	async (_, before, after, why, outcome) => {
		const { pCode, serial, delivery } = await undelivered();
		for (const withdraw of before) expect((await withdraw(pCode, serial)).status).toBe(200);
		await keepDatabase();
		for (const withdraw of after) {
			passTime(MINUTE_MS);
			expect((await withdraw(pCode, serial)).status).toBe(200);
		}
		const { cancelled_at } = await codeRow(pCode);
		const registered = await register(pCode);
		await setDatabaseBack();

		passTime(MINUTE_MS);
		expect(await mend()).toEqual([pCode]);
		expect(await register(pCode)).toEqual(registered);
		expect(await codeRow(pCode)).toMatchObject({ cancelled_at });
		expect((await auditOf(pCode)).at(-1)).toBe(`mended_after_restore ${outcome ?? serial}`);
		const [row] = await select(
			"SELECT last_outcome, payload_sealed IS NULL AS erased, next_attempt_at, dead_at FROM outbox WHERE id = ?",
			delivery.id,
		);
		expect(row).toEqual({ last_outcome: why, erased: 1, next_attempt_at: null, dead_at: expect.any(Number) });
	},
);

test("the event of a mended cancellation names the certificate, and the mend as the reason", async () => {
	const { pCode, serial } = await undelivered(async () => {
		await keepDatabase();
		passTime(CODE_WINDOW_MS - HOUR_MS);
	});
	const restoredTo = Date.now();
	await cancel(pCode);
	const registered = await register(pCode);
	await setDatabaseBack();
	queue.length = 0;
	receiver.clear();
	passTime(HOUR_MS);
	expect(await mend(restoredTo)).toEqual([pCode]);
	expect(await register(pCode)).toEqual(registered);
	await until(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	expect(receiver.bodies).toMatchObject([
		{ type: "pcode.cancelled", data: { reason: "mended_after_restore", serialNumber: serial } },
	]);
});

test("a claim that is repeated with its Idempotency-Key mends the code before it answers", async () => {
	const { partner, pCode } = await validatedCode();
	await keepDatabase();
	const key = { "Idempotency-Key": "restored" };
	const first = await partner.claim(pCode, {}, key);
	const registered = await register(pCode);
	await setDatabaseBack();
	expect(await partner.status(pCode)).toBe("VALIDATED");
	const again = await partner.claim(pCode, {}, key);
	expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
		200,
		first.text,
		"true",
	]);
	expect(await partner.status(pCode)).toBe("EMITTED");
	expect(await register(pCode)).toEqual(registered);
	expect(await select("SELECT pin_salt, pin_hash FROM holders WHERE code = ?", pCode)).toEqual([
		{ pin_salt: null, pin_hash: null },
	]);
});

const remembered = async (partner: Partner, pCode: string) =>
	Object.keys(await storedIn(partner, pCode)).filter((key) => key.startsWith("certificate:"));

test.each([
	["that tells D1 something", true],
	["that finds nothing to tell", false],
])("a mend %s makes the object remember for another 31 days", async (_, restored) => {
	const { partner, pCode, serial } = await undelivered();
	await keepDatabase();
	if (restored) await cancel(pCode);
	passTime(20 * DAY_MS);
	if (restored) await setDatabaseBack();
	expect(await mend()).toEqual(restored ? [pCode] : []);
	passTime(20 * DAY_MS);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
	passTime(12 * DAY_MS);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await remembered(partner, pCode)).toEqual([]);
});

test("the object tells D1 what it lacks before it forgets, and forgets nothing while D1 is away", async () => {
	const { partner, pCode, serial } = await undelivered();
	await keepDatabase();
	setTime(Date.now());
	await cancel(pCode);
	await setDatabaseBack();
	passTime(RESTORE_WINDOW_MS);
	await failingFrom(1, "is lost", () => runDurableObjectAlarm(codeObject(partner, pCode)));
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
	passTime(HOUR_MS);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await codeRow(pCode)).toMatchObject({ cancelled_at: expect.any(Number) });
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
});

test("a code at work and one that gives no answer are named as failed, and the mend ends a step that crashed", async () => {
	const { partner, pCode } = await activeCode();
	const { registry, running: asking } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	expect(await walk()).toEqual({ looked_at: 1, mended: [], failed: [pCode], mending: false, next: null });
	vi.spyOn(PurchaseCodeObject.prototype, "mend").mockRejectedValueOnce(new Error("a bug"));
	expect((await walk()).failed).toEqual([pCode]);
	passTime(MINUTE_MS + 1);
	expect((await walk()).failed).toEqual([]);
	expect(await leaseOf(partner, pCode)).toBeNull();
	registry.release();
	expect((await asking).status).toBe(503);
});

test("the walk asks every code once, 200 a page; a failure on any page keeps the mending under way", async () => {
	const pCodes = (await (await Partner.create()).bulk(201)).body.data.pcodes;
	const restoredTo = Date.now();
	const asked: string[] = [];
	const answers: string[] = [];
	const object = {
		mend: async ({ code }: { code: string }) => {
			asked.push(code);
			return { answer: { kind: answers.shift() ?? "unchanged" } };
		},
	};
	const codes = { getByName: () => object } as unknown as Platform["codes"];
	const caller = cronCaller({ ...(await platformOf(env)), codes }, { name: "test" }, restoredTo);
	const database = openDatabases().databases[1]!;
	const restored = { restored_to: new Date(restoredTo).toISOString(), reason: "test", database: 2 };
	expect((await ops("POST", "/restores", restored)).status).toBe(201);
	for (const [first, mending] of [
		["rejected", true],
		["unchanged", false],
	] as const) {
		answers.push(first);
		const { next, ...page } = await mendPage(caller, { database, restoredTo, cursor: null });
		expect(page).toMatchObject({ looked: 200, mended: [], mending: true });
		expect(page.failed).toHaveLength(first === "rejected" ? 1 : 0);
		const last = await mendPage(caller, { database, restoredTo, cursor: next });
		expect(last).toEqual({ looked: 1, mended: [], failed: [], mending, next: null });
		expect(asked.splice(0).toSorted()).toEqual(pCodes.toSorted());
	}
});

const alarmOf = (partner: Partner, pCode: string) =>
	runInDurableObject(codeObject(partner, pCode), (_, { storage }) => storage.getAlarm());

test("a revocation of a code at rest sets the alarm that forgets it, and postpones no other; one that never rang, for at once", async () => {
	const { partner, pCode, serial } = await undelivered();
	const ofLease = await alarmOf(partner, pCode);
	await revoke(pCode, serial);
	expect([ofLease, await alarmOf(partner, pCode)]).toEqual([expect.any(Number), ofLease]);
	passTime(5 * MINUTE_MS);
	await revoke(pCode, serial);
	expect(await alarmOf(partner, pCode)).toBe(Date.now());
	passTime(2 * RESTORE_WINDOW_MS);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect([await storedIn(partner, pCode), await alarmOf(partner, pCode)]).toEqual([{}, null]);
	await revoke(pCode, serial);
	expect(await remembered(partner, pCode)).toEqual([`certificate:${serial}`]);
	expect(await alarmOf(partner, pCode)).toBe(Date.now() + RESTORE_WINDOW_MS);
});

test("a revocation that the object remembers before the step's own end does not keep the leaf out", async () => {
	const { partner, pCode, serial } = await undelivered();
	const [known] = (await runInDurableObject(codeObject(partner, pCode), (_, { storage }) =>
		readRemembered(storage),
	)) as [RememberedCertificate];
	const { leaf, cancelledAt: _, forgetAt: __, ...facts } = known;
	const { issuerKeyId, notBefore, notAfter, issuedAt } = facts;
	const revoked = { ...facts, revokedAt: 5, revocationReason: "keyCompromise" as const };
	const issue = { issuedAt: issuedAt!, notBefore: notBefore!, notAfter: notAfter!, leaf: leaf! };
	const lease = { serial, issuerKeyId, issue, partnerId: partner.id, code: pCode } as Lease;
	const never = { ...lease, serial: "B2", issue: null };
	const { remembers, next } = await runInDurableObject(codeObject(partner, pCode), async (_, { storage }) => {
		storage.kv.delete(`certificate:${serial}`);
		await rememberRevocation(storage, revoked, null, 9);
		rememberSerial(storage, lease, true, 9);
		rememberSerial(storage, never, false, 7);
		return { remembers: readRemembered(storage), next: forgetCertificates(storage, 8) };
	});
	expect(remembers).toMatchObject([
		{ leaf, issuerKeyId, revokedAt: 5, revocationReason: "keyCompromise" },
		{ serial: "B2", issuerKeyId, issuedAt: null, leaf: null, revokedAt: 7, cancelledAt: null },
	]);
	expect(next).toBe(7 + RESTORE_WINDOW_MS);
});
