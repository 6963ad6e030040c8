import { expect, expectTypeOf, test } from "vitest";
import type { OnboardingScreen } from "../../../../src/domain/onboarding.ts";
import { SESSION_ENDS } from "../../../../src/domain/onboarding-session.ts";
import { ERROR_STATUS, RULE_CODES } from "../../../../src/http/errors.ts";
import { WIDGET_ENDS, WIDGET_REFUSALS } from "../../../../src/texts/widget-refusals.ts";
import { reactTo } from "../../../../src/widget/browser/refusals.ts";
import type { Claimed, State } from "../../../../src/widget/browser/state.ts";
import type { ClaimedFile, State as WireState } from "../../../../src/wire/session.ts";

const NOW = Date.parse("2026-11-22T15:00:00Z");

test.each<[number, string, object, { field?: string; retryAfterMs?: number }?]>([
	[406, "ID_CARD_MISMATCH", { kind: "step", step: "card" }],
	[406, "RUT_MISMATCH", { kind: "step", step: "rut" }],
	[406, "EMAIL_IN_USE", { kind: "step", step: "email" }],
	[503, "OTHER_VALIDATION_IN_PROGRESS", { kind: "again" }],
	[406, "SSO_REJECTED", { kind: "step", step: "sign_on" }],
	[406, "CREDENTIALS_MISMATCH", { kind: "step", step: "claim" }],
	[400, "VALIDATION_ERROR", { kind: "step", step: "name" }, { field: "phone" }],
	[429, "ATTEMPT_LIMIT_REACHED", { kind: "locked", until: NOW + 1_800_000 }, { retryAfterMs: 1_800_000 }],
	[401, "UNAUTHORIZED", { kind: "ended", reason: null }],
	[401, "SESSION_REPLACED", { kind: "ended", reason: "replaced" }],
	[401, "TOO_MANY_SUBMITS", { kind: "ended", reason: "too_many_submits" }],
	[401, "SESSION_OF_LATER", { kind: "ended", reason: "of_later" }],
	[423, "LOCKED", { kind: "over" }],
	[503, "REGISTRY_UNAVAILABLE", { kind: "again" }],
	[503, "RATE_LIMIT_EXCEEDED", { kind: "again" }],
	[503, "INTERNAL_ERROR", { kind: "again" }],
	[406, "CODE_ALREADY_USED", { kind: "over" }],
	[503, "CONNECTION_LOST", { kind: "again" }],
])("%i %s leads to a step, waits, ends, or may be repeated", (status, code, reaction, more) => {
	expect(reactTo({ retryAfterMs: 0, status, code, ...more }, NOW)).toEqual(reaction);
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
