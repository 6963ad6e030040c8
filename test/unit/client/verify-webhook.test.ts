import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook } from "../../../client/verify-webhook.ts";

/* The client package against webhooks that the library of Standard Webhooks signed. */

const SECRET = `whsec_${Buffer.from("a secret of the partner's webhook").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret, of before").toString("base64")}`;
const NOW = Date.parse("2026-11-22T12:00:00Z");
const BODY = JSON.stringify({ type: "pcode.validated", data: { p_code: "P", referenceId: "Ñandú" } });

function signed(secret = SECRET, body = BODY, at = NOW) {
	return {
		"webhook-id": "id-1",
		"webhook-timestamp": String(Math.floor(at / 1000)),
		"webhook-signature": new Webhook(secret).sign("id-1", new Date(at), body),
	};
}

test("one signature of one secret suffices, for text and bytes, for Headers and Node's", async () => {
	const event = JSON.parse(BODY);
	const both = { ...signed() };
	both["webhook-signature"] = `${signed(OTHER)["webhook-signature"]} v1a,AAAA ${both["webhook-signature"]}`;
	const bytes = new TextEncoder().encode(BODY);
	for (const received of [
		{ body: BODY, headers: signed(), secret: SECRET },
		{ body: bytes, headers: new Headers(signed()), secret: SECRET },
		{ body: BODY, headers: both, secret: SECRET },
		{ body: BODY, headers: signed(), secret: [OTHER, SECRET] },
	])
		expect(await verifyWebhook({ ...received, now: NOW })).toEqual(event);
});

test.each([
	["another secret", { headers: signed(OTHER) }],
	["another body", { body: `${BODY} ` }],
	["another id", { headers: { ...signed(), "webhook-id": "id-2" } }],
	[
		"a signature of another version",
		{ headers: { ...signed(), "webhook-signature": signed()["webhook-signature"].replace("v1,", "v2,") } },
	],
	["a signature that is no base64", { headers: { ...signed(), "webhook-signature": "v1,*" } }],
	["no signature", { headers: { ...signed(), "webhook-signature": undefined } }],
	["a timestamp of five minutes ago", { headers: signed(SECRET, BODY, NOW - 301_000) }],
	["a timestamp to come", { headers: signed(SECRET, BODY, NOW + 301_000) }],
	["a timestamp that is none", { headers: { ...signed(), "webhook-timestamp": "now" } }],
])("refuses %s", async (_, change) => {
	const received = { body: BODY, headers: signed(), secret: SECRET, now: NOW, ...change };
	await expect(verifyWebhook(received)).rejects.toMatchObject({ name: "WebhookError" });
});
