import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { SCRIPT } from "../../../src/pages/kit/script.ts";
import { CONSOLE_ROUTES } from "../../../src/pages/partner/router.ts";
import { Browser, PAGE_POLICY, withoutCsrf, withoutOwnScript } from "../../support/browser.ts";
import { act, signIn } from "../../support/console.ts";
import { tripsDuring } from "../../support/failing-db.ts";
import { certificatesOf, codeRow, select } from "../../support/look-inside.ts";
import { emitted } from "../../support/pki.ts";
import { byTurns } from "../../support/run-size.ts";
import { call, freshService, JUANA, ops, Partner } from "../../support/service.ts";

/* Every page and action of the console, whoever adds one: what it costs, and whom it serves. */

beforeAll(freshService);

const PAGES = CONSOLE_ROUTES.filter(({ method }) => method === "GET");
const ACTIONS = CONSOLE_ROUTES.filter(({ method }) => method === "POST");

/**
 * A thing of the partner's for every parameter in a path, and more codes than a page shows. The browser may see once
 * what its forms made.
 */
async function ownIds(partner: Partner, browser?: Browser): Promise<Record<string, string>> {
	browser ??= await signIn(partner);
	const [key] = await select(
		"SELECT id FROM api_keys WHERE partner_id = ? AND label = 'everything'",
		partner.id,
	);
	const order = { order: crypto.randomUUID(), product: "FV01", quantity: "60" };
	const made = await act(browser, "/console/codes/orders", Object.entries(order));
	const [code] = await select("SELECT code FROM purchase_codes WHERE partner_id = ?", partner.id);
	await act(browser, "/console/keys", [
		["label", "made"],
		["scopes", "read"],
	]);
	await act(browser, "/console/certificates/search", [["dni", "11.111.111-1"]]);
	await act(browser, "/console/webhook/secret");
	await act(browser, "/console/webhook/test");
	const delivery = crypto.randomUUID();
	await env.DB_2.prepare(
		"INSERT INTO outbox (id, partner_id, code, event, channel, created_at) VALUES (?, ?, '', 'pcode.expiring', 'webhook', 1)",
	)
		.bind(delivery, partner.id)
		.run();
	const issued = await partner.code();
	await partner.request({ pCode: issued, ...JUANA });
	await partner.claim(issued);
	const serial = String((await codeRow(issued)).certificate_serial);
	const [session] = await select(
		"SELECT token_hash FROM console_sessions WHERE partner_id = ? ORDER BY rowid DESC LIMIT 1",
		partner.id,
	);
	return {
		id: key!.id,
		code: code!.code,
		serial,
		session: session!.token_hash,
		delivery,
		order: made.headers.get("location")!.split("/").at(-1)!,
	};
}

/** Filters under which a page costs the most. */
const DEAREST: Readonly<Record<string, string>> = { "/codes": "?status=sin_utilizar&page=2" };

function addressOf(path: string, ids: Record<string, string>): string {
	return `/console${path}`.replace(/\/$/, "").replaceAll(/:(\w+)/g, (_, name: string) => ids[name]!);
}

test("a page costs as many D1 trips as it declares, and three at most", {
	tags: ["console-trips"],
}, async () => {
	const partner = await Partner.create({ webhook_url: "https://partner.example/hook" });
	const browser = await signIn(partner);
	const ids = await ownIds(partner, browser);
	const counted: unknown[] = [];
	for (const { path, trips } of PAGES) {
		const address = addressOf(path, ids) + (DEAREST[path] ?? "");
		const [{ status }, made] = await tripsDuring(() => browser.open(address));
		counted.push([path, status === 200 || (path === "/" && status === 303), made.length]);
		expect(trips).toBeLessThanOrEqual(3);
	}
	expect(counted).toEqual(PAGES.map(({ path, trips }) => [path, true, trips]));
});

test("without a session every page leads to the sign-in, and nothing is done", async () => {
	const ids = await ownIds(await Partner.create());
	const stranger = new Browser();
	for (const { method, path } of CONSOLE_ROUTES) {
		const address = addressOf(path, ids);
		const answer = method === "GET" ? await stranger.open(address) : await stranger.send(address, {});
		expect([path, answer.status]).toEqual([path, 303]);
		expect(answer.headers.get("location")).toMatch(/^\/console\/sign_in/);
	}
});

test("a form without the token of its own session, or from another site, does nothing", {
	tags: ["console-forms"],
}, async () => {
	const partner = await Partner.create();
	const ids = await ownIds(partner);
	const [browser, other] = [await signIn(partner), await signIn(partner)];
	await other.open("/console/settings");
	await browser.open("/console/settings");
	const before = await select("SELECT count(*) AS n FROM audit_events");
	const own = { csrf: browser.csrf };
	const forged: [fields: Record<string, string>, headers?: Record<string, string>][] = [
		[{}],
		[{ csrf: "" }],
		[{ csrf: "A".repeat(43) }],
		[{ csrf: other.csrf }],
		[own, { "sec-fetch-site": "cross-site" }],
		[own, { "sec-fetch-site": "same-site" }],
		[own, { origin: "https://evil.example" }],
	];
	for (const [i, { path }] of ACTIONS.entries())
		for (const [fields, headers] of byTurns(forged, 4, i)) {
			const { status } = await browser.send(addressOf(path, ids), fields, headers);
			expect([path, fields, headers, status]).toEqual([path, fields, headers, 403]);
		}
	expect(await select("SELECT count(*) AS n FROM audit_events")).toEqual(before);
});

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

test("every page is whole in both languages, cached by nobody, and runs no script but its own: names, labels and addresses are shown", {
	tags: ["console-hostile"],
}, async () => {
	const webhook = `https://partner.example/a?b="'><script>alert(1)</script>`;
	const partner = await Partner.create({ name: HOSTILE, webhook_url: webhook });
	const { body } = await ops("POST", `/partners/${partner.id}/keys`, {
		label: HOSTILE,
		scopes: ["codes", "redeem", "read", "manage"],
	});
	await partner.manageKey();
	const browser = await signIn(partner, body.data.api_key);
	const ids = { ...(await ownIds(partner, browser)), id: body.data.key.id };
	let language = "";
	for (const [i, { path }] of PAGES.filter(({ path }) => path !== "/").entries())
		for (language of byTurns(["en", "es"], 2, i)) {
			const { status, text, headers } = await browser.open(`${addressOf(path, ids)}?lang=${language}`);
			expect([path, status]).toEqual([path, 200]);
			expect(text).toMatch(new RegExp(`^<!doctype html><html lang="${language}">[^]*</html>$`));
			const whole = withoutCsrf(withoutOwnScript(text));
			expect(whole).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>|undefined|\[object|NaN|\{\w+\}</);
			expect(headers.get("cache-control")).toBe("no-store");
			expect(headers.get("referrer-policy")).toBe("same-origin");
			expect(headers.get("content-security-policy")).toMatch(PAGE_POLICY);
		}
	const { text } = await browser.open(`/console/keys/${ids.id}`);
	expect(text).toContain(`<html lang="${language}">`);
	expect(text).toContain("&lt;script&gt;");
});

/** Bytes of a text as it is sent. */
async function weightOf(text: string): Promise<number> {
	const gzip = new Response(text).body!.pipeThrough(new CompressionStream("gzip"));
	return (await new Response(gzip).arrayBuffer()).byteLength;
}

test("a page of 50 rows weighs 15 kB at most, the style sheet 12 and the script 4; the sheet is asked for once", async () => {
	const partner = await Partner.create();
	const browser = await signIn(partner);
	await ownIds(partner, browser);
	const { text } = await browser.open("/console/codes");
	expect(text.match(/<tr>/g)).toHaveLength(51);
	expect(await weightOf(text)).toBeLessThan(15_000);
	expect(await weightOf(SCRIPT)).toBeLessThan(4_000);
	const href = /<link rel="stylesheet" href="([^"]+)"/.exec(text)![1]!;
	const sheet = await call("GET", href);
	expect(sheet.status).toBe(200);
	expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
	expect(sheet.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
	expect(await weightOf(sheet.text)).toBeLessThan(12_000);
	// The other version's page, while versions change over.
	const other = await call("GET", href.replace(/-.{16}/, `-${"0".repeat(16)}`));
	expect([other.status, other.headers.get("cache-control"), other.text]).toEqual([
		200,
		"no-store",
		sheet.text,
	]);
});

test("an unknown address of the console is answered by a page", async () => {
	const browser = await signIn(await Partner.create());
	const { status, text } = await browser.open("/console/nothing");
	expect([status, text.startsWith("<!doctype html>")]).toEqual([404, true]);
});

test("stored markup is shown and never run: refused values of a form", {
	tags: ["console-hostile"],
}, async () => {
	const browser = await signIn(await Partner.create());
	for (const [path, field] of [
		["/console/webhook", "webhook_url"],
		["/console/delivery_email", "delivery_email"],
		["/console/widget", "origins"],
		["/console/widget", "accent"],
		["/console/keys", "allowed_cidrs"],
	] as const) {
		const { status, text } = await act(browser, path, [[field, `${HOSTILE}</textarea>`]]);
		expect([path, field, status]).toEqual([path, field, 400]);
		expect(withoutOwnScript(text)).not.toMatch(/<script|<img src=x/);
		expect(text).toContain("&lt;script&gt;");
		expect(text).toContain('aria-invalid="true"');
	}
});

test("another partner's things are answered like ones that never were, by every page and action", {
	tags: ["console-tenancy"],
}, async () => {
	const { partner: owner, pCode, serial } = await emitted();
	const theirs = { ...(await ownIds(owner)), code: pCode, serial };
	const order = `${crypto.randomUUID()}.FV01.60`;
	const nobodys = {
		...{ id: `key_${"0".repeat(16)}`, code: "7K3M-9QXT-2B4C-H8WD", delivery: crypto.randomUUID() },
		...{ order, serial: "0".repeat(32), session: "A".repeat(43) },
	};
	const odd = {
		...nobodys,
		code: "nonsense",
		delivery: "no-such-delivery",
		serial: "no-such-serial",
		session: "no-such-session",
	};
	const browser = await signIn(await Partner.create());
	const forms = browser.copy();
	await forms.open("/console/settings");
	for (const { method, path } of CONSOLE_ROUTES.filter(({ path }) => path.includes(":"))) {
		const answers = new Set<string>();
		for (const ids of [theirs, nobodys, odd]) {
			const sure = { label: "mine", reason: "x", cancel: "sure", revocation: "superseded", revoke: "sure" };
			const fields = Object.entries({ ...sure, serial: ids.serial });
			const address = addressOf(path, ids);
			const { status, text } = await (method === "GET" ? browser.open(address) : act(forms, address, fields));
			expect([path, status]).toEqual([path, 404]);
			const names = Object.values(ids).flatMap((id) => [id, encodeURIComponent(id)]);
			answers.add(names.reduce((rest, name) => rest.replaceAll(name, ""), withoutCsrf(text)));
		}
		expect([path, answers.size]).toEqual([path, 1]);
	}
	expect([await owner.status(pCode), (await owner.desk("GET", "/settings")).status]).toEqual([
		"EMITTED",
		200,
	]);
	expect(await certificatesOf(pCode)).toMatchObject([{ revoked_at: null }]);
});
