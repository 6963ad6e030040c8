import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../src/domain/durations.ts";
import { createApiKey } from "../../../../src/secrets/api-key.ts";
import { Browser } from "../../../support/browser.ts";
import { passTime } from "../../../support/clock.ts";
import { act, signIn } from "../../../support/console.ts";
import { dumpRegister, select } from "../../../support/look-inside.ts";
import { withinOneMinute } from "../../../support/one-minute.ts";
import { csrfIn } from "../../../support/ops-console.ts";
import { PROD } from "../../../support/prod.ts";
import { call, callWith, freshService, ops, Partner } from "../../../support/service.ts";

beforeEach(freshService);

const PAGE = "/console/settings";
const HOME = "/console/overview";

/** Whether a page redirects a visitor who is not signed in. */
async function turnedAway(browser: Browser): Promise<boolean> {
	const { status, headers } = await browser.open(PAGE);
	return status === 303 && headers.get("location")!.startsWith("/console/sign_in?");
}

async function openSessions(): Promise<number> {
	return (await select("SELECT count(*) AS n FROM console_sessions"))[0]!.n as number;
}

/** A key beside the first, with limits of its own. */
async function officeKeyOf({ id }: Partner, limits: object = {}) {
	const wanted = { label: "office", scopes: ["manage"], ...limits };
	return (await ops("POST", `/partners/${id}/keys`, wanted)).body.data;
}

/** Audit of its sessions. */
async function auditOf({ id }: Partner): Promise<string[]> {
	const rows = await select(
		"SELECT action FROM audit_events WHERE entity = ? AND partner_id = ? AND actor = 'partner:' || outcome ORDER BY version",
		`console:${id}`,
		id,
	);
	return rows.map(({ action }) => action);
}

describe("signing in", () => {
	test("a manage key becomes a session whose cookie no script, site or store of ours can read", {
		tags: ["console-sign-in", "console-cookie"],
	}, async () => {
		const partner = await Partner.create({ name: "Notaría <b>Ñuñoa</b>" });
		const browser = await signIn(partner);
		expect(browser.path).toBe(HOME);
		expect(browser.text).toContain("Notaría &lt;b&gt;Ñuñoa&lt;/b&gt;");
		expect(browser.setCookie).toMatch(/^console=[0-9a-f]{8}\.[\w-]{43}\.[\w-]{43}; /);
		expect(browser.setCookie.split("; ").slice(1)).toEqual(
			expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=28800"]),
		);
		const stored = await dumpRegister();
		// The number before them names the partner alone.
		const [, ...secrets] = browser.cookies.get("console")!.split(".");
		for (const secret of [...secrets, await partner.manageKey()]) expect(stored).not.toContain(secret);
		expect(await auditOf(partner)).toEqual(["signed_in"]);
	});

	test("a partner signs in ten times a minute, from wherever; then 429, and nothing is written", {
		tags: ["console-sign-in-limit"],
	}, async () => {
		await withinOneMinute(async () => {
			const partner = await Partner.create();
			const keys = [await partner.manageKey(), (await officeKeyOf(partner)).api_key];
			const statuses: number[] = [];
			for (let i = 0; i < 12; i++) {
				const browser = new Browser(`192.0.2.${i}`);
				await browser.open("/console/sign_in");
				const { status, headers } = await browser.submit({ key: keys[i % 2] });
				statuses.push(status);
				expect(headers.get("retry-after")).toBe(status === 429 ? "60" : null);
			}
			expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
			expect(await auditOf(partner)).toEqual(Array(10).fill("signed_in"));
		});
	});

	test("over https the cookie is Secure and bound to this host", { tags: ["console-cookie"] }, async () => {
		const partner = await Partner.create();
		const address = "https://service.test/console/sign_in";
		const csrf = csrfIn({ text: await (await exports.default.fetch(address)).text() });
		const { headers } = await exports.default.fetch(address, {
			method: "POST",
			redirect: "manual",
			headers: { "sec-fetch-site": "same-origin" },
			body: new URLSearchParams({ csrf, key: await partner.manageKey() }),
		});
		expect(headers.get("set-cookie")).toMatch(
			/^__Host-console=.*; Path=\/; HttpOnly; Secure; SameSite=Strict/,
		);
		const cookie = `__Host-console=${"A".repeat(43)}.${"B".repeat(43)}`;
		const ended = { redirect: "manual", headers: { cookie } } as const;
		const answer = await exports.default.fetch(`https://service.test${HOME}`, ended);
		expect(answer.headers.get("set-cookie")).toBe("__Host-console=; Max-Age=0; Path=/; Secure");
	});

	test("no other key signs in, and a page says why without naming it", {
		tags: ["console-sign-in"],
	}, async () => {
		const partner = await Partner.create();
		const unknown = await createApiKey("dev");
		for (const [key, status, said] of [
			["", 401, "Esta API key no es válida"],
			["gw_dev_nonsense", 401, "Esta API key no es válida"],
			[unknown, 401, "Esta API key no es válida"],
			[partner.key, 403, "no tiene el alcance manage"],
		] as const) {
			const browser = new Browser();
			await browser.open("/console/sign_in");
			const answer = await browser.submit({ key });
			expect([answer.status, browser.cookies.size]).toEqual([status, 0]);
			expect(browser.text).toContain(said);
			if (key) expect(browser.text).not.toContain(key);
		}
		expect(await openSessions()).toBe(0);
	});

	test.for([
		[{}, 403, "no header of a browser"],
		[{ origin: "null" }, 403, "an origin that is hidden"],
		[{ origin: "http://service.test" }, 303, "an older browser"],
	] as const)("a form of %j is answered %i: %s", async ([headers, expected]) => {
		const csrf = csrfIn(await call("GET", "/console/sign_in"));
		const partner = await Partner.create();
		const sent = { "content-type": "application/x-www-form-urlencoded", ...headers };
		const body = new URLSearchParams({ csrf, key: await partner.manageKey() }).toString();
		const { status } = await call("POST", "/console/sign_in", { headers: sent, body });
		expect([status, await openSessions()]).toEqual([expected, expected === 303 ? 1 : 0]);
	});

	test.each(["/console/", "/ops/console/"])("%s is the page without its last slash", async (path) => {
		const { status, headers } = await call("GET", path);
		expect([status, headers.get("location")]).toEqual([301, `http://service.test${path.slice(0, -1)}`]);
	});

	test("after the sign-in the page that was asked for is shown, and never another site's", async () => {
		const partner = await Partner.create();
		for (const [next, arrived] of [
			["/console/settings", "/console/settings"],
			["//evil.example/console", HOME],
			["https://evil.example/console/", HOME],
			["/console/../../ops", HOME],
		] as const) {
			const browser = new Browser();
			await browser.open(`/console/sign_in?next=${encodeURIComponent(next)}`);
			const answer = await browser.send("/console/sign_in", {
				...{ csrf: browser.csrf, next },
				key: await partner.manageKey(),
			});
			expect(answer.headers.get("location")).toBe(arrived);
		}
	});
});

describe("a session ends", { tags: ["console-session-ends"] }, () => {
	test("by signing out: its cookie signs nobody in again; or everywhere at once, and nobody else's", async () => {
		const [partner, other] = [await Partner.create(), await Partner.create()];
		const [browser, second, foreign] = [await signIn(partner), await signIn(partner), await signIn(other)];
		const stolen = browser.cookies.get("console")!;
		expect((await act(browser, "/console/sign_out")).status).toBe(303);
		expect(browser.cookies.has("console")).toBe(false);
		const thief = new Browser();
		thief.cookies.set("console", stolen);
		const third = await signIn(partner);
		expect([await turnedAway(thief), await turnedAway(second)]).toEqual([true, false]);
		expect((await act(third, "/console/sign_out_everywhere")).status).toBe(303);
		expect([await turnedAway(second), await turnedAway(foreign)]).toEqual([true, false]);
		expect(await auditOf(partner)).toEqual([
			...["signed_in", "signed_in", "signed_out", "signed_in"],
			"signed_out_everywhere",
		]);
	});

	test("when its key is revoked, by the partner or by ops, and when its partner is suspended", async () => {
		const partner = await Partner.create();
		const { key, api_key } = await officeKeyOf(partner);
		const [byKey, byPartner] = [await signIn(partner, api_key), await signIn(partner)];
		await partner.desk("DELETE", `/keys/${key.id}`);
		expect([await turnedAway(byKey), await turnedAway(byPartner)]).toEqual([true, false]);
		await partner.change({ suspended: true });
		expect(await turnedAway(byPartner)).toBe(true);
	});

	test("when its key expires, and after eight hours; its row goes with the next upkeep", async () => {
		const partner = await Partner.create();
		const expires_at = new Date(Date.now() + 2 * HOUR_MS).toISOString();
		const { api_key } = await officeKeyOf(partner, { expires_at });
		const [short, long] = [await signIn(partner, api_key), await signIn(partner)];
		passTime(3 * HOUR_MS);
		expect([await turnedAway(short), await turnedAway(long)]).toEqual([true, false]);
		passTime(5 * HOUR_MS);
		expect(await turnedAway(long)).toBe(true);
		await ops("POST", "/upkeep/forget-console-sessions", {});
		expect(await openSessions()).toBe(0);
	});

	test("at an address that its key may not be used from, for good", async () => {
		const partner = await Partner.create();
		const { api_key } = await officeKeyOf(partner, { allowed_cidrs: ["198.51.100.0/24"] });
		const browser = await signIn(partner, api_key, "198.51.100.7");
		const other = await signIn(partner);
		const thief = new Browser("203.0.113.9");
		thief.cookies.set("console", browser.cookies.get("console")!);
		expect([await turnedAway(thief), await turnedAway(browser)]).toEqual([true, true]);
		expect([await openSessions(), await turnedAway(other)]).toEqual([1, false]);
		expect(await auditOf(partner)).toEqual(["signed_in", "signed_in", "ended_by_address"]);
	});

	test("from the list of sessions, which says where each is used, and by whom no more than that", async () => {
		const partner = await Partner.create();
		const lost = new Browser("203.0.113.9");
		lost.agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
		await lost.open("/console/sign_in");
		const { key, api_key } = await officeKeyOf(partner);
		await lost.submit({ key: api_key });
		const browser = await signIn(partner);
		passTime(10 * MINUTE_MS);
		await browser.open(PAGE);
		await vi.waitUntil(async () => {
			const used = await select(
				"SELECT last_used_at - created_at AS ms FROM console_sessions ORDER BY rowid",
			);
			return used[0]!.ms === 0 && Number(used[1]!.ms) >= 10 * MINUTE_MS;
		});
		expect(await dumpRegister()).not.toMatch(/Mozilla|203\.0\.113\.9/);
		const { text } = await browser.open(PAGE);
		const [row = ""] = /<tr>(?:(?!<tr>).)*Firefox, Windows.*?<\/tr>/s.exec(text) ?? [];
		const [, end = ""] = /action="([^"]+)"/.exec(row) ?? [];
		const done = await act(browser, end);
		expect(done.headers.get("location")).toBe(`${PAGE}?done=session`);
		expect(browser.led).toContain("La sesión se cerró.");
		expect([await turnedAway(lost), await turnedAway(browser)]).toEqual([true, false]);
		const [own] = await select("SELECT key_id FROM console_sessions");
		// `auditOf` leaves out what one key did to the session of another.
		expect(await auditOf(partner)).toEqual(["signed_in", "signed_in"]);
		const ended = "SELECT actor, outcome FROM audit_events WHERE action = 'session_ended' AND entity = ?";
		expect(await select(`${ended} AND partner_id = ?`, `console:${partner.id}`, partner.id)).toEqual([
			{ actor: `partner:${own!.key_id}`, outcome: key.id },
		]);
		expect((await act(browser, end)).status).toBe(404);
	});
});

test("outside local a session keeps the country that Cloudflare names, and no other text", async () => {
	const partner = await Partner.create();
	const dev = { ...PROD, ENVIRONMENT: "dev", EMAIL_RECIPIENTS: "" };
	const ask = (method: string, init: RequestInit & { cf?: object } = {}) =>
		callWith(dev, method, "https://certificates.example/console/sign_in", init);
	for (const [country, kept] of [
		["CL", "CL"],
		["XX", null],
		["T1", null],
		["<b>", null],
	] as const) {
		const csrf = csrfIn(await ask("GET"));
		const body = new URLSearchParams({ csrf, key: await partner.manageKey() });
		const headers = { "sec-fetch-site": "same-origin" };
		const { status } = await ask("POST", { headers, body, cf: { country } });
		const [session] = await select("SELECT country FROM console_sessions ORDER BY rowid DESC LIMIT 1");
		expect([country, status, session]).toEqual([country, 303, { country: kept }]);
	}
});
