import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { FORM_MS, SHOWN_ONCE_MS } from "../../../src/domain/limits.ts";
import { holderPages } from "../../../src/pages/holder/router.ts";
import { writePageCookie } from "../../../src/pages/kit/cookie.ts";
import { OPS_CONSOLE_ROUTES, opsConsole } from "../../../src/pages/ops/router.ts";
import { CONSOLE_ROUTES, consolePages } from "../../../src/pages/partner/router.ts";
import { readableTime } from "../../../src/texts/dates.ts";
import { Browser, withoutCsrf } from "../../support/browser.ts";
import { passTime } from "../../support/clock.ts";
import { act, signIn, textOf } from "../../support/console.ts";
import { AT_REGISTER, execute } from "../../support/db.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { requestOf } from "../../support/holder-requests.ts";
import { dumpRegister, select, selectOfNobody } from "../../support/look-inside.ts";
import { actOps, signInOps } from "../../support/ops-console.ts";
import { emitted, untilCrlIsBuilt } from "../../support/pki.ts";
import { useReceiver } from "../../support/receiver.ts";
import { byTurns } from "../../support/run-size.ts";
import { loadHolder, ops, Partner } from "../../support/service.ts";

/* Forms of both consoles and of /revocar: each is found on the page that has it, and is done once, however often it is sent. */

const { receiver, sent } = useReceiver();
afterEach(untilCrlIsBuilt);

interface Form {
	action: string;
	fields: [string, string][];
	names: ReadonlySet<string>;
}

/** The forms of a page as a browser would send them untouched. */
function formsOf(page: string): Form[] {
	const text = (value = "") => value.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
	return [...page.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].map(
		([, action, inside = ""]) => {
			const fields: [string, string][] = [];
			const names = new Set<string>();
			const fieldsIn = /<input\b([^>]*)>|<(select|textarea)\b([^>]*)>(.*?)<\/\2>/gs;
			for (const [, input, tag = "input", other, content = ""] of inside.matchAll(fieldsIn)) {
				const attributes = input ?? other ?? "";
				const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
				const name = attribute("name")!;
				names.add(name);
				const type = attribute("type") ?? "";
				if (type === "file" || (/^(radio|checkbox)$/.test(type) && !/\bchecked\b/.test(attributes))) continue;
				const option = /value="([^"]*)" selected/.exec(content) ?? /value="([^"]*)"/.exec(content);
				const value = tag === "input" ? attribute("value") : tag === "select" ? option?.[1] : content;
				fields.push([name, text(value)]);
			}
			return { action: text(action), fields, names };
		},
	);
}

let worlds = 0;

/** Creates a partner with everything that the form at this path can be about. */
async function createWorld(path = "") {
	const hook = { mode: "B2B", webhook_url: "https://partner.example/hook", delivery_email: "a@b.example" };
	receiver.answer = () => new Response(null, { status: 500 });
	const partner = await Partner.create(hook);
	const resting = /\/(resume|webhook_on)$/.test(path) ? await Partner.create() : null;
	await resting?.change({ suspended: true, webhook_url: hook.webhook_url });
	await resting?.change({ webhook_enabled: false });
	const holder = loadHolder(900 + worlds++);
	const isOfIssued = /codes|certificates|deliver|find|holders|revocar/.test(path);
	const { pCode, serial } = isOfIssued
		? await emitted(partner, holder)
		: { pCode: await partner.code(), serial: "0".repeat(32) };
	if (path.startsWith("/holders/requests/")) await requestOf(partner.id, pCode, "Mi nombre");
	if (path === "/revocar/datos/borrar") {
		const waiting = await Partner.create();
		await waiting.request({ ...holder, pCode: await waiting.code() });
	}
	await execute("UPDATE outbox SET dead_at = 1, next_attempt_at = NULL WHERE partner_id = ?", partner.id);
	const [delivery] = await select(
		"SELECT id FROM outbox WHERE partner_id = ? AND channel = 'webhook'",
		partner.id,
	);
	const [key] = await select("SELECT id FROM api_keys WHERE partner_id = ?", partner.id);
	const manageKey = await partner.manageKey();
	return { partner, manageKey, resting, holder, pCode, serial, delivery: delivery?.id, key: key!.id };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** Values of fields that are empty on their page, or change something. */
async function valuesOf({ manageKey, holder, pCode, serial }: World): Promise<Record<string, string>> {
	const code = /\b\d{4} \d{4} \d{4}\b/.exec(sent.at(-1)?.text ?? "")?.[0] ?? "";
	return {
		...{ label: "made here", reason: "ticket", verb: "block", quantity: "3", name: "Another one" },
		...{ understood: "1", cancel: "sure", revoke: "sure", why: "lost", serial },
		...{ code, p_code: pCode, kind: "correct", detail: "Mi nombre", outcome: "done", answer: "Corregido" },
		...{ dni: holder.dni, rut: holder.dni, email: holder.email },
		...{ key: manageKey, token: env.OPS_TOKEN!, q: "7K3M" },
	};
}

interface Site {
	base: string;
	posts: readonly string[];
	/** Addresses of all pages that may have the form; the browser may see them. */
	open: (path: string, world: World) => Promise<[Browser, string[]]>;
}

function postsOf({ routes }: { routes: readonly { method: string; path: string }[] }): string[] {
	return [...new Set(routes.filter(({ method }) => method === "POST").map(({ path }) => path))];
}

function pagesOf(
	base: string,
	routes: typeof OPS_CONSOLE_ROUTES | typeof CONSOLE_ROUTES,
	ids: Record<string, unknown[]>,
) {
	return routes
		.filter(({ method }) => method === "GET")
		.flatMap(({ path }) => {
			const [, name] = /:(\w+)/.exec(path) ?? [];
			const examples = name ? ids[name]! : [""];
			return examples.map((id) => base + path.replace(/:\w+/, `${id}`).replace(/^\/$/, ""));
		});
}

const SITES: Site[] = [
	{
		base: "/console",
		posts: postsOf(consolePages),
		open: async (path, { partner, key, pCode, serial, delivery }) => {
			if (path === "/sign_in") return [new Browser(), ["/console/sign_in"]];
			const ids = {
				id: [key],
				code: [pCode],
				delivery: [delivery],
				order: [`${crypto.randomUUID()}.FV01.60`],
				serial: [serial],
			};
			return [await signIn(partner), pagesOf("/console", CONSOLE_ROUTES, ids)];
		},
	},
	{
		base: "/ops/console",
		posts: postsOf(opsConsole),
		open: async (path, { partner, resting, holder, pCode, serial }) => {
			if (path === "/sign_in") return [new Browser(), ["/ops/console/sign_in"]];
			const ids = { id: [(resting ?? partner).id], code: [pCode], serial: [serial] };
			const browser = await signInOps();
			if (/^\/holders\/(data|erase)$/.test(path))
				await actOps(browser, "/holders", [
					["dni", holder.dni],
					["reason", "ticket"],
				]);
			return [browser, pagesOf("/ops/console", OPS_CONSOLE_ROUTES, ids)];
		},
	},
	{
		base: "",
		posts: postsOf(holderPages),
		open: async (path, world) => {
			const browser = new Browser();
			await browser.open("/revocar");
			const values = await valuesOf(world);
			if (path !== "/revocar") {
				await browser.submit({ rut: values.rut!, email: values.email! });
				await vi.waitUntil(() => sent.length > 0);
			}
			if (path !== "/revocar" && path !== "/revocar/codigo")
				await browser.submit({ code: (await valuesOf(world)).code! });
			return [browser, [browser.path, ...(path.startsWith("/revocar/datos") ? ["/revocar/datos"] : [])]];
		},
	},
];

const FORMS = SITES.flatMap((site) => site.posts.map((path) => ({ site, path, name: site.base + path })));

/** Opens the page that has a form, and fills it in. @param at - where to look first among the pages */
async function fillIn(site: Site, path: string, at = 0) {
	sent.length = 0;
	const world = await createWorld(path);
	const [browser, all] = await site.open(path, world);
	const [, first] = path.split("/");
	const pages = all.toSorted((a, b) => Number(b.includes(`/${first}`)) - Number(a.includes(`/${first}`)));
	const pattern = new RegExp(`^${(site.base + path).replaceAll(/:\w+/g, "[^/]+")}(\\?|$)`);
	for (const [i, page] of pages.entries()) {
		if (i < at) continue;
		await browser.open(page);
		const form = formsOf(browser.text).find(({ action }) => pattern.test(action));
		if (!form) continue;
		const values = Object.entries(await valuesOf(world)).filter(([name]) => form.names.has(name));
		const own = form.fields.filter(([name]) => !values.some(([filled]) => filled === name));
		return { browser, action: form.action, fields: [...own, ...values], at: i };
	}
	throw new Error(`no page has the form of ${site.base}${path}`);
}

const COUNTED =
	"audit_events api_keys partners purchase_codes batches console_sessions outbox webhook_secrets holder_visits holders holder_requests";

async function counted(): Promise<number[]> {
	const counts = COUNTED.split(" ").map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`);
	const [row] = await select(`SELECT ${counts.join(", ")}`);
	return Object.values(row!) as number[];
}

/** Rows that some work added. */
async function added(work: () => Promise<unknown>): Promise<number[]> {
	const before = await counted();
	await work();
	return (await counted()).map((n, i) => n - before[i]!);
}

/** Text that a browser is shown by the page that a form led to. */
async function ledTo(browser: Browser, location: string): Promise<[number, string]> {
	const { status, text } = await browser.open(location);
	return [status, textOf(withoutCsrf(text))];
}

/** Forms that are sent twice at once as well as one after the other. */
const AT_ONCE = byTurns(FORMS, 8, 0);

describe("a form is done once", () => {
	test.for(FORMS)("$name", { tags: ["forms-once"] }, async (form) => {
		const { site, path } = form;
		const first = await fillIn(site, path);
		const reloading = first.browser.copy();
		const once = await added(async () => {
			const { status, headers, text } = await first.browser.send(first.action, first.fields);
			expect(status, textOf(text)).toBe(303);
			await untilCrlIsBuilt();
			const before = await dumpRegister();
			const again = await reloading.send(first.action, first.fields);
			expect([again.status, again.headers.get("location")]).toEqual([303, headers.get("location")]);
			expect(await dumpRegister()).toBe(before);
			const to = headers.get("location")!;
			expect(await ledTo(reloading, to)).toEqual(await ledTo(first.browser, to));
		});

		if (!AT_ONCE.includes(form)) return;
		const second = await fillIn(site, path, first.at);
		const [one, other] = [second.browser, second.browser.copy()];
		const bothTaken = Promise.withResolvers<void>();
		let taken = 0;
		// No click's answer is kept before both have come.
		const meet = async (_nth: number, deliver: () => Promise<unknown>, sql: string) => {
			if (sql.startsWith('update "sent_forms"')) await bothTaken.promise;
			const answer = await deliver();
			if (sql.startsWith('insert into "sent_forms"') && ++taken === 2) bothTaken.resolve();
			return answer;
		};
		const twice = await added(async () => {
			const send = (browser: Browser) => browser.send(second.action, second.fields);
			const answers = await interceptDb(meet, () => Promise.all([send(one), send(other)]));
			const to = answers[0]!.headers.get("location");
			expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
				[303, to],
				[303, to],
			]);
			expect(await ledTo(other, to!)).toEqual(await ledTo(one, to!));
		});
		expect(taken).toBeGreaterThanOrEqual(2);
		expect(twice).toEqual(once);
	});

	test("filled in otherwise it is another one, and refused it may be sent again", async () => {
		const partner = await Partner.create();
		const browser = await signIn(partner);
		await browser.open("/console/keys");
		const { csrf } = browser;
		const make = (label: string) => browser.send("/console/keys", { csrf, label, scopes: "read" });
		expect([(await make("")).status, (await make("")).status]).toEqual([400, 400]);
		const made = await added(async () => {
			for (const label of ["one", "two", "one"]) expect((await make(label)).status).toBe(303);
		});
		expect(made[COUNTED.split(" ").indexOf("api_keys")]).toBe(2);
	});
});

describe("what is shown once", () => {
	/** @returns the key on a page, or null */
	const keyOn = (text: string) => /gw_dev_\w+/.exec(text)?.[0] ?? null;

	test("is shown for five minutes by its own page, to its own browser; no store has it", {
		tags: ["console-shown-once"],
	}, async () => {
		const partner = await Partner.create();
		const [browser, other] = [await signIn(partner), await signIn(partner)];
		await browser.open("/console/keys");
		const fields = { csrf: browser.csrf, label: "till", scopes: "read" };
		const { headers } = await browser.send("/console/keys", fields);
		const to = headers.get("location")!;
		expect(browser.setCookie.split("; ").slice(1)).toEqual(
			expect.arrayContaining(["HttpOnly", "SameSite=Strict", `Path=${to}`, "Max-Age=300"]),
		);
		const key = keyOn((await browser.open(to)).text)!;
		expect((await new Partner(partner.id, key).get("/api/partner/v1/pcodes")).status).toBe(200);
		expect(await dumpRegister()).not.toContain(key);
		expect(keyOn((await browser.open(to)).text)).toBe(key);
		for (const [name, value] of browser.cookies) if (name !== "console") other.cookies.set(name, value);
		expect((await other.open(to)).status).toBe(410);
		passTime(SHOWN_ONCE_MS);
		expect((await browser.open(to)).status).toBe(410);
		const again = await browser.send("/console/keys", fields);
		expect([again.headers.get("location"), again.headers.get("set-cookie")]).toEqual([to, null]);
		expect((await browser.open(to)).status).toBe(410);
	});

	test("is shown with the old key's end, and although it ended the session: a key that replaces its own", async () => {
		const partner = await Partner.create();
		const browser = await signIn(partner);
		const [key] = (await select("SELECT key_id AS id FROM console_sessions")) as [{ id: string }];
		const rotate = (id: string, overlap: string) =>
			act(browser, `/console/keys/${id}/rotate`, [
				["label", "successor"],
				["overlap_hours", overlap],
			]);
		const { body } = await ops("POST", `/partners/${partner.id}/keys`, { label: "till" });
		await rotate(body.data.key.id, "72");
		const ends = "SELECT revoked_at AS at FROM api_keys WHERE id = ?";
		const [end] = (await select(ends, body.data.key.id)) as [{ at: number }];
		expect(textOf(browser.led)).toContain(`La anterior vence el ${readableTime(end.at, "es")}.`);
		await rotate(key.id, "0");
		expect(keyOn(browser.led)).not.toBe(null);
		expect((await browser.open("/console/keys")).status).toBe(303);
	});
});

test("a form that broke off is not done again, and says that nobody knows", async () => {
	const partner = await Partner.create();
	const browser = await signIn(partner);
	await browser.open("/console/webhook");
	const fields = { csrf: browser.csrf, overlap_hours: "24" };
	const send = () => browser.send("/console/webhook/secret", fields);
	let isLost = false;
	const secrets = () => select("SELECT id FROM webhook_secrets WHERE partner_id = ?", partner.id);
	const before = await secrets();
	// The fifth trip changes the partner, and its answer is lost.
	const lose = async (nth: number, deliver: () => Promise<unknown>) => {
		const answer = await deliver();
		if (isLost || nth !== 5) return answer;
		isLost = true;
		throw new Error("D1_ERROR: lost");
	};
	expect((await interceptDb(lose, send)).status).toBe(503);
	expect([isLost, (await secrets()).length]).toEqual([true, before.length + 1]);
	const { status, text } = await send();
	expect([status, text.includes("no sabemos si se hizo")]).toEqual([409, true]);
	expect((await secrets()).length).toBe(before.length + 1);
});

test("a sent form is kept for a day, as long as it would be taken, and then erased", async () => {
	const browser = await signIn(await Partner.create());
	await browser.open("/console/settings");
	const fields = { csrf: browser.csrf, holder_reminders: "1" };
	await browser.send("/console/reminders", fields);
	const kept = async () => (await selectOfNobody("SELECT id FROM sent_forms")).length;
	const forget = () => ops("POST", "/upkeep/forget-idempotency-keys", {});
	// The sign-in and the reminders.
	passTime(FORM_MS - MINUTE_MS);
	await forget();
	expect(await kept()).toBe(2);
	passTime(MINUTE_MS);
	await forget();
	expect(await kept()).toBe(0);
});

test("over https the page's cookie is Secure, and says so in its name", {
	tags: ["console-cookie"],
}, async () => {
	const pages = new Hono().get("/", (c) => {
		writePageCookie(c, "/console/keys/new", "sealed", SHOWN_ONCE_MS);
		return c.body(null);
	});
	const { headers } = await pages.request("https://service.test/");
	expect(headers.get("set-cookie")).toBe(
		"__Secure-shown-console-keys-new=sealed; Max-Age=300; Path=/console/keys/new; HttpOnly; Secure; SameSite=Strict",
	);
});

test("of more findings than a cookie holds a page shows the first, and how many there are", async () => {
	const partner = await Partner.create();
	await partner.bulk(60);
	await execute("UPDATE purchase_codes SET certificate_serial = 'lost' || code, issued_at = 1");
	const browser = await signInOps();
	await actOps(browser, "/audit/reconcile", [["cursor", AT_REGISTER!]]);
	expect(browser.led).toMatch(/>\d+ de los 60 hallazgos de esta página/);
});

test("a wrong code at /revocar costs one try, however often its form is sent", async () => {
	const { holder } = await createWorld("/revocar");
	const browser = new Browser();
	await browser.open("/revocar");
	await browser.submit({ rut: holder.dni, email: holder.email });
	const fields = { csrf: browser.csrf, code: "0000 0000 0000" };
	for (let i = 0; i < 3; i++) {
		const { headers } = await browser.send("/revocar/codigo", fields);
		await browser.open(headers.get("location")!);
		expect(browser.text).toContain("Intentos que quedan: 4");
	}
	expect(await selectOfNobody("SELECT tries FROM holder_visits")).toEqual([{ tries: 1 }]);
});
