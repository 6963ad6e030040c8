import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findDueSessions } from "../../../src/db/onboarding-sessions.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { openRegister } from "../../support/db.ts";
import { interceptDb } from "../../support/failing-db.ts";
import {
	auditOf,
	codeObject,
	codeRow,
	heldAtRegistry,
	holdRegistry,
	select,
} from "../../support/look-inside.ts";
import { withinOneMinute } from "../../support/one-minute.ts";
import { deliverMessages, holdQueue, Receiver, runCron } from "../../support/receiver.ts";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { call, freshService, JUANA, ops, PEDRO } from "../../support/service.ts";
import {
	claim,
	endSession,
	frame,
	type Made,
	makeSession,
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

test("B2C: from the session to the certificate, which can be downloaded again", {
	tags: ["status-in-onboarding", "list-en-proceso", "widget-progress", "widget-claim"],
}, async () => {
	const made = await session();
	const { partner, pCode } = made;
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
	expect((await frame(made, "POST", "/open")).body.data.begins).toBe(false);
	expect(await partner.status(pCode)).toBe("IN_ONBOARDING");
	expect((await partner.listed(pCode)).status).toBe("en_proceso");

	const saved = await frame(made, "PUT", "/answers", { ...TYPED, dni: "11.111.111-1", step: "email" });
	expect(saved.body.data).toMatchObject({ answers: TYPED, step: "email" });
	expect((await frame(made, "GET")).body).toEqual(saved.body);

	const validated = await submit(made);
	expect([validated.status, validated.body.data.status]).toEqual([200, "validated"]);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	const [first, again] = [await claim(made), await claim(made)];
	expect([first.status, again.text]).toEqual([200, first.text]);
	expect(first.body.data).toMatchObject({ file_name: `certificado-${JUANA.dni}.pfx` });
	expect(await partner.status(pCode)).toBe("EMITTED");
	const done = await frame(made, "GET");
	expect(done.body.data).toMatchObject({
		status: "emitted",
		certificate: { serialNumber: first.body.data.serialNumber },
	});
	expect((await showSession(made)).body.data).toMatchObject({ status: "completed", end_reason: null });
	expect(await auditOf(pCode)).toEqual([`session_made ${made.session}`, "validated ok", "emitted ok"]);
	const actor = "SELECT actor FROM audit_events WHERE entity = ? AND action = 'validated'";
	expect(await select(actor, `code:${pCode}`)).toEqual([{ actor: `widget:${made.session}` }]);
});

test("B2B: the submission issues and delivers; there is no claim", { tags: ["widget-claim"] }, async () => {
	const made = await typedSession({ mode: "B2B" });
	const emitted = await submit(made);
	expect(emitted).toMatchObject({ status: 200, body: { data: { status: "emitted", claim: false } } });
	const delivery = { status: "waiting_for_address", next_attempt_at: null };
	await vi.waitUntil(async () => (await frame(made, "GET")).body.data.delivery.status === delivery.status);
	expect((await frame(made, "GET")).body.data.delivery).toEqual(delivery);
	expect(await made.partner.status(made.pCode)).toBe("EMITTED");
	expect((await claim(made)).status).toBe(404);
	expect((await showSession(made)).body.data.status).toBe("completed");
});

test("claim: false: the partner claims by API with the RUT and the PIN of the holder; the session ends", async () => {
	const made = await typedSession({}, { claim: false });
	await submit(made);
	expect((await claim(made)).status).toBe(404);
	expect((await made.partner.claim(made.pCode)).status).toBe(200);
	expect(refusal(await frame(made, "GET"))).toEqual([401, "UNAUTHORIZED", "SESSION_SUPERSEDED"]);
});

test("the terms and their version are recorded with the validation; by API there are none", {
	tags: ["widget-consent"],
}, async () => {
	stopClock();
	const made = await typedSession();
	expect(refusal(await submit(made, { terms_version: "1999-01" }))).toEqual(
		invalid("terms_version INVALID_VALUE"),
	);
	await submit(made);
	const consent = "SELECT terms_version, terms_accepted_at FROM holders WHERE code = ?";
	expect(await select(consent, made.pCode)).toEqual([
		{ terms_version: TERMS, terms_accepted_at: Date.now() },
	]);
	const pCode = await made.partner.code();
	await made.partner.request({ pCode, ...JUANA });
	expect(await select(consent, pCode)).toEqual([{ terms_version: null, terms_accepted_at: null }]);
});

test("answers are read as by certificate_request, kept canonical, and cleared by null", async () => {
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

test("concurrent steps lose nothing of each other", async () => {
	const made = await session();
	await Promise.all(
		Object.entries(TYPED).map(([name, value]) => frame(made, "PUT", "/answers", { [name]: value })),
	);
	expect((await frame(made, "GET")).body.data.answers).toEqual(TYPED);
	const started = "SELECT count(*) AS n FROM audit_events WHERE entity = ?";
	expect(await select(started, `onboarding:${made.session}`)).toEqual([{ n: 1 }]);
});

describe("a submission is refused as certificate_request is", { tags: ["widget-same-use-cases"] }, () => {
	test("missing fields are named", async () => {
		const made = await session();
		await frame(made, "POST", "/open");
		expect(refusal(await submit(made))).toEqual(invalid("dni REQUIRED", "email REQUIRED"));
		await frame(made, "PUT", "/answers", { dni: JUANA.dni, email: JUANA.email });
		expect(refusal(await submit(made))).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
		expect((await codeRow(made.pCode)).validation_failures).toBe(0);
	});

	test("each wrong card spends an attempt; the third locks, and the session goes on after the lock", async () => {
		stopClock();
		// The limit's minute is by the real clock.
		vi.spyOn(Object.getPrototypeOf(env.SUBMIT_RATE), "limit").mockResolvedValue({ success: true });
		const made = await session();
		await typeAll(made, { ...TYPED, serialNumber: "999999999" });
		const state = async () => (await frame(made, "GET")).body.data.attempts;
		expect(await state()).toEqual({ left: 3, locked_until: null, closed: false });
		const locked_until = new Date(Date.now() + 30 * MINUTE_MS).toISOString();
		for (const after of [
			{ left: 2, locked_until: null, closed: false },
			{ left: 1, locked_until: null, closed: false },
			{ left: 0, locked_until, closed: false },
		]) {
			const refused = await submit(made);
			expect(refusal(refused)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
			expect(await state()).toEqual(after);
		}
		const locked = await submit(made);
		expect([refusal(locked), locked.headers.get("retry-after")]).toEqual([
			[429, "ATTEMPT_LIMIT_REACHED"],
			"1800",
		]);
		expect(await made.partner.status(made.pCode)).toBe("LOCKED");
		passTime(20 * MINUTE_MS);
		await frame(made, "PUT", "/answers", { serialNumber: JUANA.serialNumber });
		passTime(10 * MINUTE_MS);
		expect((await submit(made)).status).toBe(200);
		expect(await auditOf(made.pCode)).toContain("validated ok");
	});

	test("the registry is away: nothing is spent, and the session goes on", async () => {
		const made = await session();
		await typeAll(made, { dni: "10000005-9", serialNumber: "100000005", email: "iris@example.cl" });
		expect(refusal(await submit(made))).toEqual([503, "REGISTRY_UNAVAILABLE"]);
		expect(await made.partner.status(made.pCode)).toBe("IN_ONBOARDING");
	});

	test("it counts as an emission of its partner, unless something is missing; a session makes four a minute", {
		tags: ["widget-idempotency"],
	}, async () => {
		await withinOneMinute(async () => {
			const made = await session();
			await frame(made, "POST", "/open");
			await frame(made, "PUT", "/answers", { dni: JUANA.dni, email: JUANA.email });
			for (let i = 0; i < 4; i++) expect((await submit(made)).status).toBe(406);
			expect(refusal(await submit(made))).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
			const whole = await sessionOf(made.partner, await made.partner.code());
			await typeAll(whole);
			expect((await submit(whole)).status).toBe(200);
			const request = await made.partner.request({ pCode: made.pCode, ...JUANA });
			expect(request.headers.get("ratelimit")).toMatch(/r=8;/);
			for (let i = 0; i < 8; i++) await made.partner.request({ pCode: made.pCode, ...JUANA });
			const over = await submit(await sessionOf(made.partner, await made.partner.code()));
			expect(refusal(over)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
			expect(Number(over.headers.get("retry-after"))).toBeLessThanOrEqual(60);
		});
	});

	test("a submission that is refused before the registry is asked takes no place of the partner's rate; one for which it is asked does", {
		tags: ["widget-submits-given-back"],
	}, async () => {
		stopClock();
		// The limit's minute is by the real clock.
		vi.spyOn(Object.getPrototypeOf(env.SUBMIT_RATE), "limit").mockResolvedValue({ success: true });
		const made = await session();
		const { partner } = made;
		await partner.request({ pCode: await partner.code(), ...JUANA });
		const others = { dni: PEDRO.dni, serialNumber: PEDRO.serialNumber, email: JUANA.email };
		const [locked, bound] = [await sessionOf(partner, await partner.code()), await partner.code()];
		await partner.request({ pCode: bound, ...PEDRO });
		const rebound = await sessionOf(partner, bound);
		await typeAll(made, others);
		await typeAll(rebound);
		await typeAll(locked, { ...TYPED, serialNumber: "999999999" });
		const remaining = async () =>
			Number(/r=(\d)/.exec((await partner.request({})).headers.get("ratelimit")!)![1]);
		// Two requests before, and this one.
		expect(await remaining()).toBe(7);
		expect(refusal(await submit(made))).toEqual(rejection("EMAIL_IN_USE", "email"));
		expect(refusal(await submit(rebound))).toEqual(rejection("RUT_MISMATCH", "dni"));
		expect(await remaining()).toBe(6);
		for (let i = 0; i < 3; i++)
			expect(refusal(await submit(locked))).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
		expect(refusal(await submit(locked))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
		expect(await remaining()).toBe(2);
	});

	test("the tenth of these in an hour ends the session, whose place and time are the partner's own again", {
		tags: ["widget-submits-given-back"],
	}, async () => {
		stopClock();
		vi.spyOn(Object.getPrototypeOf(env.SUBMIT_RATE), "limit").mockResolvedValue({ success: true });
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

	test("twice at once: one validation; after it a repeated submission answers the same", async () => {
		stopClock();
		const made = await typedSession();
		const { registry, running: first } = await heldAtRegistry(() => submit(made));
		expect(refusal(await submit(made))).toEqual([406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"]);
		registry.release();
		const { status, text } = await first;
		expect([status, (await submit(made)).text]).toEqual([200, text]);
		expect(await auditOf(made.pCode)).toEqual([`session_made ${made.session}`, "validated ok"]);
	});
});

test("the claim: a wrong PIN counts and locks claims; the right one answers alike until the session ends", {
	tags: ["widget-claim"],
}, async () => {
	const made = await typedSession();
	await submit(made);
	const left = (n: number) => ({ left: n, locked_until: null, closed: n === 0 });
	const state = async () => (await frame(made, "GET")).body.data.attempts;
	expect(await state()).toEqual(left(5));
	// A wrong PIN that is repeated is no attempt, and says what is left now.
	for (const [pin, n] of [
		["0000", 4],
		["0001", 3],
		["0000", 3],
	] as const) {
		const wrong = await claim(made, pin);
		expect(refusal(wrong)).toEqual([406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"]);
		expect(await state()).toEqual(left(n));
	}
	expect((await codeRow(made.pCode)).claim_failures).toBe(2);
	const [first, second] = await Promise.all([claim(made), claim(made)]);
	const again = await claim(made);
	expect(again.status).toBe(200);
	for (const { status, text } of [first, second])
		expect(status === 200 ? text : status).toBe(status === 200 ? again.text : 409);
});

test("answers last as long as the session, which steps without a change prolong too", {
	tags: ["widget-progress"],
}, async () => {
	stopClock();
	const made = await typedSession();
	const pass = async (minutes: number) => {
		passTime(minutes * MINUTE_MS);
		await runDurableObjectAlarm(codeObject(made.partner, made.pCode));
	};
	await pass(20);
	await frame(made, "POST", "/open");
	await pass(20);
	expect((await frame(made, "GET")).body.data.answers).toEqual(TYPED);
	expect((await submit(made)).status).toBe(200);
	for (let i = 0; i < 3; i++) {
		await pass(20);
		expect((await claim(made)).status).toBe(200);
	}
});

test("a submission whose session was replaced between its first look and its lease commits nothing", {
	tags: ["widget-session-ends"],
}, async () => {
	const made = await typedSession();
	const newer: Made[] = [];
	const submitted = await interceptDb(
		async (_, deliver, sql) => {
			const answer = await deliver();
			if (newer.length === 0 && /update "onboarding_sessions" set "until_at"/i.test(sql))
				newer.push(await sessionOf(made.partner, made.pCode));
			return answer;
		},
		() => submit(made),
	);
	expect([newer.length, refusal(submitted)]).toEqual([1, [401, "UNAUTHORIZED", "SESSION_REPLACED"]]);
	expect((await codeRow(made.pCode)).validation_failures).toBe(0);
	expect(refusal(await submit(made))).toEqual([401, "UNAUTHORIZED", "SESSION_REPLACED"]);
	await typeAll(newer[0]!);
	expect((await submit(newer[0]!)).status).toBe(200);
});

test("a submission whose session its partner was ending as it took the lease commits nothing", {
	tags: ["widget-session-ends"],
}, async () => {
	const made = await typedSession();
	const registry = holdRegistry();
	const ends: Promise<unknown>[] = [];
	const underway = { is: false };
	const submitted = await interceptDb(
		async (_, deliver, sql) => {
			if (/set "ended_at"/i.test(sql)) {
				underway.is = true;
				await vi.waitUntil(registry.isAsked);
				return deliver().finally(registry.release);
			}
			const answer = await deliver();
			if (ends.length === 0 && /update "onboarding_sessions" set "until_at"/i.test(sql)) {
				ends.push(endSession(made));
				await vi.waitUntil(() => underway.is);
			}
			return answer;
		},
		() => submit(made),
	);
	await Promise.all(ends);
	expect(refusal(submitted)).toEqual([503, "SERVICE_UNAVAILABLE"]);
	expect((await codeRow(made.pCode)).validated_at).toBeNull();
	expect(refusal(await submit(made))).toEqual([401, "UNAUTHORIZED", "SESSION_CANCELLED"]);
});

test("an issued certificate is behind its PIN: five wrong ones, and the session hands it out no more", async () => {
	const made = await typedSession();
	await submit(made);
	const issued = await claim(made);
	const wrong = async (pins: string[]) => {
		for (const pin of pins)
			expect(refusal(await claim(made, pin))).toEqual([406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"]);
	};
	await wrong(["0001", "0002", "0003", "0004"]);
	expect((await claim(made)).text).toBe(issued.text);
	await wrong(["0005", "0006", "0007", "0008"]);
	await frame(made, "PUT", "/answers", { step: "pin" });
	await wrong(["0009"]);
	for (const pin of ["0010", "4821"]) expect((await claim(made, pin)).status).toBe(201);
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

	/** Webhooks that the partner got, once everything due was delivered. */
	async function received() {
		const receiver = new Receiver();
		const due = await select(
			"SELECT id FROM outbox WHERE delivered_at IS NULL AND event LIKE 'onboarding.%' ORDER BY created_at",
		);
		await deliverMessages(...due.map(({ id }) => id as string));
		return receiver.bodies.map(({ type, data }) => ({ type, ...data }));
	}

	test("onboarding.completed: once, when the holder has the certificate; at the validation where the partner claims", async () => {
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

	test("onboarding.expired: by the cron of the minute, once; not for a session that somebody ended", async () => {
		holdQueue();
		stopClock();
		const made = await session(HOOK);
		const replaced = await session(HOOK);
		await sessionOf(replaced.partner, replaced.pCode);
		await endSession(await session(HOOK));
		await typeAll(made);
		passTime(30 * MINUTE_MS - 1);
		await runCron();
		expect((await showSession(made)).body.data.status).toBe("open");
		passTime(1);
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
	});

	test("the cron of the minute ends all that are due", async () => {
		stopClock();
		const { partner, pCode } = await session();
		await makeSession(partner, pCode);
		for (const code of (await partner.bulk(10)).body.data.pcodes) await makeSession(partner, code);
		passTime(3 * 24 * 60 * MINUTE_MS);
		await runCron();
		expect(await select("SELECT id FROM onboarding_sessions WHERE ended_at IS NULL")).toEqual([]);
	});

	test("a session that cannot be ended does not stand before the others", async () => {
		stopClock();
		const [stuck, other] = [await session(HOOK), await session(HOOK)];
		await typeAll(stuck);
		passTime(MINUTE_MS);
		await typeAll(other);
		passTime(30 * MINUTE_MS);
		const found = new Set<string>();
		for (let i = 0; i < 64; i++) {
			const [due] = await findDueSessions(openRegister(), Date.now(), 1, null);
			found.add(due!.session);
		}
		expect(found).toEqual(new Set([stuck.session, other.session]));
	});

	test.each<[string, (made: Made) => Promise<{ status: number }>]>([
		["a newer session", ({ partner, pCode }) => makeSession(partner, pCode)],
		["a validation by API", ({ partner, pCode }) => partner.request({ pCode, ...JUANA })],
		["a cancellation", ({ pCode }) => ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" })],
		["its partner's DELETE", endSession],
	])(
		"onboarding.expired: once, though %s finds the session over before the cron does, and changes nothing of it",
		async (_, act) => {
			holdQueue();
			stopClock();
			const made = await typedSession(HOOK);
			passTime(30 * MINUTE_MS);
			const { data } = (await showSession(made)).body;
			expect(data).toMatchObject({ end_reason: "expired", ended_at: data.expires_at });
			expect((await act(made)).status).toBeLessThan(300);
			expect((await showSession(made)).body.data).toEqual(data);
			await runCron();
			expect(await received()).toEqual([
				{
					type: "onboarding.expired",
					p_code: made.pCode,
					referenceId: "order-1001",
					session_id: made.session,
				},
			]);
		},
	);
});

test("a day after its end the record of a session is erased", async () => {
	await freshService();
	stopClock();
	const [ended, open] = [await session(), await session()];
	await endSession(ended);
	const erase = async () =>
		(await ops("POST", "/upkeep/forget-onboarding-sessions", {})).body.data.report.sessions;
	passTime(24 * 60 * MINUTE_MS - 1);
	expect(await erase()).toBe(0);
	passTime(1);
	expect(await erase()).toBe(1);
	expect((await showSession(ended)).status).toBe(404);
	expect((await showSession(open)).body.data.status).toBe("ended");
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
