import { expect, test } from "vitest";
import { createApi } from "../../../src/http/api.ts";
import { checkBefore } from "../../../src/http/partner-checks.ts";

test("a call that declares no scope is not mounted", () => {
	const calls = createApi();
	calls.get("/api/partner/v1/anything", (c) => c.json({ success: true }));
	expect(() => checkBefore(calls)).toThrow("GET /api/partner/v1/anything declares no scope");
});
