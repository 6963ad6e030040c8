import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dropQueue } from "../../support/receiver.ts";
import { call, freshService, ops, Partner, withJson } from "../../support/service.ts";
import { countRows } from "../../support/tables.ts";
import { PARTNER_ROUTES, type PartnerRoute } from "./partner-routes.ts";

beforeAll(freshService);
// A call's later deliveries would be counted in the next.
beforeEach(dropQueue);

const SCOPES = ["codes", "redeem", "read", "manage"] as const;
type Scope = (typeof SCOPES)[number];

/** Scopes of each call by decisions, "Keys"; any of them suffices. */
function sufficient({ method, template }: PartnerRoute): Scope[] {
	const reads = method === "GET" || template.endsWith("/search");
	const reading: Scope[] = reads ? ["read", "manage"] : [];
	if (template.startsWith("/api/partners/v1/")) return ["redeem", ...reading];
	if (/\/(pcode\/bulk|pcodes)$/.test(template)) return ["codes", ...reading];
	return reads ? reading : ["manage"];
}

const keys = {} as Record<Scope, string>;

beforeAll(async () => {
	const { id } = await Partner.create();
	for (const scope of SCOPES) {
		const body = { label: scope, scopes: [scope] };
		keys[scope] = (await ops("POST", `/partners/${id}/keys`, body)).body.data.api_key;
	}
});

describe.for(PARTNER_ROUTES)("$method $template", (route) => {
	const { method, path, query = "", body, scope } = route;
	const send = (key: string, headers = {}) =>
		call(method, path + query, withJson({ "x-gw": key, ...headers }, body));

	test("a key without the scope: 403, which changes nothing and takes nothing of the rate", {
		tags: ["key-scopes"],
	}, async () => {
		const refused = SCOPES.filter((scope) => !sufficient(route).includes(scope));
		const before = await countRows();
		for (const scope of refused) {
			const { status, body, headers } = await send(keys[scope]);
			expect([scope, status, body.error]).toEqual([scope, 403, "SCOPE_REQUIRED"]);
			expect(headers.get("ratelimit")).toBeNull();
		}
		expect(await countRows()).toEqual(before);
	});

	test("the document names one that suffices", () => {
		expect(sufficient(route)).toContain(scope);
	});

	if (body)
		test("before what is wrong with the body", { tags: ["order-scope-before-shape"] }, async () => {
			const refused = SCOPES.find((scope) => !sufficient(route).includes(scope))!;
			expect((await send(keys[refused], { "content-type": "text/plain" })).status).toBe(403);
		});

	test("each scope that suffices is let through", { tags: ["key-scopes"] }, async () => {
		for (const scope of sufficient(route)) expect([401, 403]).not.toContain((await send(keys[scope])).status);
	});
});
