import type { Context } from "hono";
import { app } from "../../app.ts";
import type { ProductCode } from "../../domain/products.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { platformOf } from "../../platform.ts";
import type { Language } from "../../texts/language.ts";
import { qrBox, qrPath } from "../../widget/browser/qr.ts";
import { keyOf, type Shop } from "./shops.ts";

/* Requests of the shop to the service, by the same calls as any partner's server. */

/** An order whose holder is in the widget. */
export interface Order extends Shop {
	pCode: string;
	sessionId: string;
	token: string;
	url: string;
}

/** An order as the shop's page gets it. */
export interface ShownOrder extends Order {
	/** QR code of `url`, for the visitor's telephone. */
	qr: { box: string; path: string };
}

export function showOrder(order: Order): ShownOrder {
	const code = qrPath(order.url);
	return { ...order, qr: { box: qrBox(code), path: code.path } };
}

interface Wish extends Shop {
	product: ProductCode;
	locale: Language;
	/** Origin of the page that embeds the widget. */
	origin: string;
}

type Placed = { kind: "placed"; order: Order } | { kind: "refused"; answer: object };

/** A code, and a session of the widget for it. */
export async function placeOrder(c: Context<AppEnv>, wish: Wish): Promise<Placed> {
	const { flow, mode, product, locale } = wish;
	const key = await keyOf(await platformOf(c.env), wish, wish.origin);
	const bulk = await ask(c, key, "/api/partner/v1/pcode/bulk", { productCode: product, quantity: 1 });
	if (!bulk.success) return { kind: "refused", answer: bulk };
	const pCode = bulk.data.pcodes[0] as string;
	const session = await ask(c, key, "/api/partners/v1/onboarding_sessions", {
		p_code: pCode,
		referenceId: `demo-${pCode}`,
		locale,
		...(mode === "B2C" && { claim: true }),
	});
	if (!session.success) return { kind: "refused", answer: session };
	const { session_id: sessionId, token, url } = session.data;
	return { kind: "placed", order: { flow, mode, pCode, sessionId, token, url } };
}

/** `GET /status`, as a partner polls it. */
export async function statusOf(c: Context<AppEnv>, { pCode, ...shop }: Order): Promise<object> {
	const key = await keyOf(await platformOf(c.env), shop, new URL(c.req.url).origin);
	return ask(c, key, `/api/partners/v1/status?p_code=${pCode}`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of three calls, which the page shows as they are
async function ask(c: Context<AppEnv>, key: string, path: string, body?: object): Promise<any> {
	const headers = { "x-gw": key, "content-type": "application/json" };
	const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
	const answer = await app.fetch(new Request(c.env.PUBLIC_URL + path, init), c.env, c.executionCtx);
	return answer.json();
}
