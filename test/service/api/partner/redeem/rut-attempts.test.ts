import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { cronCaller } from "../../../../../src/jobs/job.ts";
import { JOBS, runJob } from "../../../../../src/jobs/run.ts";
import { platformOf } from "../../../../../src/platform.ts";
import { passTime, setTime, yearOfNext } from "../../../../support/clock.ts";
import { dieWhen, interceptDb } from "../../../../support/failing-db.ts";
import { codeObject, codeRow, type Row, select } from "../../../../support/look-inside.ts";
import { refusal, rejection } from "../../../../support/refusal.ts";
import { freshService, JUANA, Partner, PEDRO } from "../../../../support/service.ts";

const YEAR = yearOfNext("01-15");

/* Decision "attempts over many codes". The clock stands still but where a test moves it. */

const LOCKED = [429, "ATTEMPT_LIMIT_REACHED"];
const MISMATCH = rejection("ID_CARD_MISMATCH", "serialNumber");
const WRONG_CARD = { ...JUANA, serialNumber: "999999999" };
const LOCK = 30 * MINUTE_MS;

beforeAll(freshService);
beforeEach(() => setTime(Date.now()));

async function partnerWith(codes: number): Promise<{ partner: Partner; codes: string[] }> {
	const partner = await Partner.create();
	return { partner, codes: (await partner.bulk(codes)).body.data.pcodes };
}

/** One failure on each code, ten a minute. @returns what each says of the attempts left, and Retry-After */
async function failOn(partner: Partner, codes: readonly string[]): Promise<[string, string | null][]> {
	const said: [string, string | null][] = [];
	for (const [i, pCode] of codes.entries()) {
		if (i % 8 === 0) passTime(MINUTE_MS);
		const answer = await partner.request({ pCode, ...WRONG_CARD });
		expect(refusal(answer)).toEqual(MISMATCH);
		said.push([answer.body.message.split(/(?<=[.]) /).at(-1), answer.headers.get("Retry-After")]);
	}
	return said;
}

/** Runs the hourly job that erases counts and locks. */
async function erase(of: { partnerId?: string } = {}) {
	const job = JOBS.find(({ name }) => name === "forget-rut-attempts")!;
	return runJob({ ...cronCaller(await platformOf(env), job, Date.now()), ...of }, job);
}

function attemptsOf(partner: Partner): Promise<Row[]> {
	return select("SELECT * FROM rut_attempts WHERE partner_id = ?", partner.id);
}

test("the 6th failure of a RUT over six codes answers its own 406 and locks the RUT for 30 minutes, and no code; each says the smaller of what is left of the code's attempts and of the RUT's", {
	tags: ["rut-lock", "rut-lock-per-partner", "attempts-left"],
}, async () => {
	setTime(Date.UTC(YEAR, 0, 15, 12));
	const { partner, codes } = await partnerWith(8);
	const [fresh, other, ...failed] = codes as [string, string, ...string[]];
	expect(await failOn(partner, failed)).toEqual([
		...Array(4).fill(["2 attempts are left.", null]),
		["1 attempt is left.", null],
		[`Too many failed attempts: locked until 15 January ${YEAR}, 09:31 (Chile time).`, "1800"],
	]);
	const locked = await partner.request({ pCode: fresh, ...JUANA });
	expect(refusal(locked)).toEqual(LOCKED);
	expect(locked.headers.get("Retry-After")).toBe("1800");
	for (const pCode of codes) expect(await partner.status(pCode)).toBe("ACTIVE");
	expect(await codeRow(fresh)).toMatchObject({ version: 0, validation_failures: 0 });
	expect((await partner.request({ pCode: other, ...PEDRO })).status).toBe(200);
	const stranger = await Partner.create();
	expect((await stranger.request({ pCode: await stranger.code(), ...JUANA })).status).toBe(200);

	passTime(LOCK - 1);
	expect(refusal(await partner.request({ pCode: fresh, ...JUANA }))).toEqual(LOCKED);
	passTime(1);
	expect((await partner.request({ pCode: fresh, ...JUANA })).status).toBe(200);
});

test("RUT_MISMATCH counts for the RUT that was sent, not for the one that the code is bound to", {
	tags: ["rut-lock-as-sent", "attempt-rut-mismatch", "request-rut-mismatch"],
}, async () => {
	const { partner, codes } = await partnerWith(4);
	const [first, second, third, fresh] = codes as [string, string, string, string];
	for (const pCode of [first, second, third])
		expect((await partner.request({ pCode, ...PEDRO })).status).toBe(200);
	for (const pCode of [first, first, second, second, third, third]) {
		passTime(MINUTE_MS);
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(rejection("RUT_MISMATCH", "dni"));
	}
	expect(refusal(await partner.request({ pCode: fresh, ...JUANA }))).toEqual(LOCKED);
	expect((await partner.request({ pCode: first, ...PEDRO })).status).toBe(200);
});

test("a success clears the count", { tags: ["rut-lock-cleared"] }, async () => {
	const { partner, codes } = await partnerWith(12);
	await failOn(partner, codes.slice(0, 5));
	expect((await partner.request({ pCode: codes[5], ...JUANA })).status).toBe(200);
	expect(await attemptsOf(partner)).toEqual([]);
	await failOn(partner, codes.slice(6, 11));
	expect((await partner.request({ pCode: codes[11], ...JUANA })).status).toBe(200);
});

test("a failure 24 hours after the first begins a new count", { tags: ["rut-lock-window"] }, async () => {
	const { partner, codes } = await partnerWith(12);
	await failOn(partner, codes.slice(0, 3));
	passTime(12 * HOUR_MS);
	await failOn(partner, codes.slice(3, 5));
	passTime(12 * HOUR_MS);
	await failOn(partner, codes.slice(5, 10));
	expect((await attemptsOf(partner))[0]).toMatchObject({ failures: 5, locked_until: null });
	// A millisecond before 24 hours are over a failure still belongs to the count.
	passTime(24 * HOUR_MS - 2 * MINUTE_MS - 1);
	await failOn(partner, codes.slice(10, 11));
	expect(refusal(await partner.request({ pCode: codes[11], ...JUANA }))).toEqual(LOCKED);
});

test("after the lock it is counted anew, whatever the hourly job erases, and never permanent", {
	tags: ["rut-lock-never-permanent"],
}, async () => {
	const { partner, codes } = await partnerWith(25);
	for (let round = 0; round < 4; round++) {
		await failOn(partner, codes.slice(round * 6, round * 6 + 5));
		await erase();
		await failOn(partner, codes.slice(round * 6 + 5, round * 6 + 6));
		expect(refusal(await partner.request({ pCode: codes[24], ...JUANA }))).toEqual(LOCKED);
		passTime(LOCK);
	}
	expect((await partner.request({ pCode: codes[24], ...JUANA })).status).toBe(200);
});

test("two RUT_MISMATCH at the same moment when one failure is left: one is told, the other is locked and spends nothing", {
	tags: ["rut-lock-concurrent"],
}, async () => {
	const { partner, codes } = await partnerWith(7);
	const [first, second, ...failed] = codes as [string, string, ...string[]];
	for (const pCode of [first, second]) expect((await partner.request({ pCode, ...PEDRO })).status).toBe(200);
	await failOn(partner, failed);
	passTime(MINUTE_MS);
	const commits = { due: 0, bothDue: Promise.withResolvers<void>() };
	const answers = await interceptDb(
		async (_, deliver, sql) => {
			if (sql.includes('insert into "rut_attempts"')) {
				if (++commits.due === 2) commits.bothDue.resolve();
				await commits.bothDue.promise;
			}
			return deliver();
		},
		() =>
			Promise.all(
				[first, second].map((pCode) => partner.request({ pCode, ...JUANA }, { "Idempotency-Key": pCode })),
			),
	);
	const told = answers.findIndex(({ status }) => status === 406);
	expect(refusal(answers[told]!)).toEqual(rejection("RUT_MISMATCH", "dni"));
	expect(refusal(answers[1 - told]!)).toEqual(LOCKED);
	expect(answers[1 - told]!.headers.get("Retry-After")).toBe("1800");
	const locked = told === 0 ? second : first;
	expect(await codeRow(locked)).toMatchObject({ version: 1, validation_failures: 0, processing_until: null });
	expect((await attemptsOf(partner))[0]).toMatchObject({ failures: 0, locked_until: Date.now() + LOCK });
	const again = await partner.request({ pCode: locked, ...JUANA }, { "Idempotency-Key": locked });
	expect([refusal(again), again.headers.get("Idempotency-Replayed")]).toEqual([LOCKED, null]);
});

test("a request that was admitted before the lock began asks no registry after it", {
	tags: ["rut-lock-concurrent"],
}, async () => {
	const { partner, codes } = await partnerWith(7);
	await failOn(partner, codes.slice(0, 5));
	const gate = Promise.withResolvers<void>();
	const marks = { seen: 0 };
	await interceptDb(
		async (_, deliver, sql) => {
			if (sql.includes("AS other") && marks.seen++ === 0) await gate.promise;
			return deliver();
		},
		async () => {
			const admitted = partner.request({ pCode: codes[6], ...JUANA });
			await vi.waitUntil(() => marks.seen === 1, { interval: 1 });
			await failOn(partner, [codes[5]!]);
			gate.resolve();
			const refused = await admitted;
			expect(refusal(refused)).toEqual(LOCKED);
			expect(refused.headers.get("Retry-After")).toBe("1800");
		},
	);
	expect(await codeRow(codes[6]!)).toMatchObject({ version: 0, processing_until: null });
});

test("invariant 4: a crash that spends a reserved attempt counts for the RUT too, once, and leaves a lock as it is", {
	tags: ["rut-lock-crash"],
}, async () => {
	const { partner, codes } = await partnerWith(8);
	await failOn(partner, codes.slice(0, 5));
	const crashed = codes.slice(5, 7);
	for (const pCode of crashed) {
		const commit = { due: false };
		const died = await interceptDb(
			async (_, deliver, sql) => {
				if (!sql.includes('insert into "rut_attempts"')) return deliver();
				commit.due = true;
				return new Promise(() => undefined);
			},
			() =>
				dieWhen(
					() => commit.due,
					() => partner.request({ pCode, ...WRONG_CARD }),
				),
		);
		expect(died.status).toBe(503);
		passTime(MINUTE_MS + 1);
	}
	const lockedUntil = Date.now() + LOCK;
	for (const [i, pCode] of crashed.entries()) {
		await runDurableObjectAlarm(codeObject(partner, pCode));
		expect(await codeRow(pCode)).toMatchObject({ validation_failures: 1 });
		expect((await attemptsOf(partner))[0]).toMatchObject({ failures: i, locked_until: lockedUntil });
	}
	expect(refusal(await partner.request({ pCode: codes[7], ...JUANA }))).toEqual(LOCKED);
});

test.each([
	["a count, when its 24 hours are over", 1, 24 * HOUR_MS],
	["a lock, when it ends", 6, LOCK],
])("erased by the hourly job: %s", { tags: ["rut-lock-erased"] }, async (_, failures, life) => {
	const { partner, codes } = await partnerWith(6);
	await failOn(partner, codes.slice(0, failures));
	passTime(life - 1);
	await erase();
	expect(await attemptsOf(partner)).toHaveLength(1);
	passTime(1);
	// Another partner's clock stands there first.
	expect(await erase({ partnerId: "pt_another" })).toEqual({ report: { ruts: 0 }, done: true, silent: [] });
	expect(await erase()).toEqual({ report: { ruts: 1 }, done: true, silent: [] });
	expect(await attemptsOf(partner)).toEqual([]);
});
