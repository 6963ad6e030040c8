import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { call } from "../../support/service.ts";
import { singleSignOnOf } from "./single-sign-on.ts";

/* The sandbox's sign-in, as a browser and the service go through it. */

const sandbox = new SingleSignOnSandbox(createExecutionContext(), env);
const client = singleSignOnOf(sandbox);
const STATE = "os_1.random";

/** Begins a sign-on and chooses on the page. @returns where the browser is sent, and what the service keeps. */
async function signIn(choice: Record<string, string>) {
	const { query, secrets } = await client.begin(STATE);
	const answer = await call("POST", `/sandbox/openid/authorize?${query}`, {
		body: new URLSearchParams(choice),
	});
	expect(answer.status).toBe(303);
	const location = new URL(answer.headers.get("location")!);
	return { location, secrets, code: location.searchParams.get("code") ?? "" };
}

test("the page shows the sandbox's people, loads nothing and can be framed by nobody", async () => {
	const { query } = await client.begin(STATE);
	const page = await call("GET", `/sandbox/openid/authorize?${query}`);
	expect(page.status).toBe(200);
	expect(page.text).toContain("JUANA ANDREA PÉREZ SOTO");
	expect(page.text).toContain('lang="es"');
	expect(page.headers.get("content-security-policy")).toMatch(
		/default-src 'none'.*; img-src 'self';.*frame-ancestors 'none'/,
	);
});

describe("a code is taken", () => {
	test("once", async () => {
		const { code, secrets } = await signIn({ rut: "11111111-1" });
		expect(await client.finish(code, STATE, secrets)).toEqual({
			...{ kind: "verified", rut: "11111111-1", subject: "11111111", credential: "sso-11111111-1" },
			validForMs: 3_600_000,
		});
		expect((await client.finish(code, STATE, secrets)).kind).toBe("rejected");
	});

	test("within 60 seconds", async () => {
		vi.useFakeTimers({ toFake: ["Date"] });
		for (const [after, kind] of [
			[59_999, "verified"],
			[60_000, "rejected"],
		] as const) {
			const { code, secrets } = await signIn({ rut: "11111111-1" });
			vi.setSystemTime(Date.now() + after);
			expect((await client.finish(code, STATE, secrets)).kind).toBe(kind);
		}
	});

	test("from the right client, for the right address, with the verifier that its challenge was made of", async () => {
		const { code, secrets } = await signIn({ rut: "11111111-1" });
		const withSecret = singleSignOnOf(sandbox, { clientSecret: "another" });
		expect((await withSecret.finish(code, STATE, secrets)).kind).toBe("unavailable");
		for (const [other, kept] of [
			[singleSignOnOf(sandbox, { redirectUri: "https://elsewhere.example/" }), secrets],
			[client, { ...secrets, codeVerifier: "another" }],
			[client, { ...secrets, codeVerifier: null }],
		] as const) {
			const { code } = await signIn({ rut: "11111111-1" });
			expect((await other.finish(code, STATE, kept)).kind).toBe("rejected");
		}
		expect((await client.finish("rubbish", STATE, secrets)).kind).toBe("rejected");
	});
});

test("a client or an address that it does not know is sent nowhere; another fault goes back as an error", async () => {
	const { query } = await client.begin(STATE);
	const ask = (change: Record<string, string>) => {
		const asked = new URLSearchParams(query);
		for (const [name, value] of Object.entries(change)) asked.set(name, value);
		return call("GET", `/sandbox/openid/authorize?${asked}`);
	};
	for (const change of [{ client_id: "another" }, { redirect_uri: "https://elsewhere.example/" }])
		expect((await ask(change)).status).toBe(400);
	for (const [change, error] of [
		[{ response_type: "token" }, "unsupported_response_type"],
		[{ scope: "openid" }, "invalid_scope"],
		[{ code_challenge_method: "plain" }, "invalid_request"],
	] as const) {
		const location = (await ask(change)).headers.get("location")!;
		expect(new URL(location).searchParams.get("error")).toBe(error);
	}
});
