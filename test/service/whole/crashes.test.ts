import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { passTime } from "../../support/clock.ts";
import { activeCode, STEPS, validatedCode } from "../../support/codes.ts";
import {
	type Arrival,
	delayingAt,
	dieWhen,
	dyingAt,
	failingAt,
	failingFrom,
	interceptDb,
} from "../../support/failing-db.ts";
import {
	auditOf,
	certificatesOf,
	codeObject,
	codeRow,
	expectAtRest,
	heldAtRegistry,
	holdRegistry,
	LEASE_OVER,
	leaseOf,
	outboxOf,
	select,
	storedIn,
	unsettledIn,
} from "../../support/look-inside.ts";
import { dropQueue } from "../../support/receiver.ts";
import { type Answer, freshService, JUANA, loadHolder, Partner } from "../../support/service.ts";

beforeAll(freshService);
beforeEach(dropQueue);

function alarm(partner: Partner, pCode: string): Promise<boolean> {
	return runDurableObjectAlarm(codeObject(partner, pCode));
}

/** Invariant 1: one certificate of the code is good, it is the one the code names, and the code reads EMITTED. */
async function expectOneCertificate(partner: Partner, pCode: string, serialNumber?: string): Promise<void> {
	const good = (await certificatesOf(pCode)).filter((row) => row.revoked_at === null);
	expect(good).toHaveLength(1);
	const { certificate_serial } = await codeRow(pCode);
	expect(good[0]).toMatchObject({ serial: certificate_serial, issued_at: expect.any(Number) });
	if (serialNumber !== undefined) expect(certificate_serial).toBe(serialNumber);
	expect(await partner.status(pCode)).toBe("EMITTED");
}

/** Invariant 2: a serial that was noted is in D1, issued or revoked. */
async function expectEntered(pCode: string, serial: string): Promise<void> {
	expect(serial).toMatch(/^[0-9A-F]{32}$/);
	const [entry] = await select("SELECT * FROM certificates WHERE serial = ? AND code = ?", serial, pCode);
	if (entry?.issued_at) return;
	const revoked = { revoked_at: expect.any(Number), revocation_reason: "cessationOfOperation" };
	expect(entry).toMatchObject({ ...revoked, issued_at: null, leaf_id: null });
}

/** Makes a call that hears from D1's first answer only when it is released. */
function holdSurvey(act: () => Promise<Answer>) {
	const released = Promise.withResolvers<void>();
	const held = { it: false };
	const answer = interceptDb(async (nth, deliver) => {
		const result = await deliver();
		if (nth === 1) {
			held.it = true;
			await released.promise;
		}
		return result;
	}, act);
	return { answer, isHeld: () => held.it, release: () => released.resolve() };
}

/* ---------------------------------------------------------------- a step dies */

const CLAIM_SURVEY = 1;
const CLAIM_COMMIT = 2;
const REQUEST_MARK = 2;
const REQUEST_COMMIT = 3;

/** Which round trip carries the commit, and what the code reads when it has arrived. */
const COMMIT = { claim: CLAIM_COMMIT, "B2C request": REQUEST_COMMIT, "B2B request": REQUEST_COMMIT };
const STATUS_AFTER = { claim: "EMITTED", "B2C request": "VALIDATED", "B2B request": "EMITTED" };
/** Audit rows of a recovery, as {@link auditOf} reads them. */
const SPENT = "step_abandoned attempt_spent";
const NOTHING_SPENT = "step_abandoned nothing_spent";

test.each([
	["claim", 1, "arrives", "when D1 has answered", [], 200],
	["claim", 2, "is lost", "when it has signed and its commit is lost", [NOTHING_SPENT], 200],
	["claim", 2, "arrives", "after its commit", ["emitted ok"], 201],
	["B2C request", 2, "arrives", "when D1 shows it as processing", [], 200],
	["B2C request", 3, "is lost", "when the registry has answered and its commit is lost", [SPENT], 200],
	["B2C request", 3, "arrives", "after its commit", ["validated ok"], 200],
	["B2B request", 3, "is lost", "when it has signed and its commit is lost", [SPENT], 200],
	["B2B request", 3, "arrives", "after its commit", ["emitted ok"], 406],
] as const)(
	"invariants 1 to 4: a %s whose object dies at round trip %i, which %s, %s: its code is carried on within one lease",
	{
		tags: [
			"crash-claim",
			"crash-claim-after-commit",
			"crash-request",
			"serial-before-signing",
			"serial-before-signing-b2b",
		],
	},
	async (name, trip, arrival, _, recovered, then) => {
		const { ready, act } = STEPS[name];
		const { partner, pCode } = await ready();
		const [before, audit] = [await partner.status(pCode), await auditOf(pCode)];
		const answered = await dyingAt(trip, arrival, () => act(partner, pCode));
		expect([answered.status, answered.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(Number(answered.headers.get("Retry-After"))).toBeGreaterThan(0);
		const lease = await leaseOf(partner, pCode);
		const committed = recovered[0]?.endsWith(" ok") ?? false;
		if (!committed) expect((await act(partner, pCode)).status).toBe(name === "claim" ? 202 : 406);
		expect(await partner.status(pCode)).toBe(committed ? STATUS_AFTER[name] : before);

		passTime(LEASE_OVER);
		expect((await partner.listed(pCode)).processing).toBe(0);
		expect(await alarm(partner, pCode)).toBe(true);
		await expectAtRest(partner, pCode);
		expect(await auditOf(pCode)).toEqual([...audit, ...recovered]);
		expect(await partner.status(pCode)).toBe(committed ? STATUS_AFTER[name] : before);
		expect((await codeRow(pCode)).validation_failures).toBe(recovered[0] === SPENT ? 1 : 0);
		expect(lease?.serial != null).toBe(trip === COMMIT[name] && name !== "B2C request");
		if (lease?.serial) await expectEntered(pCode, lease.serial);

		const again = await act(partner, pCode);
		expect(again.status).toBe(then);
		expect((await codeRow(pCode)).validation_failures).toBe(0);
		if (name === "B2C request") expect((await partner.claim(pCode)).status).toBe(200);
		await expectOneCertificate(partner, pCode);
		await expectAtRest(partner, pCode);
		expect(await outboxOf(pCode)).toHaveLength(name === "B2B request" ? 1 : 0);
	},
);

test("invariant 2: a bug while signing answers 500 without inner text, and its serial is revoked at once", async () => {
	const { partner, pCode } = await validatedCode();
	vi.spyOn(crypto.subtle, "exportKey").mockRejectedValueOnce(new Error("no key on shelf 4821"));
	const answered = await partner.claim(pCode);
	expect([answered.status, answered.body.error]).toEqual([500, "INTERNAL_ERROR"]);
	expect(answered.text).not.toContain("shelf");
	expect((await certificatesOf(pCode)).map((row) => row.revoked_at)).toEqual([expect.any(Number)]);
	await expectAtRest(partner, pCode);

	expect((await partner.claim(pCode)).status).toBe(200);
	await expectOneCertificate(partner, pCode);
});

test('decision "ID-validation attempts": a caller who drops the connection while the registry is asked spends the attempt', {
	tags: ["attempt-dropped-call"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const registry = holdRegistry();
	const connection = new AbortController();
	const answer = exports.default.fetch(
		new Request("http://service.test/api/partners/v1/certificate_request", {
			method: "POST",
			headers: { "x-gw": partner.key, "content-type": "application/json" },
			body: JSON.stringify({ pCode, ...JUANA, serialNumber: "999999999" }),
			signal: connection.signal,
		}),
	);
	const answered = answer.then(
		({ status }) => status,
		() => "nothing",
	);
	await vi.waitUntil(registry.isAsked, { interval: 1 });
	expect(await leaseOf(partner, pCode)).toMatchObject({ attemptReserved: true });
	connection.abort();
	expect(await answered).toBe("nothing");
	registry.release();

	await vi.waitUntil(async () => (await codeRow(pCode)).validation_failures > 0);
	await vi.waitUntil(async () => (await leaseOf(partner, pCode)) === null);
	passTime(LEASE_OVER);
	await alarm(partner, pCode);
	expect(await codeRow(pCode)).toMatchObject({ validation_failures: 1, version: 1 });
	expect(await auditOf(pCode)).toEqual(["validation_failed id_card_mismatch"]);
	await expectAtRest(partner, pCode);
});

test('decision "ID-validation attempts": a crash while the registry is asked spends the attempt, and three lock the code', {
	tags: ["attempt-crash", "crash-no-free-guess"],
}, async () => {
	const { partner, pCode } = await activeCode();
	for (let crash = 1; crash <= 3; crash++) {
		const registry = holdRegistry();
		await dieWhen(registry.isAsked, () => partner.request({ pCode, ...JUANA }));
		registry.release();
		expect(await leaseOf(partner, pCode)).toMatchObject({ attemptReserved: true, serial: null });
		passTime(LEASE_OVER);
		await alarm(partner, pCode);
		expect(await codeRow(pCode)).toMatchObject({ validation_failures: crash % 3, version: crash });
	}
	expect(await auditOf(pCode)).toEqual(Array(3).fill(SPENT));
	expect((await codeRow(pCode)).validation_locks).toBe(1);
	const locked = await partner.request({ pCode, ...JUANA });
	expect([locked.status, locked.body.error]).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
});

/* ---------------------------------------------------------------- D1 fails, the object lives */

test.each([
	["claim with a wrong PIN", CLAIM_COMMIT, "claim_failures"],
	["request with a wrong card", REQUEST_COMMIT, "validation_failures"],
] as const)(
	"invariant 3: the commit of a %s fails: 406 when it arrived all the same, 503 when it is lost, and D1 has the same",
	{ tags: ["commit-fails"] },
	async (name, trip, column) => {
		for (const [arrival, status, failures] of [
			["is lost", 503, 0],
			["arrives", 406, 1],
		] as const) {
			const { ready, act } = STEPS[name];
			const { partner, pCode } = await ready();
			expect((await failingAt(trip, arrival, () => act(partner, pCode))).status).toBe(status);
			expect((await codeRow(pCode))[column]).toBe(failures);
			await expectAtRest(partner, pCode);
		}
	},
);

/* ---------------------------------------------------------------- a commit that comes too late */

test.each(Object.entries(STEPS))(
	'decision "503": nothing changed, even when the commit of a %s arrives after the answer',
	{ tags: ["unavailable-late-commit"] },
	async (name, { ready, act }) => {
		const { partner, pCode } = await ready();
		const trip = name.startsWith("claim") ? CLAIM_COMMIT : REQUEST_COMMIT;
		const statusBefore = await partner.status(pCode);
		const { answer, arriveLate } = await delayingAt<Answer>(trip, () => act(partner, pCode));
		expect(answer.status).toBe(503);
		await expect(arriveLate()).rejects.toThrow("UNIQUE constraint failed: audit_events");
		expect(await partner.status(pCode)).toBe(statusBefore);
		expect(await codeRow(pCode)).toMatchObject({
			issued_at: null,
			claim_failures: 0,
			validation_failures: 0,
		});
		await expectAtRest(partner, pCode);
	},
);

test("invariants 1 and 2: a run that outlives its lease signs nothing, answers 503 and leaves the next run's lease alone, which issues", {
	tags: ["lease-outlived"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const held = Promise.withResolvers<void>();
	const exportKey = crypto.subtle.exportKey.bind(crypto.subtle);
	const exporter = vi.spyOn(crypto.subtle, "exportKey").mockImplementationOnce(async (format, key) => {
		await held.promise;
		return exportKey(format, key);
	});
	const survey = holdSurvey(() => partner.claim(pCode));
	await vi.waitUntil(survey.isHeld, { interval: 1 });
	passTime(LEASE_OVER);
	const quick = partner.claim(pCode);
	await vi.waitUntil(() => exporter.mock.calls.length > 0, { interval: 1 });
	const lease = await leaseOf(partner, pCode);
	survey.release();
	const slow = await survey.answer;
	expect(await leaseOf(partner, pCode)).toEqual(lease);
	held.resolve();
	const { status, body } = await quick;
	expect([slow.status, slow.body.error, status]).toEqual([503, "SERVICE_UNAVAILABLE", 200]);
	expect(lease?.serial).toBe(body.data.serialNumber);
	// One key in its two parts.
	expect(exporter).toHaveBeenCalledTimes(2);
	expect(await certificatesOf(pCode)).toHaveLength(1);
	await expectOneCertificate(partner, pCode, body.data.serialNumber);
	await expectAtRest(partner, pCode);
});

test("invariant 4: a request whose registry outlives the lease is recovered by the alarm: the attempt is spent, the late success does not count", async () => {
	const { partner, pCode } = await activeCode();
	const { registry, running: slow } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	passTime(LEASE_OVER);
	expect(await alarm(partner, pCode)).toBe(true);
	registry.release();
	expect((await slow).status).toBe(503);
	expect(await codeRow(pCode)).toMatchObject({ validated_at: null, validation_failures: 1 });
	expect(await select("SELECT code FROM holders WHERE code = ?", pCode)).toEqual([]);
	expect(await auditOf(pCode)).toEqual(["step_abandoned attempt_spent"]);
	await expectAtRest(partner, pCode);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});

test.each(["claim", "B2C request", "B2B request"] as const)(
	"invariant 1: a %s that the alarm has recovered under it marks, asks and issues nothing",
	async (name) => {
		const { ready, act } = STEPS[name];
		const { partner, pCode } = await ready();
		const before = await codeRow(pCode);
		const registry = vi.spyOn(CivilRegistrySandbox.prototype, "fetch");
		const survey = holdSurvey(() => act(partner, pCode));
		await vi.waitUntil(survey.isHeld, { interval: 1 });
		passTime(LEASE_OVER);
		expect(await alarm(partner, pCode)).toBe(true);
		survey.release();
		expect((await survey.answer).status).toBe(503);
		expect(registry).not.toHaveBeenCalled();
		expect(await certificatesOf(pCode)).toEqual([]);
		expect(await codeRow(pCode)).toEqual({ ...before, processing_until: null });
		await expectAtRest(partner, pCode);
		expect((await act(partner, pCode)).status).toBe(200);
	},
);

/* ---------------------------------------------------------------- settling */

test.each([
	["alarm and ten claims", true, 10],
	["one claim, without the alarm,", false, 1],
] as const)(
	"invariants 1 and 4: %s at once after a crash recover it once and issue once",
	{ tags: ["crash-issues-once"] },
	async (_, withAlarm, calls) => {
		const { partner, pCode } = await validatedCode();
		await dyingAt(CLAIM_COMMIT, "is lost", () => partner.claim(pCode));
		const lease = await leaseOf(partner, pCode);
		passTime(LEASE_OVER);
		const [, ...claims] = await Promise.all([
			withAlarm && alarm(partner, pCode),
			...Array.from({ length: calls }, () => partner.claim(pCode)),
		]);
		await expectEntered(pCode, lease!.serial!);
		expect(claims.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(claims.every(({ status }) => [200, 201, 202].includes(status))).toBe(true);
		await expectOneCertificate(partner, pCode);
		await expectAtRest(partner, pCode);
		expect(await auditOf(pCode)).toEqual(["validated ok", "step_abandoned nothing_spent", "emitted ok"]);
	},
);

test("invariants 2 and 4: an alarm that comes while the lease holds, or finds D1 away, keeps the lease and comes again", async () => {
	const { partner, pCode } = await validatedCode();
	await dyingAt(CLAIM_COMMIT, "is lost", () => partner.claim(pCode));
	const lease = await leaseOf(partner, pCode);
	expect(await alarm(partner, pCode)).toBe(true);
	expect(await leaseOf(partner, pCode)).toEqual(lease);
	const next = await runInDurableObject(codeObject(partner, pCode), (_, { storage }) => storage.getAlarm());
	expect(next).toBe(lease!.until);
	for (let outage = 0; outage < 3; outage++) {
		passTime(LEASE_OVER);
		expect(await failingFrom(1, "is lost", () => alarm(partner, pCode))).toBe(true);
		expect(await leaseOf(partner, pCode)).toEqual(lease);
	}
	passTime(LEASE_OVER);
	expect(await alarm(partner, pCode)).toBe(true);
	await expectEntered(pCode, lease!.serial!);
	await expectAtRest(partner, pCode);
});

test.each([1, 2, 3] as const)(
	"invariant 2: recovery dies on its round trip %i, and the next alarm ends it",
	async (trip) => {
		for (const arrival of ["is lost", "arrives"] satisfies Arrival[]) {
			const { partner, pCode } = await validatedCode();
			await dyingAt(CLAIM_COMMIT, "is lost", () => partner.claim(pCode));
			const lease = await leaseOf(partner, pCode);
			passTime(LEASE_OVER);
			await failingAt(trip, arrival, () => alarm(partner, pCode));
			passTime(LEASE_OVER);
			await alarm(partner, pCode);
			await expectEntered(pCode, lease!.serial!);
			await expectAtRest(partner, pCode);
			expect(await auditOf(pCode)).toEqual(["validated ok", "step_abandoned nothing_spent"]);
		}
	},
);

test("invariant 4: an evicted object knows its running lease, its lock and its counts", {
	tags: ["eviction"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	await partner.claim(pCode, { pin: "0000" });
	await dyingAt(CLAIM_SURVEY, "arrives", () => partner.claim(pCode));
	expect(await leaseOf(partner, pCode)).not.toBeNull();
	await evictDurableObject(codeObject(partner, pCode));
	expect((await partner.claim(pCode)).status).toBe(202);

	passTime(LEASE_OVER);
	for (let i = 2; i <= 5; i++) {
		expect((await partner.claim(pCode, { pin: "0000" })).status).toBe(406);
		await storedIn(partner, pCode);
		await evictDurableObject(codeObject(partner, pCode));
	}
	expect((await partner.claim(pCode)).status).toBe(429);
});

test("invariant 6: a crash of one partner's call with another's code leaves that code alone", {
	tags: ["crash-other-partner"],
}, async () => {
	const owner = await validatedCode();
	const stranger = await Partner.create();
	await stranger.code();
	await dyingAt(CLAIM_SURVEY, "arrives", () => stranger.claim(owner.pCode));
	expect(await leaseOf(owner.partner, owner.pCode)).toBeNull();
	expect((await owner.partner.claim(owner.pCode)).status).toBe(200);
	passTime(LEASE_OVER);
	await alarm(stranger, owner.pCode);
	expect(await auditOf(owner.pCode)).toEqual(["validated ok", "emitted ok"]);
});

test("invariant 4: a crashed validation does not hold back the RUT's other codes beyond one lease", async () => {
	const { partner, pCode } = await activeCode();
	const other = await partner.code();
	await dyingAt(REQUEST_MARK, "arrives", () => partner.request({ pCode, ...JUANA }));
	const refused = await partner.request({ pCode: other, ...JUANA });
	expect(refused.body.details[0].code).toBe("OTHER_VALIDATION_IN_PROGRESS");
	passTime(LEASE_OVER);
	expect((await partner.request({ pCode: other, ...JUANA })).status).toBe(200);
});

test("invariant 4: a crash on a code that does not exist leaves nothing behind", async () => {
	const partner = await Partner.create();
	await partner.code();
	const unknown = "0000-0000-0000-0000";
	await dyingAt(CLAIM_SURVEY, "arrives", () => partner.claim(unknown));
	passTime(LEASE_OVER);
	expect(await alarm(partner, unknown)).toBe(true);
	expect(await unsettledIn(partner, unknown)).toEqual({});
	expect((await partner.request({ pCode: unknown, ...loadHolder(1) })).status).toBe(404);
});
