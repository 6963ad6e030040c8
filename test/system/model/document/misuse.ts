import type { CallOf } from "./calls.ts";
import { badShape, error, type Outcome } from "./expected.ts";
import type { Ledger } from "./ledger.ts";

/*
 * Every route of ops, and for each what is wrong about a path, query or body (400, naming the field). `{partner}`,
 * `{key}`, `{code}`, `{serial}`, `{delivery}` stand for things that are there, so that what must not happen could.
 */

export interface OpsRoute {
	method: "GET" | "POST" | "PATCH" | "DELETE";
	path: string;
	/** As it would be right. */
	body?: object;
	flaws: readonly Flaw[];
}

interface Flaw {
	path?: string;
	body?: object;
	fields: readonly string[];
}

const LONG = "x".repeat(65);
const REASON = { reason: "model" };
const KEY = { label: "no key" };

/** One thing wrong with the body. */
const body = (field: string, sent: object): Flaw => ({ body: sent, fields: [field] });
const path = (field: string, sent: string): Flaw => ({ path: sent, fields: [field] });

const ROUTES: readonly OpsRoute[] = [
	{ method: "GET", path: "/partners", flaws: [] },
	{
		method: "POST",
		path: "/partners",
		body: { name: "No partner" },
		flaws: [
			body("name", {}),
			body("mode", { name: "P", mode: "C2C" }),
			body("colour", { name: "P", colour: 1 }),
			body("require_sso", { name: "P", require_sso: 1 }),
			body("delivery_email", { name: "P", mode: "B2B" }),
			{ body: { name: "", allowed_products: ["FV04"] }, fields: ["name", "allowed_products.0"] },
		],
	},
	{ method: "GET", path: "/partners/{partner}", flaws: [path("id", `/partners/${LONG}`)] },
	{
		method: "PATCH",
		path: "/partners/{partner}",
		body: { suspended: true },
		flaws: [
			body("suspended", { suspended: 1 }),
			body("webhook_url", { webhook_url: "http://partner.example/" }),
			body("require_sso", { name: "P", require_sso: true }),
		],
	},
	{
		method: "POST",
		path: "/partners/{partner}/keys",
		body: KEY,
		flaws: [body("label", {}), body("owner", { ...KEY, owner: "me" })],
	},
	{
		method: "POST",
		path: "/partners/{partner}/keys/{key}/rotate",
		body: KEY,
		flaws: [body("overlap_hours", { ...KEY, overlap_hours: 169 })],
	},
	{
		method: "DELETE",
		path: "/partners/{partner}/keys/{key}",
		flaws: [path("keyId", `/partners/{partner}/keys/${LONG}`)],
	},
	{
		method: "POST",
		path: "/partners/{partner}/webhook-secret",
		body: {},
		flaws: [body("overlap_hours", { overlap_hours: -1 })],
	},
	{ method: "GET", path: "/pcodes/{code}", flaws: [path("p_code", `/pcodes/${LONG}`)] },
	{
		method: "POST",
		path: "/pcodes/{code}/cancel",
		body: REASON,
		flaws: [
			body("reason", {}),
			body("revocation_reason", { ...REASON, revocation_reason: "boredom" }),
			path("verb", "/pcodes/{code}/erase"),
		],
	},
	{ method: "POST", path: "/pcodes/{code}/block", body: REASON, flaws: [body("reason", { reason: 1 })] },
	{
		method: "POST",
		path: "/pcodes/{code}/unblock",
		body: REASON,
		flaws: [body("until", { ...REASON, until: 1 })],
	},
	{ method: "POST", path: "/pcodes/{code}/replace", body: REASON, flaws: [body("reason", {})] },
	{ method: "GET", path: "/certificates/{serial}", flaws: [path("serial", `/certificates/${LONG}`)] },
	{
		method: "POST",
		path: "/certificates/{serial}/revoke",
		body: { reason: "keyCompromise" },
		flaws: [body("reason", { reason: "boredom" })],
	},
	{
		method: "GET",
		path: "/audit/code:{code}",
		flaws: [path("from_version", "/audit/code:{code}?from_version=0")],
	},
	{ method: "POST", path: "/audit/verify", body: {}, flaws: [body("cursor", { cursor: "no cursor" })] },
	{ method: "GET", path: "/digests", flaws: [] },
	{
		method: "POST",
		path: "/restores",
		body: { restored_to: "2026-01-31T09:30:00Z", ...REASON },
		flaws: [
			body("restored_to", { ...REASON, restored_to: "yesterday" }),
			body("reason", { restored_to: "2026-01-31T09:30:00Z" }),
		],
	},
	{ method: "GET", path: "/deliveries", flaws: [path("order", "/deliveries?order=oldest")] },
	{
		method: "POST",
		path: "/deliveries/{delivery}/resend",
		flaws: [path("id", `/deliveries/${LONG}/resend`)],
	},
	{ method: "GET", path: "/evidence/{code}", flaws: [path("p_code", `/evidence/${LONG}`)] },
	{ method: "GET", path: "/evidence/{code}/front", flaws: [path("side", "/evidence/{code}/left")] },
	{ method: "POST", path: "/reconcile", body: {}, flaws: [body("repair", { repair: "yes" })] },
	{ method: "GET", path: "/upkeep", flaws: [] },
	{ method: "POST", path: "/upkeep/erase-holders", body: {}, flaws: [body("now", { now: true })] },
];

/** By `POST /partners`. */
export const OPS_ROUTES: Record<string, OpsRoute> = Object.fromEntries(
	ROUTES.map((route) => [`${route.method} ${route.path}`, route]),
);

/** Decisions, "Order of checks": credential, then shape, then whether there is such a thing. Nothing changes. */
export function applyMisuse(ledger: Ledger, { route, flaw }: CallOf<"misuse">): Outcome {
	if (typeof flaw === "number") {
		const { fields } = flawOf(route, flaw)!;
		return { ledger, expected: badShape(route, fields) };
	}
	return { ledger, expected: error(route, "UNAUTHORIZED", { "WWW-Authenticate": "Bearer" }) };
}

export function flawOf(route: string, n: number): Flaw | undefined {
	const { flaws } = OPS_ROUTES[route]!;
	return flaws[n % Math.max(1, flaws.length)];
}
