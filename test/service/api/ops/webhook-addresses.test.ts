import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { callWith, freshService, ops, Partner } from "../../../support/service.ts";

beforeAll(freshService);

/** An ops call to the service under other settings. */
function opsWith(changes: object, method: string, path: string, body: object) {
	const headers = { authorization: `Bearer ${env.OPS_TOKEN}`, "content-type": "application/json" };
	return callWith(changes, method, `/ops/v1${path}`, { headers, body: JSON.stringify(body) });
}

const LOOPBACK = [
	"http://127.0.0.1:9000/hook",
	"http://localhost/hook",
	"https://[::1]/hook",
	"https://127.1/hook",
];
const ODD_PORTS = [
	"https://partner.example:8443/hook",
	"https://partner.example:80/hook",
	"https://8.8.8.8:22/",
];

test.for([...LOOPBACK, ...ODD_PORTS])(
	"outbound safety: %s is refused when it is configured",
	async (webhook_url) => {
		const without = { ALLOW_LOOPBACK_WEBHOOKS: "" };
		const { id } = await Partner.create({ webhook_url: "https://partner.example/hook" });
		for (const answer of [
			await opsWith(without, "POST", "/partners", { name: "Refused", webhook_url }),
			await opsWith(without, "PATCH", `/partners/${id}`, { webhook_url }),
		]) {
			expect([answer.status, answer.body.details[0]]).toEqual([
				400,
				{
					field: "webhook_url",
					code: "INVALID_VALUE",
					message:
						"Send an https URL on port 443 without credentials, or null. http and other ports are accepted only for loopback, in local.",
				},
			]);
		}
		expect((await ops("GET", `/partners/${id}`)).body.data.partner.webhook_url).toBe(
			"https://partner.example/hook",
		);
	},
);

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
