import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";

/*
 * The files of `public` in an environment whose leaves name PKI_URL. Plain http comes in through the platform's router, which
 * would serve a file by itself; https, which the router here does not speak, at the Worker.
 */

const HOST = "certificates.example";
const PKI_HOST = "pki.certificates.example";
const harness = createTestHarness({
	root: join(import.meta.dirname, "../../.."),
	workers: [
		{
			configPath: "./wrangler.toml",
			vars: { ENVIRONMENT: "dev", PUBLIC_URL: `https://${HOST}`, PKI_URL: `http://${PKI_HOST}/pki` },
		},
	],
});

beforeAll(() => harness.listen());
afterAll(() => harness.close());

const overHttp = (path: string) => harness.fetch(`http://${HOST}${path}`, { redirect: "manual" });
const overHttps = (host: string, path: string) =>
	harness.getWorker().fetch(`https://${host}${path}`, { redirect: "manual" });

test.each([
	["/docs/", 200],
	["/docs", 307],
	["/cps/", 200],
	["/favicon.ico", 200],
	["/brand/mark.svg", 200],
	["/docs/en/first-pfx", 200],
	["/docs/reference", 302],
	["/docs/es/reference/", 200],
	["/docs/pagefind/pagefind.js", 200],
])("%s is served by https alone, and not at the host of PKI_URL", async (path, status) => {
	expect((await overHttps(HOST, path)).status).toBe(status);
	for (const [answer, status, error] of [
		[await overHttp(path), 403, "HTTPS_REQUIRED"],
		[await overHttps(PKI_HOST, path), 404, "NOT_FOUND"],
	] as const)
		expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ error })]);
});

test("a file has the headers of public/_headers and none of the service's; what is no file goes on to the service", async () => {
	const { headers } = await overHttps(HOST, "/docs/");
	expect([headers.get("x-request-id"), headers.get("server-timing")]).toEqual([null, null]);
	expect((await overHttps(HOST, "/docs/reference?lang=en")).headers.get("location")).toBe(
		"/docs/en/reference/",
	);
	const none = await overHttps(HOST, "/docs/none");
	expect(none.headers.get("x-request-id")).not.toBeNull();
});

test.each([
	"/docs/",
	"/docs/es/webhooks",
	"/docs/en/reference/getStatus",
	"/docs/pagefind/pagefind-worker.js",
])("%s may run its own scripts and WebAssembly, the search; no inline one, no other site", async (path) => {
	expect((await overHttps(HOST, path)).headers.get("content-security-policy")).toBe(
		"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
	);
});

test.each(["/docs/terms/", "/docs/privacy/", "/cps/"])("%s runs no script", async (path) => {
	const policy = (await overHttps(HOST, path)).headers.get("content-security-policy");
	expect(policy).toContain("default-src 'none'");
	expect(policy).not.toContain("script-src");
});
