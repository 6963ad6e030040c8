import { expect, test } from "vitest";
import { call } from "../../support/service.ts";

test("the script names our own origin, is open to every page and to caches, and sets no cookie", async () => {
	const { headers, text } = await call("GET", "/widget/v1.js");
	expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
	expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
	expect(headers.get("cache-control")).toBe("public, max-age=300");
	expect(headers.get("x-content-type-options")).toBe("nosniff");
	expect(headers.has("set-cookie")).toBe(false);
	expect(text).toContain('"http://localhost:8787"');
	expect(text).not.toContain("FRAME_ORIGIN");
});

test("its types are served beside it", async () => {
	const { text } = await call("GET", "/widget/v1.d.ts");
	expect(text).toContain("export type OnboardingEvent");
});
