import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { codeObject, heldAtRegistry, select, storedIn } from "../../support/look-inside.ts";
import { withinOneMinute } from "../../support/one-minute.ts";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { freshService, JUANA, ops, Partner, PEDRO } from "../../support/service.ts";
import {
	endSession,
	frame,
	type Made,
	makeSession,
	session,
	sessionOf,
	showSession,
	submit,
	TYPED,
	typedSession,
} from "../../support/widget.ts";

/* A partner's calls on sessions: what making one refuses, how one ends, and what of it is stored. */

beforeAll(freshService);

const IN_PROGRESS = [406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"];

test("201: id, token, a link with the token in its fragment, and when it ends unless it is opened", async () => {
	stopClock();
	const { partner, pCode } = await activeCode();
	const { status, body, headers } = await makeSession(partner, pCode, {
		locale: "en",
		prefill: { dni: "11.111.111-1", email: null },
	});
	const { session_id: id, token } = body.data;
	expect([status, headers.get("ratelimit-policy")]).toEqual([201, '"sessions";q=60;w=60']);
	expect(body.data).toEqual({
		session_id: expect.stringMatching(/^os_[0-9a-f]{32}$/),
		token: expect.stringMatching(/^wt_[\w-]{43}$/),
		url: `${env.PUBLIC_URL}/onboarding/${id}#${token}`,
		expires_at: new Date(Date.now() + DAY_MS).toISOString(),
	});
	const made = { partner, pCode, session: id, token };
	expect((await showSession(made)).body.data).toMatchObject({ status: "created", started_at: null });
	expect((await frame(made, "POST", "/open")).body.data).toMatchObject({
		locale: "en",
		answers: { dni: JUANA.dni },
	});
	expect((await showSession(made)).body.data).toMatchObject({ status: "open", referenceId: "order-1001" });
});

test("the token is stored as a hash, what the holder types is sealed, and neither is in the audit", {
	tags: ["widget-token", "widget-progress"],
}, async () => {
	const made = await typedSession({}, { prefill: { email: "juana@example.cl" } });
	const [row] = await select("SELECT * FROM onboarding_sessions WHERE id = ?", made.session);
	const audit = await select(
		"SELECT * FROM audit_events WHERE entity LIKE '%' || ? OR outcome = ?",
		made.session,
		made.session,
	);
	expect(audit.map(({ entity, actor, action }) => [entity, actor.split(":")[0], action])).toEqual([
		[`code:${made.pCode}`, "partner", "session_made"],
		[`onboarding:${made.session}`, "widget", "started"],
	]);
	const stored = Object.values(await storedIn(made.partner, made.pCode)).map((value) =>
		JSON.stringify(value, (_, part) =>
			part instanceof Uint8Array ? Buffer.from(part).toString("latin1") : part,
		),
	);
	for (const text of [JSON.stringify(row), JSON.stringify(audit), ...stored])
		for (const secret of [made.token, TYPED.dni, TYPED.email, TYPED.serialNumber])
			expect(text).not.toContain(secret);
});

describe("refusals of certificate_request that no answer of the holder can change come at once", {
	tags: ["widget-refusals"],
}, () => {
	const byVerb = (verb: string) => async (_: Partner, pCode: string) =>
		void (await ops("POST", `/pcodes/${pCode}/${verb}`, { reason: "test" }));
	const REFUSALS: [string, (partner: Partner, pCode: string) => Promise<void>, (string | number)[]][] = [
		["cancelled", byVerb("cancel"), [423, "LOCKED"]],
		["blocked", byVerb("block"), [423, "LOCKED"]],
		["issued", issue, rejection("CODE_ALREADY_USED", "pCode")],
		["past its window", async () => passTime(14 * DAY_MS), rejection("CODE_EXPIRED", "pCode")],
		["under a security lock", lock, [429, "ATTEMPT_LIMIT_REACHED"]],
	];
	test.for(REFUSALS)("a code that is %s", async ([, prepare, expected]) => {
		stopClock();
		const { partner, pCode } = await activeCode();
		await prepare(partner, pCode);
		expect(refusal(await makeSession(partner, pCode))).toEqual(expected);
		expect(await select("SELECT 1 FROM onboarding_sessions WHERE code = ?", pCode)).toEqual([]);
	});

	test("no such code, and another partner's", async () => {
		const [partner, other] = [await Partner.create(), await Partner.create()];
		for (const pCode of ["0000-1111-2222-3333", await other.code()])
			expect(refusal(await makeSession(partner, pCode))).toEqual([404, "NOT_FOUND"]);
	});

	test("while a validation runs", async () => {
		const { partner, pCode } = await activeCode();
		const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
		expect(refusal(await makeSession(partner, pCode))).toEqual(IN_PROGRESS);
		registry.release();
		expect((await running).status).toBe(200);
	});

	test("the prefilled e-mail is another RUT's; a RUT that is not the code's is no free guess", async () => {
		const { partner, pCode } = await validatedCode();
		const prefill = { dni: PEDRO.dni, email: JUANA.email };
		expect(refusal(await makeSession(partner, await partner.code(), { prefill }))).toEqual(
			rejection("EMAIL_IN_USE", "email"),
		);
		expect((await makeSession(partner, pCode, { prefill: { dni: PEDRO.dni } })).status).toBe(201);
	});

	test("B2B: claim is refused, true or false; without it the session is made", async () => {
		const { partner, pCode } = await activeCode({ mode: "B2B" });
		for (const claim of [true, false])
			expect(refusal(await makeSession(partner, pCode, { claim }))).toEqual(invalid("claim NOT_ALLOWED"));
		expect((await makeSession(partner, pCode)).status).toBe(201);
	});

	async function issue(partner: Partner, pCode: string) {
		await partner.request({ pCode, ...JUANA });
		await partner.claim(pCode);
	}
	async function lock(partner: Partner, pCode: string) {
		for (let i = 0; i < 3; i++) await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
	}
});

test("Idempotency-Key: the same session and token again; another body 422; none of it counts as an emission", {
	tags: ["widget-idempotency"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const headers = { "Idempotency-Key": "session-1" };
	const first = await makeSession(partner, pCode, {}, headers);
	const again = await makeSession(partner, pCode, {}, headers);
	expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([
		201,
		first.text,
		"true",
	]);
	expect((await makeSession(partner, pCode, { locale: "en" }, headers)).status).toBe(422);
	for (let i = 0; i < 11; i++) expect((await makeSession(partner, pCode)).status).toBe(201);
	expect((await partner.request({ pCode, ...JUANA })).headers.get("ratelimit")).toMatch(/r=9;/);
});

test.each([
	["is lost", 503, 0],
	["arrives", 201, 1],
] as const)(
	"D1 fails at the commit, which %s: what its partner said of the holder is kept of a session that was made, alone",
	async (arrival, expected, records) => {
		const { partner, pCode } = await activeCode();
		const fail = async (_: number, deliver: () => Promise<unknown>, sql: string) => {
			if (!/insert into "onboarding_sessions"/i.test(sql)) return deliver();
			if (arrival === "arrives") await deliver();
			throw new Error("D1_ERROR: Network connection lost.");
		};
		const prefill = { dni: JUANA.dni, email: JUANA.email };
		const { status } = await interceptDb(fail, () => makeSession(partner, pCode, { prefill }));
		const kept = Object.keys(await storedIn(partner, pCode)).filter((key) => key.startsWith("onboarding:"));
		expect([status, kept.length]).toEqual([expected, records]);
	},
);

test("D1 is slower than the step's lease: 503, and what its partner said of the holder is not kept", async () => {
	stopClock();
	const { partner, pCode } = await activeCode();
	let isLate = false;
	const delay = async (_: number, deliver: () => Promise<unknown>, sql: string) => {
		if (!isLate && /from "onboarding_sessions"/i.test(sql)) {
			isLate = true;
			passTime(MINUTE_MS + 1);
			await runDurableObjectAlarm(codeObject(partner, pCode));
		}
		return deliver();
	};
	const { status } = await interceptDb(delay, () =>
		makeSession(partner, pCode, { prefill: { dni: JUANA.dni } }),
	);
	const kept = Object.keys(await storedIn(partner, pCode)).filter((key) => key.startsWith("onboarding:"));
	expect([status, kept]).toEqual([503, []]);
});

test("60 a minute", async () => {
	const answers = await withinOneMinute(async () => {
		const partner = await Partner.create();
		return Promise.all(Array.from({ length: 61 }, () => makeSession(partner, "0000-1111-2222-3333")));
	});
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

describe("a session ends", { tags: ["widget-session-ends"] }, () => {
	const endedWith = async (made: Awaited<ReturnType<typeof session>>, reason: string) => {
		const answer = await frame(made, "GET");
		expect(refusal(answer)).toEqual([401, "UNAUTHORIZED", `SESSION_${reason.toUpperCase()}`]);
		for (const [method, path, body] of [
			["POST", "/open"],
			["PUT", "/answers", TYPED],
			["POST", "/submit", { pin: "4821", terms_version: "2026-11" }],
			["POST", "/claim", { pin: "4821" }],
		] as const)
			expect([path, (await frame(made, method, path, body)).status]).toEqual([path, 401]);
		expect((await showSession(made)).body.data).toMatchObject({ status: "ended", end_reason: reason });
		expect(await made.partner.status(made.pCode)).not.toBe("IN_ONBOARDING");
	};

	/** Sessions of whose holder the code's object has something. */
	const progressOf = async ({ partner, pCode }: Made) =>
		Object.keys(await storedIn(partner, pCode)).flatMap((key) => key.match(/^onboarding:(.*)/)?.[1] ?? []);

	test("by a newer one of the same code", async () => {
		const older = await typedSession();
		const newer = await sessionOf(older.partner, older.pCode);
		await endedWith(older, "replaced");
		expect(await progressOf(older)).toEqual([newer.session]);
		expect((await frame(newer, "POST", "/open")).body.data).toMatchObject({ answers: {} });
		expect(await newer.partner.status(newer.pCode)).toBe("IN_ONBOARDING");
	});

	test.each<[string, string, (made: Made) => Promise<unknown>]>([
		["its partner", "cancelled", endSession],
		["a validation by API", "superseded", ({ partner, pCode }) => partner.request({ pCode, ...JUANA })],
		[
			"the cancellation of its code",
			"code_closed",
			({ pCode }) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" }),
		],
	])("by %s, not by a validation that fails; its partner may end it again", async (_, reason, act) => {
		const made = await typedSession();
		const { partner, pCode } = made;
		await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
		expect(await partner.status(pCode)).toBe("IN_ONBOARDING");
		await act(made);
		await endedWith(made, reason);
		expect(await progressOf(made)).toEqual([]);
		const again = await endSession(made);
		expect([again.status, again.text]).toEqual([200, (await endSession(made)).text]);
		await endedWith(made, reason);
	});

	test("while another call validates its code: 406, nothing changed; one that is over says so", async () => {
		const { partner, pCode } = await activeCode();
		const over = await sessionOf(partner, pCode);
		const made = await sessionOf(partner, pCode);
		const before = await showSession(made);
		const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
		expect(refusal(await endSession(made))).toEqual(IN_PROGRESS);
		expect((await showSession(made)).text).toBe(before.text);
		expect((await endSession(over)).body.data).toMatchObject({ status: "ended", end_reason: "replaced" });
		registry.release();
		expect((await running).status).toBe(200);
	});

	test("while an answer is saved: nothing of it is kept", async () => {
		const made = await typedSession();
		const ends: unknown[] = [];
		const saved = await interceptDb(
			async (_, deliver, sql) => {
				const answer = await deliver();
				if (ends.length === 0 && /update "onboarding_sessions" set "until_at"/i.test(sql)) {
					ends.push(1);
					await endSession(made);
				}
				return answer;
			},
			() => frame(made, "PUT", "/answers", { dni: JUANA.dni, step: "email" }),
		);
		expect([refusal(saved), ends]).toEqual([[401, "UNAUTHORIZED", "SESSION_CANCELLED"], [1]]);
		expect(await progressOf(made)).toEqual([]);
	});

	test("by a validation by API whose answer D1 loses: recovery erases what was typed too", async () => {
		const made = await typedSession();
		const { partner, pCode } = made;
		const loseAnswer = async (_: number, deliver: () => Promise<unknown>, sql: string) => {
			const answer = await deliver();
			if (/update "onboarding_sessions"/i.test(sql)) throw new Error("D1_ERROR: Network connection lost.");
			return answer;
		};
		const { status } = await interceptDb(loseAnswer, () => partner.request({ pCode, ...JUANA }));
		expect([status, await progressOf(made)]).toEqual([200, []]);
	});

	test("a day after it was made, if nobody opens it; 30 minutes after its last step, if somebody does", async () => {
		stopClock();
		const [waiting, opened] = [await session(), await session()];
		passTime(DAY_MS - 1);
		await frame(opened, "POST", "/open");
		passTime(1);
		await endedWith(waiting, "expired");
		passTime(20 * MINUTE_MS);
		expect((await frame(opened, "PUT", "/answers", { dni: JUANA.dni })).status).toBe(200);
		passTime(30 * MINUTE_MS - 1);
		expect((await frame(opened, "GET")).status).toBe(200);
		expect(await opened.partner.status(opened.pCode)).toBe("IN_ONBOARDING");
		passTime(1);
		await endedWith(opened, "expired");
	});

	test("as completed, once its time is over after success", async () => {
		stopClock();
		const made = await typedSession({}, { claim: false });
		expect((await submit(made)).status).toBe(200);
		expect((await showSession(made)).body.data).toMatchObject({ status: "completed" });
		passTime(30 * MINUTE_MS);
		await endedWith(made, "completed");
	});
});
