import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { SIGN_ON } from "../../../src/texts/sign-on.ts";
import { passTime } from "../../support/clock.ts";
import { failingFrom } from "../../support/failing-db.ts";
import { codeRow } from "../../support/look-inside.ts";
import { type Answer, call, freshService, JUANA_FULL } from "../../support/service.ts";
import { frame, type Made, session, submit, typeAll } from "../../support/widget.ts";

/* The window of the single sign-on, step by step as a browser goes through it. */

beforeAll(freshService);

const { dni, email, names, fLastname, mLastname, phone } = JUANA_FULL;
const TYPED = { dni, email, names, fLastname, mLastname, phone };
const FULL = { require_cedula_serie: 0 };
const OWN = { "sec-fetch-site": "same-origin" };

/** A session in the full flow, all typed, at its sign-on. */
async function atSignOn(): Promise<Made> {
	const made = await session(FULL);
	await typeAll(made, TYPED);
	return made;
}

async function begin(made: Made): Promise<string> {
	const { status, body } = await frame(made, "POST", "/sign_on");
	expect(status).toBe(200);
	const url = new URL(body.data.authorize_url);
	expect(url.origin + url.pathname).toBe(`${env.PUBLIC_URL}/widget/sign_on/start`);
	return url.hash.slice(1);
}

/** Chooses on the sandbox's page. @returns what the browser brings back. */
async function choose(query: string, choice: Record<string, string>): Promise<URLSearchParams> {
	const body = new URLSearchParams(choice);
	const { headers } = await call("POST", `/sandbox/openid/authorize?${query}`, { body });
	return new URL(headers.get("location")!).searchParams;
}

function comeBack(
	brought: URLSearchParams | Record<string, string>,
	headers = OWN as HeadersInit,
): Promise<Answer> {
	return call("POST", "/widget/sign_on/callback", { headers, body: new URLSearchParams(brought) });
}

async function signOnOf(made: Made): Promise<string> {
	return (await frame(made, "GET")).body.data.sign_on;
}

function expectPage({ status, text }: Answer, expected: number, shown: keyof typeof SIGN_ON): void {
	expect([status, text.includes(SIGN_ON[shown].es), text.includes('lang="en"')]).toEqual([
		expected,
		true,
		true,
	]);
}

test("the window says how a sign-on ended; none but a verified one serves the validation, and none spends an attempt", async () => {
	const made = await atSignOn();
	expect(await signOnOf(made)).toBe("none");
	for (const [end, choice] of [
		["cancelled", { other: "cancel" }],
		["unavailable", { other: "down" }],
		["other_person", { rut: "12345678-5" }],
	] as const) {
		const query = await begin(made);
		expect(await signOnOf(made)).toBe("pending");
		expectPage(await comeBack(await choose(query, choice)), 200, end);
		expect(await signOnOf(made)).toBe(end);
		expect((await submit(made)).status).toBe(400);
	}
	const state = new URLSearchParams(await begin(made)).get("state")!;
	expectPage(await comeBack({ state, error: "server_error" }), 200, "unavailable");
	expect(await signOnOf(made)).toBe("unavailable");
	expect(await codeRow(made.pCode)).toMatchObject({ validation_failures: 0 });

	const page = await comeBack(await choose(await begin(made), { rut: dni }));
	expectPage(page, 200, "verified");
	const shown = await frame(made, "GET");
	expect(shown.body.data.sign_on).toBe("verified");
	for (const { text } of [page, shown]) expect(text).not.toContain("sso-");
	expect((await submit(made)).body.data).toMatchObject({ status: "validated" });
	expect(await made.partner.status(made.pCode)).toBe("VALIDATED");
	for (const unasked of [made, await session()])
		expect((await frame(unasked, "POST", "/sign_on")).status).toBe(404);
});

describe("finishing a sign-on", () => {
	test("one state has one try, alone or at the same time; while D1 is away a page says so, and it is none", async () => {
		const made = await atSignOn();
		const brought = await choose(await begin(made), { rut: dni });
		const away = await failingFrom(1, "is lost", () => comeBack(brought));
		expectPage(away, 503, "failed");
		expect(away.headers.get("retry-after")).toBe("30");
		const pages = await Promise.all([comeBack(brought), comeBack(brought)]);
		expect(pages.map(({ status }) => status).sort()).toEqual([200, 403]);
		expectPage(await comeBack(brought), 403, "refused");
		expect(await signOnOf(made)).toBe("verified");
	});

	test("a state of another session, a guessed one and one that a newer sign-on replaced change nothing", async () => {
		const [made, other] = [await atSignOn(), await atSignOn()];
		const older = await choose(await begin(made), { rut: dni });
		await begin(made);
		const code = older.get("code")!;
		const random = older.get("state")!.split(".")[1]!;
		for (const state of [
			older.get("state")!,
			`${other.session}.${random}`,
			`${made.session}.${"A".repeat(43)}`,
			`os_${"0".repeat(32)}.${random}`,
			made.session,
			"",
		])
			expectPage(await comeBack({ state, code }), 403, "refused");
		expect([await signOnOf(made), await signOnOf(other)]).toEqual(["pending", "none"]);
	});

	test("one that is begun while the provider is asked about an older one is the one that counts", async () => {
		const made = await atSignOn();
		const older = await choose(await begin(made), { rut: dni });
		const answer = SingleSignOnSandbox.prototype.fetch;
		let newer = "";
		vi.spyOn(SingleSignOnSandbox.prototype, "fetch").mockImplementation(async function (
			this: SingleSignOnSandbox,
			request,
		) {
			newer ||= await begin(made);
			return answer.call(this, request);
		});
		expectPage(await comeBack(older), 403, "refused");
		expect(await signOnOf(made)).toBe("pending");
		expectPage(await comeBack(await choose(newer, { rut: dni })), 200, "verified");
	});

	test("a window that a page of ours did not open, or a browser too old to tell, neither leaves nor comes back", async () => {
		const made = await atSignOn();
		const brought = await choose(await begin(made), { rut: dni });
		for (const site of ["cross-site", "same-site", "none", null]) {
			const headers = new Headers(site === null ? {} : { "sec-fetch-site": site });
			const why = site === null ? "oldBrowser" : "refused";
			expectPage(await call("GET", "/widget/sign_on/start", { headers }), 403, why);
			expectPage(await comeBack(brought, headers), 403, why);
		}
		expectPage(await comeBack(brought), 200, "verified");
	});
});

test("another RUT, or the end of the credential, undoes the sign-on; a session that has ended takes none", async () => {
	const made = await atSignOn();
	await comeBack(await choose(await begin(made), { rut: dni }));
	await frame(made, "PUT", "/answers", { dni: "12345678-5" });
	expect(await signOnOf(made)).toBe("none");
	await frame(made, "PUT", "/answers", { dni });
	await comeBack(await choose(await begin(made), { rut: dni }));
	for (const expected of ["verified", "verified", "none"]) {
		passTime(25 * MINUTE_MS);
		expect((await frame(made, "PUT", "/answers", { email })).body.data.sign_on).toBe(expected);
	}
	const brought = await choose(await begin(made), { rut: dni });
	passTime(31 * MINUTE_MS);
	expectPage(await comeBack(brought), 403, "ended");
});

describe("the window's pages", () => {
	test("leave for the provider's address alone, load nothing and can be framed by nobody", async () => {
		const { text, headers } = await call("GET", "/widget/sign_on/start", { headers: OWN });
		expect(text).toContain(`location.replace("${env.SINGLE_SIGN_ON_BROWSER_URL}/openid/authorize?" + query)`);
		const policy = headers.get("content-security-policy")!;
		for (const part of [
			"default-src 'none'",
			"img-src 'self'",
			"form-action 'self'",
			"frame-ancestors 'none'",
			"base-uri 'none'",
		])
			expect(policy).toContain(part);
		expect(headers.get("referrer-policy")).toBe("no-referrer");
		expect(headers.has("set-cookie")).toBe(false);
		expect(headers.has("cross-origin-opener-policy")).toBe(false);
	});

	test("show what came back nowhere but in the form's own values", async () => {
		const evil = `"><script>alert(1)</script>`;
		const query = new URLSearchParams({ state: evil, code: evil, error: evil, other: "x-other" });
		const { text } = await call("GET", `/widget/sign_on/callback?${query}`);
		expect(text).not.toContain("<script>alert");
		expect(text).not.toContain("x-other");
		expect(text.match(/value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/g)).toHaveLength(3);
	});
});
