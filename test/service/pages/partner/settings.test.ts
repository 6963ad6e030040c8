import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../src/domain/durations.ts";
import type { Browser } from "../../../support/browser.ts";
import { passTime } from "../../../support/clock.ts";
import { act, signIn } from "../../../support/console.ts";
import { dumpRegister } from "../../../support/look-inside.ts";
import { holdQueue } from "../../../support/receiver.ts";
import { call, callWith, freshService, Partner } from "../../../support/service.ts";
import { readTablesWithoutKeyUse } from "../../../support/tables.ts";
import { untilCallsEnd } from "../../../support/whose-work.ts";

let partner: Partner;
let browser: Browser;

beforeEach(async () => {
	await freshService();
	holdQueue();
	partner = await Partner.create({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	browser = await signIn(partner);
});

async function settings() {
	return (await partner.desk("GET", "/settings")).body.data.settings;
}

function done({ status, headers }: { status: number; headers: Headers }) {
	return [status, headers.get("location")];
}

/** A key or a secret as the page that shows it once has it. */
function shownOnce(text: string): string {
	return /<code class="secret"[^>]*>\s*([^<]+?)\s*<\/code>/.exec(text)![1]!;
}

test("webhook and its events are set as by the API, and a partner of B2B keeps an address", {
	tags: ["console-settings"],
}, async () => {
	const url = "https://partner.example/new?a=1&b=2";
	const changed = await act(browser, "/console/webhook", [
		["webhook_url", ` ${url} `],
		["webhook_events", "certificate.emitted"],
		["webhook_events", "pcode.locked"],
	]);
	expect(done(changed)).toEqual([303, "/console/webhook?done=1"]);
	const events = ["certificate.emitted", "pcode.locked"];
	expect(await settings()).toMatchObject({ webhook_url: url, webhook_events: events });
	const { text } = await browser.open("/console/webhook?done=1");
	expect(text).toContain('role="status"');
	expect(text).toContain("https://partner.example/new?a=1&amp;b=2");
	for (const [path, field, value] of [
		["/console/webhook", "webhook_url", ""],
		["/console/webhook", "webhook_url", "http://10.0.0.1/"],
		["/console/webhook", "webhook_url", env.PUBLIC_URL],
		["/console/webhook", "webhook_events", "everything"],
		["/console/delivery_email", "delivery_email", "nobody"],
	] as const) {
		const { status, text: said } = await act(browser, path, [[field, value]]);
		expect([field, value, status]).toEqual([field, value, 400]);
		expect(said).toContain(`id="${field}-wrong"`);
	}
	expect(await settings()).toMatchObject({ webhook_url: url, webhook_events: events });
	// The webhook can be removed beside a delivery e-mail.
	const delivery_email = "entregas@partner.example";
	await act(browser, "/console/delivery_email", [["delivery_email", delivery_email]]);
	await act(browser, "/console/webhook", []);
	expect(await settings()).toMatchObject({ webhook_url: null, webhook_events: [], delivery_email });
});

test("a new webhook secret and a new key are shown once, and stored nowhere as they are", {
	tags: ["console-shown-once"],
}, async () => {
	// A key lives by the real time.
	await partner.desk("POST", "/sandbox/clock", { advance: "P15D" });
	await act(browser, "/console/webhook/secret", [["overlap_hours", "0"]]);
	const secret = browser.led;
	await act(browser, "/console/keys", [
		["label", "caja 7"],
		["scopes", "read"],
		["days", "30"],
		["allowed_cidrs", "203.0.113.7\r\n\r\n2001:db8::/32 "],
	]);
	const shown = [shownOnce(secret), shownOnce(browser.led)];
	expect(shown).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^gw_dev_/)]);
	const { text } = await browser.open("/console/keys");
	const stored = (await dumpRegister()) + text;
	for (const one of shown) expect(stored).not.toContain(one);
	const { keys } = (await partner.desk("GET", "/keys")).body.data;
	const made = keys.find(({ label }: { label: string }) => label === "caja 7");
	expect(made).toMatchObject({ scopes: ["read"], allowed_cidrs: ["203.0.113.7/32", "2001:db8::/32"] });
	expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(30 * DAY_MS);
});

test("origins, colour and logo of the widget are set, kept and removed", {
	tags: ["console-settings"],
}, async () => {
	const png = Uint8Array.fromBase64(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	);
	const send = (file?: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) => {
		const form = new FormData();
		const fields = { csrf: browser.csrf, origins: "https://a.example\nhttps://b.example", accent: "#0b5cad" };
		for (const [name, value] of Object.entries({ ...fields, ...more })) form.set(name, value);
		form.set("logo", new File([file ?? ""], "logo.png", { type: "image/png" }));
		const headers = { cookie: `console=${browser.cookies.get("console")}`, "sec-fetch-site": "same-origin" };
		return call("POST", "/console/widget", { headers, body: form });
	};
	const widget = async () => (await partner.desk("GET", "/widget")).body.data.widget;
	expect(done(await send(png))).toEqual([303, "/console/widget?done=1"]);
	const { logo } = await widget();
	expect(logo).toMatch(/^\/widget\/logos\//);
	expect((await browser.open("/console/widget")).text).toContain(`src="${logo}"`);
	expect((await send(undefined, { accent: "" })).status).toBe(303);
	expect(await widget()).toEqual({ origins: ["https://a.example", "https://b.example"], accent: null, logo });
	expect((await send(png.slice(1))).text).toContain('id="logo-wrong"');
	expect((await send(undefined, { origins: "https://a.example/path" })).text).toContain('id="origins-wrong"');
	expect((await send(undefined, { accent: "#eeeeee" })).text).toContain('id="accent-wrong"');
	expect((await send(new Uint8Array(64 * 1024))).status).toBe(413);
	expect((await send(undefined, { remove_logo: "1" })).status).toBe(303);
	expect((await widget()).logo).toBeNull();
});

test("reminders are switched, and the page says what applies", { tags: ["console-settings"] }, async () => {
	await act(browser, "/console/reminders", [["holder_reminders", "1"]]);
	expect((await settings()).holder_reminders).toBe(true);
	const { text } = await browser.open("/console/settings");
	for (const said of [partner.id, "B2B: ", "ec-p256", "FV00", "600 llamadas"]) expect(text).toContain(said);
	expect(text).toContain('checked=""');
	await act(browser, "/console/reminders");
	expect((await settings()).holder_reminders).toBe(false);
});

test("while D1 is being restored pages are shown and nothing is done", {
	tags: ["console-frozen"],
}, async () => {
	const send = async (method: string, path: string, init: RequestInit = {}, by = browser) => {
		const headers = {
			cookie: `console=${by.cookies.get("console")}`,
			"sec-fetch-site": "same-origin",
			"cf-connecting-ip": "203.0.113.9",
		};
		return callWith({ FROZEN: "1" }, method, `http://service.test${path}`, { headers, ...init });
	};
	const wanted = { label: "office", scopes: ["manage"], allowed_cidrs: ["198.51.100.0/24"] };
	const { api_key } = (await partner.desk("POST", "/keys", wanted)).body.data;
	const elsewhere = await signIn(partner, api_key, "198.51.100.7");
	await untilCallsEnd();
	// A session's use would be noted after ten minutes, were nothing frozen.
	passTime(10 * MINUTE_MS);
	const before = await readTablesWithoutKeyUse();
	expect((await send("GET", "/console/keys")).status).toBe(200);
	expect((await send("GET", "/console/keys", {}, elsewhere)).status).toBe(303);
	const body = new URLSearchParams({ csrf: browser.csrf, label: "new", scopes: "read" });
	const { status, text } = await send("POST", "/console/keys", { body });
	expect([status, text.startsWith("<!doctype html>")]).toEqual([503, true]);
	expect(await readTablesWithoutKeyUse()).toEqual(before);
});
