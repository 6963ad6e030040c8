import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { callWith, freshService, ops, Partner } from "../../../support/service.ts";

beforeAll(freshService);

/** An ops call to the service under other settings. */
function opsWith(changes: object, method: string, path: string, body: object) {
	const headers = { authorization: `Bearer ${env.OPS_TOKEN}`, "content-type": "application/json" };
	return callWith(changes, method, `/ops/v1${path}`, { headers, body: JSON.stringify(body) });
}

const ODD_PORTS = ["https://partner.example:8443/hook", "https://8.8.8.8:22/"];
const HOOK = "https://partner.example/hook";

test("outbound safety: loopback and odd ports are refused when they are configured", async () => {
	const without = { ALLOW_LOOPBACK_WEBHOOKS: "" };
	const { id } = await Partner.create({ webhook_url: HOOK });
	const message =
		"Send an https URL on port 443 without credentials, or null. http and other ports are accepted only for loopback, in local.";
	for (const webhook_url of ["http://127.0.0.1:9000/hook", "https://[::1]/hook", ...ODD_PORTS])
		for (const answer of [
			await opsWith(without, "POST", "/partners", { name: "Refused", webhook_url }),
			await opsWith(without, "PATCH", `/partners/${id}`, { webhook_url }),
		])
			expect([webhook_url, answer.status, answer.body.details]).toEqual([
				webhook_url,
				400,
				[{ field: "webhook_url", code: "INVALID_VALUE", message }],
			]);
	expect((await ops("GET", `/partners/${id}`)).body.data.partner.webhook_url).toBe(HOOK);
});

test("outbound safety: local with ALLOW_LOOPBACK_WEBHOOKS=1 takes loopback at any port, and no other odd port", async () => {
	for (const webhook_url of [
		"http://127.0.0.1:9000/hook",
		"https://localhost:8443/hook",
		"http://[::1]:1/hook",
	])
		expect((await ops("POST", "/partners", { name: "Local", webhook_url })).status).toBe(201);
	for (const webhook_url of ODD_PORTS)
		expect((await ops("POST", "/partners", { name: "Local", webhook_url })).status).toBe(400);
});

test("outbound safety: fetch reaches what is on the public internet, never the zone's own Workers or origin", () => {
	expect(Cloudflare.compatibilityFlags.global_fetch_strictly_public).toBe(true);
});
