import { beforeAll, describe, expect, test } from "vitest";
import { OPS_CONSOLE_ROUTES } from "../../../src/pages/ops/router.ts";
import { type Browser, PAGE_POLICY, withoutCsrf, withoutOwnScript } from "../../support/browser.ts";
import { BOUND, execute } from "../../support/db.ts";
import { tripsDuring } from "../../support/failing-db.ts";
import { requestOf } from "../../support/holder-requests.ts";
import { select } from "../../support/look-inside.ts";
import { actOps, signInOps } from "../../support/ops-console.ts";
import { holdQueue, Receiver } from "../../support/receiver.ts";
import { call, freshService, JUANA, ops, Partner } from "../../support/service.ts";

/* Every page, with things in it whose every text tries to be markup. */

const MARKUP = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

let browser: Browser;
/** An example of each kind of page, by its pattern. */
const ADDRESSES: Record<string, string[]> = {};

beforeAll(async () => {
	await freshService();
	new Receiver().answer = () => new Response(MARKUP, { status: 410, statusText: "Gone" });
	holdQueue();
	const partner = await Partner.create({ name: MARKUP, webhook_url: "https://partner.example/hook?<b>" });
	const { key } = (await ops("POST", `/partners/${partner.id}/keys`, { label: MARKUP })).body.data;
	await ops("DELETE", `/partners/${partner.id}/keys/${key.id}`);
	const pCode = await partner.code();
	await partner.request({ ...JUANA, pCode, referenceId: MARKUP.slice(0, 64) });
	const serial = (await partner.claim(pCode)).body.data.serialNumber;
	const reason = MARKUP;
	await ops("POST", `/pcodes/${pCode}/unblock`, { reason });
	await ops("POST", `/pcodes/${await partner.code()}/cancel`, { reason });
	await ops("POST", "/holders/search", { dni: JUANA.dni, reason });
	await requestOf(partner.id, pCode, MARKUP);
	await execute("UPDATE outbox SET dead_at = 1, next_attempt_at = NULL, last_outcome = ?", MARKUP);
	await ops("POST", "/upkeep/reconcile", {});
	browser = await signInOps();
	// Pages that show once what a form made.
	await actOps(browser, `/partners/${partner.id}/secret`);
	for (const path of ["/holders", "/holders/data"])
		await actOps(browser, path, [
			["dni", JUANA.dni],
			["reason", MARKUP],
		]);
	await actOps(browser, "/find", [["q", MARKUP.slice(0, 5)]]);
	await actOps(browser, "/audit/verify");
	await actOps(browser, "/audit/reconcile");
	Object.assign(ADDRESSES, {
		"/": ["/"],
		"/overview": ["/overview"],
		"/partners": [
			"/partners",
			"/partners?only=weak",
			"/partners?only=sso_alone",
			`/partners?only=${encodeURIComponent(MARKUP)}`,
		],
		"/partners/new": ["/partners/new"],
		"/partners/:id": [
			`/partners/${partner.id}`,
			`/partners/${partner.id}?done=${encodeURIComponent(MARKUP)}`,
		],
		"/partners/:id/keys/ended": [`/partners/${partner.id}/keys/ended`],
		"/partners/:id/secrets": [`/partners/${partner.id}/secrets`],
		"/find": ["/find"],
		"/holders": ["/holders"],
		"/holders/found": ["/holders/found"],
		"/holders/data": ["/holders/data"],
		"/holders/requests": ["/holders/requests"],
		"/codes": ["/codes", `/codes?code=${pCode.toLowerCase()}`, `/codes?code=${encodeURIComponent(MARKUP)}`],
		"/codes/:code": [`/codes/${pCode}`, `/codes/${pCode}?problem=cancelled`],
		"/certificates": [
			"/certificates",
			`/certificates?serial=${serial}`,
			`/certificates?serial=${encodeURIComponent(MARKUP)}`,
		],
		"/certificates/:serial": [`/certificates/${serial}`],
		"/deliveries": ["/deliveries", `/deliveries?state=pending&partner_id=${encodeURIComponent(MARKUP)}`],
		"/audit": ["/audit"],
		"/audit/verify": ["/audit/verify"],
		"/audit/reconcile": ["/audit/reconcile"],
		"/audit/chain": [
			`/audit/chain?entity=code:${pCode}`,
			`/audit/chain?entity=code:${pCode}&from_version=2`,
			"/audit/chain?entity=holder_search:token",
			`/audit/chain?entity=${encodeURIComponent(MARKUP)}`,
		],
		"/jobs": ["/jobs"],
		"/databases": ["/databases"],
		"/authority": ["/authority"],
		"/kit": ["/kit"],
	});
});

/** Counts a question that all databases are asked, side by side, once. */
function roundsOf(trips: readonly (readonly { statement: string }[])[]): number {
	const asked = Object.groupBy(trips, (trip) => trip.map(({ statement }) => statement).join(";"));
	return Object.values(asked).reduce((sum, same) => sum + Math.ceil(same!.length / BOUND.length), 0);
}

const PAGES = OPS_CONSOLE_ROUTES.filter(({ method }) => method === "GET");

describe.for(PAGES.map(({ path, trips }) => ({ path, trips: trips! })))("$path", ({ path, trips }) => {
	test("costs the trips that it says, in both languages, under the strictest of policies", async () => {
		const made: number[] = [];
		for (const address of ADDRESSES[path]!)
			for (const lang of ["es", "en"]) {
				const separator = address.includes("?") ? "&" : "?";
				const page = `/ops/console${address === "/" ? "" : address}${separator}lang=${lang}`;
				const [{ status, headers, text }, trips] = await tripsDuring(() => browser.open(page));
				made.push(roundsOf(trips));
				expect(headers.get("cache-control")).toBe("no-store");
				if (status === 303) continue;
				expect([address, status]).toEqual([address, expect.toBeOneOf([200, 404])]);
				expect(text).toContain(`<html lang="${lang}">`);
				expect(headers.get("content-security-policy")).toMatch(PAGE_POLICY);
				expect(withoutOwnScript(text)).not.toMatch(/<script|<img/i);
			}
		expect(Math.max(...made)).toBe(trips);
	});
});

test("stored markup is shown as text", async () => {
	for (const [path, shown] of [
		["/partners", "partner's name"],
		["/deliveries", "an outcome"],
		["/audit/chain?entity=holder_search:token", "a reason"],
	]) {
		await browser.open(`/ops/console${path}`);
		expect([shown, browser.text.includes("&lt;script&gt;alert(1)&lt;/script&gt;")]).toEqual([shown, true]);
	}
});

test("no page shows what the API of ops does not: no name, no e-mail, no RUT of a holder", async () => {
	for (const address of Object.values(ADDRESSES).flat()) {
		const { text } = await browser.open(`/ops/console${address}`);
		// The RUT that was searched for stands in its result.
		const own = /^\/holders\/(found|data)$/.test(address) ? text.replaceAll(/11\.?111\.?111/g, "") : text;
		expect([address, own.match(/JUANA|juana@|11\.?111\.?111/i)]).toEqual([address, null]);
	}
});

/** Names the reader's own things: the name in the audit, the change that a form repeats. */
const OWN = /a su nombre|repita su cambio/g;

test("no page says \"su\" of what is a partner's, a code's or a holder's", async () => {
	const english = /<a [^>]*hreflang[^>]*>/g;
	for (const address of Object.values(ADDRESSES).flat()) {
		const { text } = await browser.open(`/ops/console${address}`);
		expect([
			address,
			withoutCsrf(text)
				.replaceAll(english, "")
				.replaceAll(OWN, "")
				.match(/\b(sus?|suy[oa]s?|usted)\b.*/i),
		]).toEqual([address, null]);
	}
});

test("every change in the audit has words", async () => {
	const entities = await select("SELECT DISTINCT entity FROM audit_events");
	expect(entities.length).toBeGreaterThan(4);
	for (const { entity } of entities) {
		const { text } = await browser.open(`/ops/console/audit/chain?entity=${encodeURIComponent(`${entity}`)}`);
		const shown = Array.from(text.matchAll(/<td[^>]*>([^<]*) \(([\w-]+)\)<\/td>/g), ([, words, action]) => [
			words,
			action,
		]);
		expect(shown.length, `${entity}`).toBeGreaterThan(0);
		for (const [words, action] of shown) expect(words).not.toBe(action);
	}
});

test("identifiers that nothing has: 404, as a page, and the same as for what never was", async () => {
	const [row] = await select("SELECT id FROM outbox LIMIT 1");
	for (const path of [
		"/partners/pt_0",
		"/codes/0000-1111-2222-3333",
		"/certificates/00",
		`/codes/${row!.id}`,
	]) {
		const { status, text } = await browser.open(`/ops/console${path}`);
		expect([path, status, text.includes("<h1>")]).toEqual([path, 404, true]);
	}
	expect((await call("GET", "/ops/console/nothing")).status).toBe(404);
});
