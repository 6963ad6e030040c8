import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, call, freshService } from "../../../support/service.ts";
import { frame } from "../../../support/widget.ts";

/* The demo shop, which `call` reaches at an origin that is not the frame's. */

beforeAll(freshService);

const ORIGIN = "http://service.test";
const WISH = { product: "FV01", flow: "reduced", mode: "B2C", locale: "es" };

function order(wish: object = WISH, headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) {
	return call("POST", "/demo/orders", { headers, body: JSON.stringify(wish) });
}

/** The order's cookie, as a browser sends it back. */
function cookieOf({ headers }: Answer): { cookie: string } {
	return { cookie: headers.get("set-cookie")!.split(";")[0]! };
}

test("the page is in Spanish, in English on request, and loads the widget's script and nothing else from elsewhere", async () => {
	const page = await call("GET", "/demo/");
	expect([page.status, page.text.includes('lang="es"')]).toEqual([200, true]);
	expect((await call("GET", "/demo/?lang=en")).text).toContain('<html lang="en">');
	expect(page.text).toContain(`src="${env.PUBLIC_URL}/widget/v1.js"`);
	expect(page.headers.get("content-security-policy")!.replaceAll(/'nonce-[^']+'/g, "NONCE")).toMatch(
		/^default-src 'none'; script-src NONCE http:\/\/localhost:8787; style-src NONCE; img-src 'self'; frame-src http:\/\/localhost:8787;/,
	);
});

describe("an order", () => {
	test.for([
		["reduced", "B2C", ["rut", "card", "email", "pin", "review"], true],
		["full", "B2B", ["rut", "expiry", "name", "sign_on", "email", "pin", "review"], false],
	] as const)("%s, %s: a session of a fresh code, which the shop's page alone may frame", async (row) => {
		const [flow, mode, steps, claim] = row;
		const { status, body: made, headers } = await order({ ...WISH, flow, mode });
		expect(status).toBe(201);
		const opened = await frame({ session: made.sessionId, token: made.token }, "POST", "/open");
		expect(opened.body.data).toMatchObject({ p_code: made.pCode, mode, steps, claim });
		expect(opened.body.data.partner).toMatchObject({ name: "Librería Alerce", accent: "#1f5c43" });
		const framed = await call("GET", `/widget/frame/${made.sessionId}`);
		expect(framed.headers.get("content-security-policy")).toContain(`frame-ancestors ${ORIGIN};`);
		expect(headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict$/);
	});

	test("stays with the visitor: status and a reloaded page know it, until it is left; the page never has the key", async () => {
		const placed = await order();
		const headers = cookieOf(placed);
		const { pCode, token } = placed.body;
		expect(headers.cookie).not.toContain(token);
		const status = await call("GET", "/demo/orders/current/status", { headers });
		expect(status.body).toEqual({ success: true, data: { p_code: pCode, status: "ACTIVE" } });
		const page = await call("GET", "/demo/", { headers });
		expect(page.text).toContain(token);
		for (const { text } of [placed, page]) expect(text).not.toContain("gw_");
		const left = await call("GET", "/demo/leave", { headers });
		expect(left.headers.get("set-cookie")).toMatch(/^demo_order=; Max-Age=0/);
		expect((await call("GET", "/demo/", { headers: { cookie: "demo_order=rubbish" } })).status).toBe(200);
		expect((await call("GET", "/demo/orders/current/status")).status).toBe(404);
	});

	test("that another site's page places is refused, and so is one of no known product", async () => {
		// Safari before 16.4 says no more than this.
		expect((await order(WISH, { origin: ORIGIN })).status).toBe(201);
		expect((await order(WISH, { "sec-fetch-site": "cross-site" })).status).toBe(403);
		expect((await order(WISH, {})).status).toBe(403);
		expect((await order({ ...WISH, product: "FV09" })).status).toBe(400);
		expect(
			(await call("POST", "/demo/orders", { headers: { "sec-fetch-site": "same-origin" } })).status,
		).toBe(400);
	});
});
