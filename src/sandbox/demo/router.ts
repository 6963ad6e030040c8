import type { Context } from "hono";
import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { NONCE, secureHeaders } from "hono/secure-headers";
import * as z from "zod";
import { PRODUCT_CODES } from "../../domain/products.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { isOwnForm } from "../../pages/kit/read-form.ts";
import { platformOf } from "../../platform.ts";
import { type Order, placeOrder, showOrder, statusOf } from "./order.ts";
import { shopPage } from "./page.ts";
import { FLOWS, MODES } from "./shops.ts";

/*
 * The demo shop of local and dev: a partner's site as an integrator would write it. It lives at another origin than the
 * widget's frame, keeps its key and the session's token on its server side, and hands the token to its page alone.
 */

/** Fields of the page's form. */
const wish = z.strictObject({
	product: z.enum(PRODUCT_CODES),
	flow: z.enum(FLOWS),
	mode: z.enum(MODES),
	locale: z.enum(["es", "en"]),
});

const COOKIE = "demo_order";
const ORDER_PLACE = { table: "demo", row: "order", column: "order" };
const ORDER_SECONDS = 24 * 3_600;

const headers = secureHeaders({
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		scriptSrc: [NONCE, publicOrigin],
		styleSrc: [NONCE],
		imgSrc: ["'self'"],
		frameSrc: [publicOrigin],
		connectSrc: ["'self'"],
		baseUri: ["'none'"],
		formAction: ["'self'"],
		frameAncestors: ["'none'"],
	},
	// `same-origin` would take from the frame the window that it opens for the sign-on; a shop may have this one.
	crossOriginOpenerPolicy: "same-origin-allow-popups",
});

export const demoShop = new Hono<AppEnv>();
demoShop.use(headers, async (c, next) => {
	c.header("Cache-Control", "no-store");
	await next();
});

demoShop.get("/", async (c) => {
	const elsewhere = otherOrigin(c);
	if (elsewhere) return c.redirect(elsewhere);
	const language = c.req.query("lang") === "en" ? "en" : "es";
	const nonce = c.get("secureHeadersNonce");
	const order = await readOrder(c);
	return c.html(shopPage({ language, nonce, publicUrl: c.env.PUBLIC_URL, order: order && showOrder(order) }));
});

demoShop.post("/orders", async (c) => {
	// A page elsewhere must not place orders with its visitors' browsers.
	if (!isOwnForm(c)) return c.json({ error: "FOREIGN" }, 403);
	const sent = wish.safeParse(await c.req.json().catch(() => null));
	if (!sent.success) return c.json({ error: "INVALID" }, 400);
	const placed = await placeOrder(c, { ...sent.data, origin: new URL(c.req.url).origin });
	if (placed.kind === "refused") return c.json(placed.answer, 502);
	const { sealer } = await platformOf(c.env);
	const secure = c.req.url.startsWith("https:");
	const attributes = {
		path: "/demo",
		httpOnly: true,
		sameSite: "Strict",
		secure,
		maxAge: ORDER_SECONDS,
	} as const;
	setCookie(c, COOKIE, await sealer.seal(JSON.stringify(placed.order), ORDER_PLACE), attributes);
	return c.json(showOrder(placed.order), 201);
});

demoShop.get("/orders/current/status", async (c) => {
	const order = await readOrder(c);
	return order ? c.json(await statusOf(c, order)) : c.json({ error: "NO_ORDER" }, 404);
});

demoShop.get("/leave", (c) => {
	deleteCookie(c, COOKIE, { path: "/demo" });
	return c.redirect(c.req.query("lang") === "en" ? "/demo/?lang=en" : "/demo/");
});

function publicOrigin(c: Context): string {
	return new URL(c.env.PUBLIC_URL).origin;
}

/** Moves the shop to 127.0.0.1 on a developer's machine: the frame at localhost must have another origin. */
function otherOrigin(c: Context<AppEnv>): string | null {
	const url = new URL(c.req.url);
	if (url.hostname !== "localhost") return null;
	url.hostname = "127.0.0.1";
	return url.href;
}

/** The order that this visitor's browser carries, sealed; null for none, and for one that cannot be read any more. */
async function readOrder(c: Context<AppEnv>): Promise<Order | null> {
	const cookie = getCookie(c, COOKIE);
	if (!cookie) return null;
	const { sealer } = await platformOf(c.env);
	return sealer.openText(cookie, ORDER_PLACE).then(JSON.parse, () => null);
}
