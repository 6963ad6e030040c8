import { SELF } from "cloudflare:test";
import { expect, test } from "vitest";

test("the script names our own origin, is open to every page and to caches, and sets no cookie", async () => {
	const response = await SELF.fetch("http://localhost:8787/widget/v1.js");
	const script = await response.text();
	expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
	expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
	expect(response.headers.get("cache-control")).toBe("public, max-age=300");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	expect(response.headers.has("set-cookie")).toBe(false);
	expect(script).toContain('"http://localhost:8787"');
	expect(script).not.toContain("FRAME_ORIGIN");
});

test("its types are served beside it", async () => {
	const response = await SELF.fetch("http://localhost:8787/widget/v1.d.ts");
	expect(await response.text()).toContain("export type OnboardingEvent");
});
