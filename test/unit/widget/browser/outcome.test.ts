import { expect, test } from "vitest";
import { outcomeOf } from "../../../../src/widget/browser/outcome.ts";

const REFUSED = { error: "VALIDATION_ERROR", details: [{ code: "INVALID_VALUE", field: "phone" }] };

test.each<[string, number, unknown, Record<string, string>, object]>([
	["the field of a 400", 400, REFUSED, {}, { code: "VALIDATION_ERROR", field: "phone" }],
	["the rule of a 406", 406, REFUSED, {}, { code: "INVALID_VALUE", field: "phone" }],
	[
		"Retry-After's seconds",
		429,
		{ error: "ATTEMPT_LIMIT_REACHED" },
		{ "retry-after": "1800" },
		{ code: "ATTEMPT_LIMIT_REACHED", retryAfterMs: 1_800_000 },
	],
	["nothing where there is no JSON", 502, null, {}, { code: "UNKNOWN" }],
	["nothing where there are no data", 200, { success: true }, {}, { code: "UNKNOWN" }],
	["nothing of data that are refused", 500, { success: true, data: 1 }, {}, { code: "UNKNOWN" }],
])("a refusal tells %s", (_, status, body, headers, refusal) => {
	const told = { status, field: undefined, retryAfterMs: 0, ...refusal };
	expect(outcomeOf(new Response(null, { status, headers }), body)).toEqual({ refusal: told });
});

test("an answer that succeeds tells its data, 0 and null too", () => {
	for (const data of [{ p: 1 }, 0, null])
		expect(outcomeOf(new Response(), { success: true, data })).toEqual({ data });
});
