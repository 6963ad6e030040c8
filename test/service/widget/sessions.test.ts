import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { activeCode, operate, validatedCode } from "../../support/codes.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { codeObject, heldAtRegistry, outboxOf, select } from "../../support/look-inside.ts";
import { holdQueue, runCron } from "../../support/receiver.ts";
import { refusal, rejection } from "../../support/refusal.ts";
import {
	type Answer,
	callWith,
	freshService,
	JUANA,
	Partner,
	PEDRO,
	withJson,
} from "../../support/service.ts";
import {
	endSession,
	frame,
	type Made,
	makeSession,
	progressOf,
	sessionOf,
	showSession,
	TYPED,
	typeAll,
	typedSession,
} from "../../support/widget.ts";

/* A partner's calls on sessions: what making one refuses, how one ends, and what of it is stored. */

beforeAll(freshService);

const HOOK = { webhook_url: "https://partner.example/hook", webhook_events: ["onboarding.expired"] };

test("201: id, token, a link with the token in its fragment, and when it ends unless it is opened; the same again by Idempotency-Key", {
	tags: ["widget-idempotency"],
}, async () => {
	stopClock();
	const { partner, pCode } = await activeCode();
	const fields = { locale: "en", prefill: { dni: "11.111.111-1", email: null } };
	const key = { "Idempotency-Key": "session-1" };
	const { status, body, text, headers } = await makeSession(partner, pCode, fields, key);
	const again = await makeSession(partner, pCode, fields, key);
	const replayed = again.headers.get("idempotency-replayed");
	expect([again.status, again.text, replayed]).toEqual([201, text, "true"]);
	expect((await makeSession(partner, pCode, {}, key)).status).toBe(422);
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
	// Sessions that are made count as no emission.
	expect((await partner.request({ pCode, ...JUANA })).headers.get("ratelimit")).toMatch(/r=9;/);
	const spent = { SESSION_RATE: { limit: async () => ({ success: false }) } };
	const init = withJson({ "x-gw": partner.key }, { p_code: pCode, referenceId: "order-1001" });
	const limited = await callWith(spent, "POST", "/api/partners/v1/onboarding_sessions", init);
	expect(refusal(limited)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
});

test("refusals of certificate_request that no answer of the holder can change come at once; a RUT that is not the code's is no free guess", {
	tags: ["widget-refusals"],
}, async () => {
	const { partner, pCode: issued } = await validatedCode();
	const [cancelled, late] = [await partner.code(), await partner.code()];
	const others = await (await Partner.create()).code();
	const pedros = { dni: PEDRO.dni, email: JUANA.email };
	const taken = await makeSession(partner, late, { prefill: pedros });
	expect(refusal(taken)).toEqual(rejection("EMAIL_IN_USE", "email"));
	expect((await makeSession(partner, issued, { prefill: { dni: PEDRO.dni } })).status).toBe(201);
	await partner.claim(issued);
	await operate(cancelled, "cancel");
	passTime(14 * DAY_MS);
	for (const [pCode, ...expected] of [
		[cancelled, 423, "LOCKED"],
		[issued, ...rejection("CODE_ALREADY_USED", "pCode")],
		[late, ...rejection("CODE_EXPIRED", "pCode")],
		["0000-1111-2222-3333", 404, "NOT_FOUND"],
		[others, 404, "NOT_FOUND"],
	])
		expect([pCode, ...refusal(await makeSession(partner, String(pCode)))]).toEqual([pCode, ...expected]);
	const made = "SELECT code FROM onboarding_sessions WHERE partner_id = ?";
	expect(await select(made, partner.id)).toEqual([{ code: issued }]);
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
		expect([status, (await progressOf({ partner, pCode })).length]).toEqual([expected, records]);
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
	const prefill = { dni: JUANA.dni };
	const { status } = await interceptDb(delay, () => makeSession(partner, pCode, { prefill }));
	expect([status, await progressOf({ partner, pCode })]).toEqual([503, []]);
});

describe("a session ends", { tags: ["widget-session-ends"] }, () => {
	const endedWith = async (made: Made, reason: string) => {
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

	const toldOf = async ({ pCode }: Made) => (await outboxOf(pCode)).map(({ event }) => event);

	test.each<[string, string, (made: Made) => Promise<Answer>]>([
		["a newer one", "replaced", ({ partner, pCode }) => makeSession(partner, pCode)],
		["its partner", "cancelled", endSession],
		["a validation by API", "superseded", ({ partner, pCode }) => partner.request({ pCode, ...JUANA })],
		["the cancellation of its code", "code_closed", ({ pCode }) => operate(pCode, "cancel")],
	])(
		"by %s, not by a validation that fails; if its time is over before, it stays expired, and its partner is told once",
		async (_, reason, act) => {
			holdQueue();
			stopClock();
			const over = await typedSession(HOOK);
			const { partner } = over;
			passTime(30 * MINUTE_MS);
			const { data } = (await showSession(over)).body;
			expect(data).toMatchObject({ end_reason: "expired", ended_at: data.expires_at });
			expect((await act(over)).status).toBeLessThan(300);
			expect((await showSession(over)).body.data).toEqual(data);

			const made = await sessionOf(partner, await partner.code());
			await typeAll(made);
			await partner.request({ pCode: made.pCode, ...JUANA, serialNumber: "999999999" });
			expect(await partner.status(made.pCode)).toBe("IN_ONBOARDING");
			expect((await act(made)).status).toBeLessThan(300);
			await endedWith(made, reason);
			expect(await progressOf(made)).not.toContain(made.session);
			const again = await endSession(made);
			expect([again.status, again.text]).toEqual([200, (await endSession(made)).text]);
			await endedWith(made, reason);
			await runCron();
			expect([await toldOf(over), await toldOf(made)]).toEqual([["onboarding.expired"], []]);
		},
	);

	test("while another call validates its code: 406, nothing changed, and none is made; one that is over says so", async () => {
		const { partner, pCode } = await activeCode();
		const over = await sessionOf(partner, pCode);
		const made = await sessionOf(partner, pCode);
		const before = await showSession(made);
		const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
		for (const refused of [await endSession(made), await makeSession(partner, pCode)])
			expect(refusal(refused)).toEqual([406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"]);
		expect((await showSession(made)).text).toBe(before.text);
		expect((await endSession(over)).body.data).toMatchObject({ status: "ended", end_reason: "replaced" });
		registry.release();
		expect((await running).status).toBe(200);
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
});
