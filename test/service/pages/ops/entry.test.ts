import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Bindings } from "../../../../src/bindings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/domain/durations.ts";
import { OPS_CONSOLE_ROUTES } from "../../../../src/pages/ops/router.ts";
import {
	type AccessTeam,
	AUDIENCE,
	assertionOf,
	generateKeys,
	openTeam,
	TEAM,
} from "../../../support/access-team.ts";
import { Browser } from "../../../support/browser.ts";
import { passTime } from "../../../support/clock.ts";
import { tripsDuring } from "../../../support/failing-db.ts";
import { dumpRegister, selectOfNobody } from "../../../support/look-inside.ts";
import { actOps, askConsole, csrfIn, signInOps } from "../../../support/ops-console.ts";
import { createProd, TOKEN } from "../../../support/prod.ts";
import { call, freshService } from "../../../support/service.ts";

const HOME = "/ops/console/overview";

beforeEach(freshService);

describe("signing in by a token, in local and dev", () => {
	test("a token becomes a session of an hour that nothing of ours stores", async () => {
		const browser = await signInOps();
		expect(browser.path).toBe(HOME);
		expect(browser.text).toContain("Consola de operaciones");
		expect(browser.setCookie).toMatch(/^ops=[\w-]+\.\d+\.[\w-]{43}; /);
		expect(browser.setCookie.split("; ").slice(1)).toEqual(
			expect.arrayContaining(["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=3600"]),
		);
		expect(browser.setCookie).not.toContain(env.OPS_TOKEN!);
		expect(await dumpRegister()).not.toContain(browser.cookies.get("ops")!);
	});

	test("no other text signs in, nor the token by a form of another site", async () => {
		for (const token of ["", "token", `${env.OPS_TOKEN}x`]) {
			const browser = new Browser();
			await browser.open("/ops/console/sign_in");
			expect((await browser.submit({ token })).status).toBe(401);
			expect([browser.cookies.has("ops"), browser.text.includes("Ese token no es válido")]).toEqual([
				false,
				true,
			]);
		}
		const browser = new Browser();
		await browser.open("/ops/console/sign_in");
		const form = { csrf: browser.csrf, token: env.OPS_TOKEN! };
		const sent = await browser.send("/ops/console/sign_in", form, { "sec-fetch-site": "cross-site" });
		expect([sent.status, browser.cookies.has("ops")]).toEqual([403, false]);
	});

	test("a session ends after an hour, by signing out, and when its token is taken out of the settings", async () => {
		const browser = await signInOps();
		const cookie = `ops=${browser.cookies.get("ops")}`;
		const openWith = async (here: Bindings) =>
			(await askConsole(here, "/overview", { headers: { cookie } })).status;
		const local = env as unknown as Bindings;
		expect(await openWith(local)).toBe(200);
		const other = { ...env, OPS_TOKEN: `${env.OPS_TOKEN}-new` } as unknown as Bindings;
		expect(await openWith(other)).toBe(303);
		passTime(HOUR_MS);
		expect(await openWith(local)).toBe(303);
		const second = await signInOps();
		expect((await actOps(second, "/sign_out")).status).toBe(303);
		expect(second.cookies.has("ops")).toBe(false);
	});

	test("no altered cookie opens a page, and none costs D1 anything", async () => {
		const browser = await signInOps();
		const [name = "", until = "", mac = ""] = browser.cookies.get("ops")!.split(".");
		const root = Buffer.from("root").toString("base64url");
		for (const cookie of [
			`${root}.${until}.${mac}`,
			`${name}.${Number(until) + HOUR_MS}.${mac}`,
			`${name}.${until}.${"A".repeat(43)}`,
			`${name}.${until}.`,
			"x",
		]) {
			const headers = { cookie: `ops=${cookie}` };
			const [{ status }, trips] = await tripsDuring(() => call("GET", HOME, { headers }));
			expect([cookie, status, trips]).toEqual([cookie, 303, []]);
		}
	});

	test("prod has no sign-in, whatever cookie or token comes", async () => {
		const prod = (await createProd()) as unknown as Bindings;
		const { cookies } = await signInOps();
		const headers = { cookie: `__Host-ops=${cookies.get("ops")}`, authorization: `Bearer ${TOKEN}` };
		const ask = async (path: string, fields?: Record<string, string>) =>
			(await askConsole(prod, path, { scheme: "https", headers, ...(fields && { fields }) })).status;
		expect(await ask("/overview")).toBe(401);
		expect([await ask("/sign_in"), await ask("/sign_in", { token: TOKEN })]).toEqual([404, 404]);
	});
});

describe("behind Cloudflare Access", () => {
	let team: AccessTeam;
	let here: Bindings;

	beforeEach(async () => {
		team = await openTeam();
		here = {
			...env,
			OPS_TOKEN: undefined,
			OPS_ROLES:
				"ana@example.cl:read+operate,rita@example.cl:read,olga@example.cl:operate,eva@example.cl:evidence",
			OPS_TOKENS: "",
			ACCESS_TEAM: TEAM,
			ACCESS_AUDIENCE: AUDIENCE,
		} as unknown as Bindings;
	});

	const through = async (email: string) => ({
		"cf-access-jwt-assertion": await assertionOf(team, { email }),
	});
	const ask = async (email: string, path: string, fields?: Record<string, string>) =>
		askConsole(here, path, { headers: await through(email), ...(fields && { fields }) });

	test("each call's assertion says who it is; the audit names the person", async () => {
		const page = await ask("Ana@example.cl", "/holders");
		expect([page.status, page.headers.get("set-cookie")]).toEqual([200, null]);
		expect(page.text).toContain("ana@example.cl");
		expect(page.text).toContain("/cdn-cgi/access/logout");
		const fields = { csrf: csrfIn(page), dni: "11111111-1", reason: "x" };
		expect((await ask("ana@example.cl", "/holders", fields)).status).toBe(303);
		expect(await selectOfNobody("SELECT actor FROM audit_events")).toEqual([{ actor: "ops:ana@example.cl" }]);
	});

	test.for<[string, () => Promise<Record<string, string>>]>([
		["nothing", async () => ({})],
		[
			"a token in the header: the console is for people",
			async () => ({ authorization: `Bearer ${env.OPS_TOKEN}` }),
		],
		[
			"an assertion signed by somebody else",
			async () => ({ "cf-access-jwt-assertion": await assertionOf(team, {}, {}, await generateKeys()) }),
		],
	])("%s opens no page and does nothing", async ([, make]) => {
		const csrf = csrfIn(await ask("ana@example.cl", "/jobs"));
		const headers = await make();
		const page = await askConsole(here, "/overview", { headers });
		expect([page.status, page.text.includes("<h1>")]).toEqual([401, true]);
		expect((await askConsole(here, "/jobs/reconcile", { headers, fields: { csrf } })).status).toBe(401);
		expect(await selectOfNobody("SELECT job FROM upkeep_jobs")).toEqual([]);
	});

	test("503, as a page, while the team's keys cannot be had", async () => {
		team.answer = () => Promise.reject(new Error("no route"));
		const { status, headers, text } = await ask("ana@example.cl", "/overview");
		expect([status, headers.get("retry-after")]).toEqual([503, "30"]);
		expect(text).toContain("<h1>");
	});

	test("each page and action needs its role, which no other role includes", async () => {
		const people = { read: "rita@example.cl", operate: "olga@example.cl", evidence: "eva@example.cl" };
		for (const { method, path, right: role } of OPS_CONSOLE_ROUTES.filter((route) => route.right !== null))
			for (const stranger of Object.values(people).filter((name) => role && name !== people[role])) {
				const { status, text } = await ask(stranger, path, method === "POST" ? {} : undefined);
				expect([method, path, stranger, status]).toEqual([method, path, stranger, 403]);
				expect(text).toContain(`rol ${role}`);
			}
		expect(await selectOfNobody("SELECT entity FROM audit_events")).toEqual([]);
	});

	test("pages that change something need operate, like the calls, and so does looking up a holder", () => {
		const others = OPS_CONSOLE_ROUTES.filter(
			({ method, right }) => (method === "POST") !== (right === "operate"),
		);
		expect(others.map(({ method, path, right }) => `${method} ${path} ${right}`)).toEqual([
			"POST /sign_out null",
			"GET /partners/new operate",
			"GET /partners/:id/secrets operate",
			"GET /holders operate",
			"GET /holders/found operate",
			"GET /holders/data operate",
			"POST /find read",
			"GET /holders/requests operate",
			"POST /audit/verify read",
			"GET /audit/reconcile operate",
		]);
	});

	test("nobody is shown a page or a button that is not theirs", async () => {
		const reader = await ask("rita@example.cl", "/jobs");
		expect(reader.text).not.toContain('action="/ops/console/jobs/');
		expect(reader.text).not.toContain("/ops/console/holders");
		const operator = await ask("ana@example.cl", "/jobs");
		expect(operator.text).toContain('action="/ops/console/jobs/reconcile"');
		expect(operator.text).toContain("/ops/console/holders");
	});

	test.for<[string, (own: string) => Promise<Record<string, string>>, Record<string, string>]>([
		["without our token", async () => ({}), {}],
		[
			"with another person's token",
			async () => ({ csrf: csrfIn(await ask("rita@example.cl", "/jobs")) }),
			{},
		],
		["of another site, with the right token", async (csrf) => ({ csrf }), { "sec-fetch-site": "cross-site" }],
		[
			"of another origin, with the right token",
			async (csrf) => ({ csrf }),
			{ origin: "https://evil.example" },
		],
	])("a form %s does nothing, whatever its action", async ([, make, headers]) => {
		const fields = await make(csrfIn(await ask("ana@example.cl", "/jobs")));
		const actions = OPS_CONSOLE_ROUTES.filter(({ method }) => method === "POST");
		expect(actions.length).toBeGreaterThan(15);
		for (const { path } of actions) {
			const sent = { headers: { ...(await through("ana@example.cl")), ...headers }, fields };
			const { status, text } = await askConsole(here, path, sent);
			expect([path, status, text.includes("No cambió nada")]).toEqual([path, 403, true]);
		}
		expect(await selectOfNobody("SELECT entity FROM audit_events")).toEqual([]);
	});

	test("a page's token holds for a day", async () => {
		const csrf = csrfIn(await ask("ana@example.cl", "/jobs"));
		passTime(DAY_MS - MINUTE_MS);
		expect((await ask("ana@example.cl", "/jobs/reconcile", { csrf })).status).toBe(303);
		passTime(2 * MINUTE_MS);
		expect((await ask("ana@example.cl", "/jobs/reconcile", { csrf })).status).toBe(403);
	});
});
