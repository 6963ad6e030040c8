import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findDueSessions } from "../../../src/db/onboarding-sessions.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { openRegister } from "../../support/db.ts";
import { interceptDb } from "../../support/failing-db.ts";
import {
	auditOf,
	codeObject,
	codeRow,
	heldAtRegistry,
	holdRegistry,
	readable,
	select,
	storedIn,
} from "../../support/look-inside.ts";
import { withinOneMinute } from "../../support/one-minute.ts";
import { deliverMessages, holdQueue, Receiver, runCron } from "../../support/receiver.ts";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { call, freshService, JUANA, ops, PEDRO } from "../../support/service.ts";
import { readTables } from "../../support/tables.ts";
import {
	claim,
	endSession,
	frame,
	type Made,
	makeSession,
	progressOf,
	session,
	sessionOf,
	showSession,
	submit,
	TERMS,
	TYPED,
	typeAll,
	typedSession,
} from "../../support/widget.ts";

/* The frame's calls: the same use cases as by API, with all that they refuse. */

beforeAll(freshService);

test("B2C: from the session to the certificate, which can be downloaded again; what is typed lasts as long as it", {
	tags: [
		"status-in-onboarding",
		"list-en-proceso",
		"widget-progress",
		"widget-claim",
		"widget-consent",
		"widget-token",
	],
}, async () => {
	stopClock();
	const made = await session();
	const { partner, pCode } = made;
	const waitTwentyMinutes = async () => {
		passTime(20 * MINUTE_MS);
		await runDurableObjectAlarm(codeObject(partner, pCode));
	};
	expect(await partner.status(pCode)).toBe("ACTIVE");
	const opened = await frame(made, "POST", "/open");
	expect([opened.status, opened.body]).toEqual([
		200,
		{
			success: true,
			data: {
				session_id: made.session,
				p_code: pCode,
				locale: "es",
				status: "open",
				begins: true,
				steps: ["rut", "card", "email", "pin", "review"],
				step: "rut",
				answers: {},
				sign_on: "none",
				attempts: { left: 3, locked_until: null, closed: false },
				claim: true,
				mode: "B2C",
				expires_at: expect.any(String),
				partner: { name: "Partner under test", accent: null, logo: null },
				terms: { version: TERMS, terms_url: expect.any(String), privacy_url: expect.any(String) },
			},
		},
	]);
	expect(await partner.status(pCode)).toBe("IN_ONBOARDING");
	expect((await partner.listed(pCode)).status).toBe("en_proceso");

	const saved = await frame(made, "PUT", "/answers", { ...TYPED, dni: "11.111.111-1", step: "email" });
	expect(saved.body.data).toMatchObject({ answers: TYPED, step: "email" });
	expect((await frame(made, "GET")).body).toEqual(saved.body);
	const kept = readable([await storedIn(partner, pCode), await readTables()]);
	for (const secret of [made.token, ...Object.values(TYPED)]) expect(kept).not.toContain(secret);
	await waitTwentyMinutes();
	expect((await frame(made, "POST", "/open")).body.data.begins).toBe(false);
	await waitTwentyMinutes();

	const validated = await submit(made);
	expect([validated.status, validated.body.data.status]).toEqual([200, "validated"]);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	const byApi = await partner.code();
	await partner.request({ pCode: byApi, ...JUANA });
	const consent = "SELECT code, terms_version, terms_accepted_at FROM holders WHERE partner_id = ?";
	const accepted = (await select(consent, partner.id)).map((row) => [row.code, row]);
	expect(Object.fromEntries(accepted)).toMatchObject({
		[pCode]: { terms_version: TERMS, terms_accepted_at: Date.now() },
		[byApi]: { terms_version: null, terms_accepted_at: null },
	});
	await waitTwentyMinutes();
	const first = await claim(made);
	await waitTwentyMinutes();
	const again = await claim(made);
	expect([first.status, again.text]).toEqual([200, first.text]);
	await waitTwentyMinutes();
	expect(first.body.data).toMatchObject({ file_name: `certificado-${JUANA.dni}.pfx` });
	expect(await partner.status(pCode)).toBe("EMITTED");
	const done = await frame(made, "GET");
	expect(done.body.data).toMatchObject({
		status: "emitted",
		certificate: { serialNumber: first.body.data.serialNumber },
	});
	const validated_at = new Date(Date.now() - 60 * MINUTE_MS).toISOString();
	const completed = { status: "completed", end_reason: null, validated_at };
	expect((await showSession(made)).body.data).toMatchObject(completed);
	expect(await auditOf(pCode)).toEqual([`session_made ${made.session}`, "validated ok", "emitted ok"]);
	const actors = "SELECT actor FROM audit_events WHERE entity = ? ORDER BY version";
	const frames = { actor: `widget:${made.session}` };
	const [maker, ...others] = await select(actors, `code:${pCode}`);
	expect([maker!.actor.split(":")[0], ...others]).toEqual(["partner", frames, frames]);
	expect(await select(actors, `onboarding:${made.session}`)).toEqual([frames]);
});

test("B2B: the submission issues and delivers; there is no claim, and the session ends as completed", {
	tags: ["widget-claim", "widget-session-ends"],
}, async () => {
	const made = await typedSession({ mode: "B2B" });
	const withClaim = await makeSession(made.partner, made.pCode, { claim: true });
	expect(refusal(withClaim)).toEqual(invalid("claim NOT_ALLOWED"));
	const emitted = await submit(made);
	expect(emitted).toMatchObject({ status: 200, body: { data: { status: "emitted", claim: false } } });
	const delivery = { status: "waiting_for_address", next_attempt_at: null };
	await vi.waitUntil(async () => (await frame(made, "GET")).body.data.delivery.status === delivery.status);
	expect((await frame(made, "GET")).body.data.delivery).toEqual(delivery);
	expect(await made.partner.status(made.pCode)).toBe("EMITTED");
	expect((await claim(made)).status).toBe(404);
	expect((await showSession(made)).body.data.status).toBe("completed");
	passTime(30 * MINUTE_MS);
	expect(refusal(await frame(made, "GET"))).toEqual([401, "UNAUTHORIZED", "SESSION_COMPLETED"]);
	expect((await showSession(made)).body.data).toMatchObject({ status: "ended", end_reason: "completed" });
});

test("answers are read as by certificate_request, kept canonical, and cleared by null; a submission names what is missing, and each session makes four a minute", {
	tags: ["widget-same-use-cases", "widget-submits-given-back"],
}, async () => {
	await withinOneMinute(async () => {
		const made = await session();
		await frame(made, "POST", "/open");
		const put = (typed: object) => frame(made, "PUT", "/answers", typed);
		expect(refusal(await put({ dni: "11111111-2", email: "no", phone: "912345678", more: 1 }))).toEqual(
			invalid("dni INVALID_VALUE", "phone INVALID_VALUE", "email INVALID_VALUE", "more UNKNOWN_FIELD"),
		);
		expect((await put({ fechaVencimiento: "20-05-2031", mLastname: "Soto" })).body.data.answers).toEqual({
			fechaVencimiento: "2031-05-20",
			mLastname: "Soto",
		});
		expect((await put({ mLastname: null, fechaVencimiento: "" })).body.data.answers).toEqual({});
		expect(refusal(await put({ step: "nowhere" }))).toEqual(invalid("step INVALID_VALUE"));

		const ofBefore = await submit(made, { terms_version: "1999-01" });
		expect(refusal(ofBefore)).toEqual(invalid("terms_version INVALID_VALUE"));
		expect(refusal(await submit(made))).toEqual(invalid("dni REQUIRED", "email REQUIRED"));
		await put({ dni: JUANA.dni, email: JUANA.email });
		for (let i = 0; i < 3; i++)
			expect(refusal(await submit(made))).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
		expect(refusal(await submit(made))).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
		const another = await sessionOf(made.partner, await made.partner.code());
		expect(refusal(await submit(another))).toEqual(invalid("dni REQUIRED", "email REQUIRED"));
		expect((await codeRow(made.pCode)).validation_failures).toBe(0);
		const request = await made.partner.request({ pCode: made.pCode, ...JUANA });
		expect(request.headers.get("ratelimit")).toMatch(/r=9;/);
	});
});

test("a step sets an alarm that never rang for at once: one in the past counts as none", async () => {
	const made = await session();
	const { partner, pCode } = made;
	const alarmOf = () =>
		runInDurableObject(codeObject(partner, pCode), (_, { storage }) => storage.getAlarm());
	await frame(made, "POST", "/open");
	const ofLease = await alarmOf();
	passTime(5 * MINUTE_MS);
	await frame(made, "PUT", "/answers", { phone: "+56912345678" });
	expect([ofLease, await alarmOf()]).toEqual([expect.any(Number), Date.now()]);
});

test("calls at once: steps lose nothing of each other, and there is one start, one validation and one certificate", {
	tags: ["widget-same-use-cases"],
}, async () => {
	stopClock();
	const made = await session();
	await Promise.all(
		Object.entries(TYPED).map(([name, value]) => frame(made, "PUT", "/answers", { [name]: value })),
	);
	expect((await frame(made, "GET")).body.data.answers).toEqual(TYPED);
	const started = "SELECT count(*) AS n FROM audit_events WHERE entity = ?";
	expect(await select(started, `onboarding:${made.session}`)).toEqual([{ n: 1 }]);
	const { registry, running } = await heldAtRegistry(() => submit(made));
	expect(refusal(await submit(made))).toEqual([406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"]);
	registry.release();
	const validated = await running;
	expect([validated.status, (await submit(made)).text]).toEqual([200, validated.text]);
	const claims = await Promise.all([claim(made), claim(made)]);
	const again = await claim(made);
	expect(again.status).toBe(200);
	for (const { status, text } of claims)
		expect(status === 200 ? text : status).toBe(status === 200 ? again.text : 409);
	expect(await auditOf(made.pCode)).toEqual([`session_made ${made.session}`, "validated ok", "emitted ok"]);
});

describe("a submission is refused as certificate_request is", { tags: ["widget-same-use-cases"] }, () => {
	beforeEach(() => {
		stopClock();
		// The limit's minute is by the real clock.
		vi.spyOn(Object.getPrototypeOf(env.SUBMIT_RATE), "limit").mockResolvedValue({ success: true });
	});

	test("each wrong card spends an attempt and a place of the partner's rate; what is refused before the registry is asked spends neither", {
		tags: ["widget-submits-given-back", "widget-idempotency"],
	}, async () => {
		const made = await session();
		const { partner } = made;
		const bound = await partner.code();
		await partner.request({ pCode: await partner.code(), ...JUANA });
		await partner.request({ pCode: bound, ...PEDRO });
		const [taken, rebound] = [
			await sessionOf(partner, await partner.code()),
			await sessionOf(partner, bound),
		];
		await typeAll(taken, { dni: PEDRO.dni, serialNumber: PEDRO.serialNumber, email: JUANA.email });
		await typeAll(rebound);
		/** Places of the partner's rate that are left; the question takes one. */
		const remaining = async () =>
			Number(/r=(\d)/.exec((await partner.request({})).headers.get("ratelimit")!)![1]);
		const state = async () => (await frame(made, "GET")).body.data.attempts;
		expect(await remaining()).toBe(7);
		expect(refusal(await submit(taken))).toEqual(rejection("EMAIL_IN_USE", "email"));
		expect(refusal(await submit(rebound))).toEqual(rejection("RUT_MISMATCH", "dni"));
		expect(await remaining()).toBe(6);

		await typeAll(made, { dni: "10000005-9", serialNumber: "100000005", email: "iris@example.cl" });
		expect(refusal(await submit(made))).toEqual([503, "REGISTRY_UNAVAILABLE"]);
		expect(await partner.status(made.pCode)).toBe("IN_ONBOARDING");
		await typeAll(made, { ...TYPED, serialNumber: "999999999" });
		expect(await state()).toEqual({ left: 3, locked_until: null, closed: false });
		const locked_until = new Date(Date.now() + 30 * MINUTE_MS).toISOString();
		for (const after of [
			{ left: 2, locked_until: null, closed: false },
			{ left: 1, locked_until: null, closed: false },
			{ left: 0, locked_until, closed: false },
		]) {
			expect(refusal(await submit(made))).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
			expect(await state()).toEqual(after);
		}
		const locked = await submit(made);
		expect([refusal(locked), locked.headers.get("retry-after")]).toEqual([
			[429, "ATTEMPT_LIMIT_REACHED"],
			"1800",
		]);
		expect(await partner.status(made.pCode)).toBe("LOCKED");

		expect([await remaining(), await remaining()]).toEqual([1, 0]);
		const over = await submit(taken);
		expect(refusal(over)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
		expect(Number(over.headers.get("retry-after"))).toBeLessThanOrEqual(60);

		passTime(20 * MINUTE_MS);
		await frame(made, "PUT", "/answers", { serialNumber: JUANA.serialNumber });
		passTime(10 * MINUTE_MS);
		expect((await submit(made)).status).toBe(200);
		expect(await auditOf(made.pCode)).toContain("validated ok");
	});

	test("the tenth refusal before the registry is asked within an hour ends the session, whose place and time are the partner's own again", {
		tags: ["widget-submits-given-back"],
	}, async () => {
		const made = await session();
		await frame(made, "POST", "/open");
		const refuse = async (times: number) => {
			for (let i = 0; i < times; i++)
				expect(refusal(await submit(made))).toEqual(invalid("dni REQUIRED", "email REQUIRED"));
		};
		await refuse(1);
		for (let i = 0; i < 3; i++) {
			passTime(20 * MINUTE_MS);
			await refuse(2);
		}
		// The first is over; two, two and two are of the last hour.
		await refuse(3);
		const ended = [401, "UNAUTHORIZED", "TOO_MANY_SUBMITS"];
		expect(refusal(await submit(made))).toEqual(ended);
		expect(refusal(await submit(made))).toEqual(ended);
		expect((await showSession(made)).body.data).toMatchObject({
			status: "ended",
			end_reason: "too_many_submits",
		});
		expect(await made.partner.status(made.pCode)).toBe("ACTIVE");
		expect((await made.partner.request({ pCode: made.pCode, ...JUANA })).headers.get("ratelimit")).toMatch(
			/r=9;/,
		);
	});
});

test("the certificate is behind its PIN: a wrong one counts for the code before the issue, for the session after it", {
	tags: ["widget-claim"],
}, async () => {
	const made = await typedSession();
	await submit(made);
	const refuse = async (...pins: string[]) => {
		for (const pin of pins)
			expect(refusal(await claim(made, pin))).toEqual([406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"]);
	};
	const state = async () => (await frame(made, "GET")).body.data.attempts;
	expect(await state()).toEqual({ left: 5, locked_until: null, closed: false });
	// A wrong PIN that is repeated is no attempt, and says what is left now.
	for (const [pin, left] of [
		["0000", 4],
		["0001", 3],
		["0000", 3],
	] as const) {
		await refuse(pin);
		expect(await state()).toEqual({ left, locked_until: null, closed: false });
	}
	expect((await codeRow(made.pCode)).claim_failures).toBe(2);

	const issued = await claim(made);
	await refuse("0002");
	// The right PIN clears the count.
	expect((await claim(made)).text).toBe(issued.text);
	await refuse("0003", "0004", "0005", "0006");
	await frame(made, "PUT", "/answers", { step: "pin" });
	await refuse("0007");
	for (const pin of ["0008", JUANA.pin]) expect((await claim(made, pin)).status).toBe(201);
});

/** Runs `act`, a call of a session, and `meanwhile` once that has entered the session. */
async function onceEntered<T>(meanwhile: () => Promise<unknown>, act: () => Promise<T>): Promise<T> {
	let entered = false;
	const answer = await interceptDb(async (_, deliver, sql) => {
		const isEntry = !entered && /update "onboarding_sessions" set "until_at"/i.test(sql);
		entered ||= isEntry;
		const rows = await deliver();
		if (isEntry) await meanwhile();
		return rows;
	}, act);
	expect(entered).toBe(true);
	return answer;
}

test("a call whose session ends between its first look and its own change changes nothing", {
	tags: ["widget-session-ends"],
}, async () => {
	const cancelled = await typedSession();
	const saved = await onceEntered(
		() => endSession(cancelled),
		() => frame(cancelled, "PUT", "/answers", { dni: JUANA.dni, step: "email" }),
	);
	expect(refusal(saved)).toEqual([401, "UNAUTHORIZED", "SESSION_CANCELLED"]);
	expect(await progressOf(cancelled)).toEqual([]);

	const made = await typedSession();
	const newer: Made[] = [];
	const submitted = await onceEntered(
		async () => newer.push(await sessionOf(made.partner, made.pCode)),
		() => submit(made),
	);
	for (const answer of [submitted, await submit(made)])
		expect(refusal(answer)).toEqual([401, "UNAUTHORIZED", "SESSION_REPLACED"]);
	expect((await codeRow(made.pCode)).validation_failures).toBe(0);
	expect((await frame(newer[0]!, "POST", "/open")).body.data.answers).toEqual({});
	await typeAll(newer[0]!);
	expect((await submit(newer[0]!)).status).toBe(200);
});

test("a submission whose session its partner was ending as it took the lease commits nothing", {
	tags: ["widget-session-ends"],
}, async () => {
	const made = await typedSession();
	const registry = holdRegistry();
	const ending = Promise.withResolvers<void>();
	const ends: Promise<unknown>[] = [];
	const holdEnd = async (_: number, deliver: () => Promise<unknown>, sql: string) => {
		if (!/set "ended_at"/i.test(sql)) return deliver();
		ending.resolve();
		await vi.waitUntil(registry.isAsked);
		return deliver().finally(registry.release);
	};
	const submitted = await onceEntered(
		() => {
			ends.push(interceptDb(holdEnd, () => endSession(made)));
			return ending.promise;
		},
		() => submit(made),
	);
	await Promise.all(ends);
	expect(refusal(submitted)).toEqual([503, "SERVICE_UNAVAILABLE"]);
	expect((await codeRow(made.pCode)).validated_at).toBeNull();
	expect(refusal(await submit(made))).toEqual([401, "UNAUTHORIZED", "SESSION_CANCELLED"]);
});

describe("the caller of a frame's call", () => {
	test("401, one and the same, without the session's own token: none, another session's, one that never was", {
		tags: ["widget-token"],
	}, async () => {
		const [made, other] = [await session(), await session()];
		const answers = [
			await frame({ ...made, token: other.token }, "POST", "/open"),
			await frame({ ...made, token: "" }, "POST", "/open"),
			await frame({ ...made, token: made.token.slice(0, -1) }, "POST", "/open"),
			await frame({ ...other, session: `os_${"0".repeat(32)}` }, "POST", "/open"),
			await frame({ ...made, session: "nonsense" }, "POST", "/open"),
			await frame({ ...made, token: made.partner.key }, "POST", "/open"),
			await call("POST", `/widget/v1/sessions/${made.session}/open?token=${made.token}`),
			await frame(made, "POST", "/open", undefined, { origin: "http://localhost:8443" }),
		];
		for (const { status, text } of answers) expect([status, text]).toEqual([401, answers[0]!.text]);
		expect(await made.partner.status(made.pCode)).toBe("ACTIVE");
		const own = { origin: new URL(env.PUBLIC_URL).origin };
		expect((await frame(made, "POST", "/open", undefined, own)).status).toBe(200);
	});

	test("a suspended partner's session answers 401, and lives no longer for being asked", async () => {
		const made = await session();
		await frame(made, "POST", "/open");
		const until = () => select("SELECT until_at FROM onboarding_sessions WHERE id = ?", made.session);
		const before = await until();
		await made.partner.change({ suspended: true });
		for (const path of ["/open", "/submit"]) {
			const { status, body } = await frame(made, "POST", path, { pin: "4821", terms_version: TERMS });
			expect([status, body.message]).toEqual([401, expect.stringMatching(/^Esta sesión no existe/)]);
		}
		expect(await until()).toEqual(before);
	});
});

describe("webhooks", { tags: ["widget-events"] }, () => {
	beforeEach(freshService);
	const HOOK = {
		webhook_url: "https://partner.example/hook",
		webhook_events: ["onboarding.completed", "onboarding.expired"],
	};

	const EXPIRED = [401, "UNAUTHORIZED", "SESSION_EXPIRED"];

	/** Webhooks that the partner got, once everything due was delivered. */
	async function received() {
		const receiver = new Receiver();
		const due = await select(
			"SELECT id FROM outbox WHERE delivered_at IS NULL AND event LIKE 'onboarding.%' ORDER BY created_at",
		);
		await deliverMessages(...due.map(({ id }) => id as string));
		return receiver.bodies.map(({ type, data }) => ({ type, ...data }));
	}

	test("onboarding.completed: once, when the holder has the certificate; at the validation where the partner claims by API", async () => {
		const queue = holdQueue();
		const made = await session(HOOK);
		const mine = await sessionOf(made.partner, await made.partner.code(), {
			claim: false,
			referenceId: "order-2",
		});
		await typeAll(made);
		await submit(made);
		expect(await received()).toEqual([]);
		await claim(made);
		await claim(made);
		await typeAll(mine);
		await submit(mine);
		expect((await showSession(mine)).body.data.status).toBe("completed");
		expect((await claim(mine)).status).toBe(404);
		expect((await mine.partner.claim(mine.pCode)).status).toBe(200);
		expect(refusal(await frame(mine, "GET"))).toEqual([401, "UNAUTHORIZED", "SESSION_SUPERSEDED"]);
		const about = (of: typeof made, referenceId: string, status: string) => ({
			type: "onboarding.completed",
			p_code: of.pCode,
			referenceId,
			session_id: of.session,
			status,
		});
		await vi.waitUntil(() => queue.length === 2);
		expect(await received()).toEqual([
			about(made, "order-1001", "EMITTED"),
			about(mine, "order-2", "VALIDATED"),
		]);
	});

	test("onboarding.expired: by the cron of the minute, once; it ends all that are due, and a day after an end nothing is left", {
		tags: ["widget-session-ends"],
	}, async () => {
		holdQueue();
		stopClock();
		const [made, replaced, cancelled] = [await session(HOOK), await session(HOOK), await session(HOOK)];
		await sessionOf(replaced.partner, replaced.pCode);
		await endSession(cancelled);
		await frame(made, "POST", "/open");
		const unopened: Made[] = [];
		// A run of the cron ends ten at once.
		for (const code of (await made.partner.bulk(12)).body.data.pcodes)
			unopened.push(await sessionOf(made.partner, code));
		passTime(30 * MINUTE_MS - 1);
		await runCron();
		expect((await frame(made, "GET")).body.data.status).toBe("open");
		expect(await made.partner.status(made.pCode)).toBe("IN_ONBOARDING");
		passTime(1);
		expect(refusal(await frame(made, "GET"))).toEqual(EXPIRED);
		expect(await made.partner.status(made.pCode)).toBe("ACTIVE");
		await runCron();
		await runCron();
		expect(await received()).toEqual([
			{ type: "onboarding.expired", p_code: made.pCode, referenceId: "order-1001", session_id: made.session },
		]);
		const entries = "SELECT action, outcome FROM audit_events WHERE entity = ? ORDER BY version";
		expect(await select(entries, `onboarding:${made.session}`)).toEqual([
			{ action: "started", outcome: made.pCode },
			{ action: "ended", outcome: "expired" },
		]);
		expect((await codeRow(made.pCode)).onboarding_until).toBeNull();

		const erase = async () =>
			(await ops("POST", "/upkeep/forget-onboarding-sessions", {})).body.data.report.sessions;
		passTime(DAY_MS - 30 * MINUTE_MS - 1);
		expect(await erase()).toBe(0);
		expect((await frame(unopened.pop()!, "POST", "/open")).status).toBe(200);
		passTime(1);
		expect(refusal(await frame(unopened.pop()!, "POST", "/open"))).toEqual(EXPIRED);
		expect(await erase()).toBe(2);
		expect((await showSession(cancelled)).status).toBe(404);
		// A session that cannot be ended does not stand before the others.
		const found = new Set<string>();
		for (let i = 0; i < 64; i++)
			for (const { session } of await findDueSessions(openRegister(), Date.now(), 1, null))
				found.add(session);
		expect(found.size).toBeGreaterThan(1);
		await runCron();
		expect(await select("SELECT until_at FROM onboarding_sessions WHERE ended_at IS NULL")).toEqual([
			{ until_at: Date.now() - 1 + 30 * MINUTE_MS },
		]);
	});
});

test("settings that change meanwhile: the steps and what is sent follow them", async () => {
	const made = await session();
	await typeAll(made, { ...TYPED, names: "Juana", fLastname: "Pérez", phone: "+56912345678" });
	expect((await submit(made)).status).toBe(200);
	await made.partner.change({ validate_vencimiento: 1 });
	const next = await sessionOf(made.partner, made.pCode);
	await typeAll(next);
	expect((await frame(next, "GET")).body.data.steps).toContain("expiry");
	expect(refusal(await submit(next))).toEqual(rejection("EXPIRATION_DATE_REQUIRED", "fechaVencimiento"));
	expect((await frame(next, "PUT", "/answers", { step: "expiry" })).body.data.step).toBe("expiry");
	await made.partner.change({ validate_vencimiento: 0 });
	expect((await frame(next, "GET")).body.data.step).toBe("rut");
});
