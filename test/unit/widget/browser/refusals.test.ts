import { expect, expectTypeOf, test } from "vitest";
import type { OnboardingScreen } from "../../../../src/domain/onboarding.ts";
import { SESSION_ENDS } from "../../../../src/domain/onboarding-session.ts";
import { ERROR_STATUS, RULE_CODES } from "../../../../src/http/errors.ts";
import { WIDGET_ENDS, WIDGET_REFUSALS } from "../../../../src/texts/widget-refusals.ts";
import { reactTo } from "../../../../src/widget/browser/refusals.ts";
import type { Claimed, State } from "../../../../src/widget/browser/state.ts";
import type { ClaimedFile, State as WireState } from "../../../../src/wire/session.ts";

const NOW = Date.parse("2026-11-22T15:00:00Z");
const react = (refusal: { status: number; code: string; field?: string; retryAfterMs?: number }) =>
	reactTo({ retryAfterMs: 0, ...refusal }, NOW);

test("a mismatch leads to the step that it is about", () => {
	expect(react({ status: 406, code: "ID_CARD_MISMATCH" })).toEqual({ kind: "step", step: "card" });
	expect(react({ status: 406, code: "SSO_REJECTED" })).toEqual({ kind: "step", step: "sign_on" });
	expect(react({ status: 406, code: "CREDENTIALS_MISMATCH" })).toEqual({ kind: "step", step: "claim" });
	expect(react({ status: 400, code: "VALIDATION_ERROR", field: "phone" })).toEqual({
		kind: "step",
		step: "name",
	});
});

test("a lock says until when, an ended session ends, a blocked code is over, the rest may be repeated", () => {
	expect(react({ status: 429, code: "ATTEMPT_LIMIT_REACHED", retryAfterMs: 1_800_000 })).toEqual({
		kind: "locked",
		until: NOW + 1_800_000,
	});
	expect(react({ status: 401, code: "UNAUTHORIZED" })).toEqual({ kind: "ended", reason: null });
	expect(react({ status: 401, code: "SESSION_REPLACED" })).toEqual({ kind: "ended", reason: "replaced" });
	expect(react({ status: 401, code: "TOO_MANY_SUBMITS" })).toEqual({
		kind: "ended",
		reason: "too_many_submits",
	});
	expect(react({ status: 401, code: "SESSION_OF_LATER" })).toEqual({ kind: "ended", reason: "of_later" });
	expect(react({ status: 423, code: "LOCKED" })).toEqual({ kind: "over" });
	for (const code of ["REGISTRY_UNAVAILABLE", "RATE_LIMIT_EXCEEDED", "INTERNAL_ERROR", "CONNECTION_LOST"])
		expect(react({ status: 503, code })).toEqual({ kind: "again" });
});

test("every end of a session has its own words", () => {
	expect(Object.keys(WIDGET_ENDS)).toEqual(expect.arrayContaining([...SESSION_ENDS]));
});

test("the answers are what the page takes them for", () => {
	expectTypeOf<WireState>().toExtend<State>();
	expectTypeOf<ClaimedFile>().toExtend<Claimed>();
	expectTypeOf<State["steps"][number]>().toEqualTypeOf<OnboardingScreen>();
});

test("the codes that have words are those of the calls", () => {
	const own = ["CONNECTION_LOST", "UNKNOWN", "CARD_NOT_IN_FORCE", "DOWNLOAD_CLOSED"];
	const codes = [...Object.keys(ERROR_STATUS), ...RULE_CODES, ...own];
	expect(codes).toEqual(expect.arrayContaining(Object.keys(WIDGET_REFUSALS)));
});
