import { app } from "../../../src/app.ts";
import { JUANA } from "../../support/service.ts";

const REDEEM = "/api/partners/v1";
const PURCHASE_CODES = "/api/partner/v1";
const P_CODE = "0000-1111-2222-3333";

/** Every partner route, with a well-formed call of it. */
export const PARTNER_ROUTES = [
	{ method: "POST", path: `${REDEEM}/certificate_request`, body: { pCode: P_CODE, ...JUANA } },
	{
		method: "POST",
		path: `${REDEEM}/certificate_claim`,
		body: { p_code: P_CODE, dni: JUANA.dni, pin: JUANA.pin },
	},
	{ method: "GET", path: `${REDEEM}/status`, query: `?p_code=${P_CODE}` },
	{ method: "POST", path: `${PURCHASE_CODES}/pcode/bulk`, body: { productCode: "FV01", quantity: 1 } },
	{ method: "GET", path: `${PURCHASE_CODES}/pcodes` },
] as readonly { method: "GET" | "POST"; path: string; query?: string; body?: object }[];

/** `METHOD /path/:parameter` of every mounted route, but for what refuses the other methods. */
export function mountedRoutes(): string[] {
	const routes = app.routes.filter(({ method }) => method !== "ALL");
	return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}
