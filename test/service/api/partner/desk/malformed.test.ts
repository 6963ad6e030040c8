import { beforeAll, expect, test } from "vitest";
import { validatedCode } from "../../../../support/codes.ts";
import { dropQueue } from "../../../../support/receiver.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { call, freshService, JUANA, ops, type Partner, withJson } from "../../../../support/service.ts";
import { readTablesWithoutKeyUse } from "../../../../support/tables.ts";

/* A partner's own calls with what they do not take. */

const HOOK = { webhook_url: "https://partner.example/hook", webhook_events: ["certificate.emitted"] };
const KEY = { label: "a" };
const RANGES = Array.from({ length: 51 }, () => "203.0.113.0/24");
const { dni } = JUANA;

let made: { partner: Partner; key: string; pCode: string; serial: string; tables: object };

beforeAll(async () => {
	await freshService();
	dropQueue();
	const { partner, pCode: issued } = await validatedCode();
	const serial: string = (await partner.claim(issued)).body.data.serialNumber;
	const [pCode, key] = [await partner.code(), await partner.manageKey()];
	made = { partner, key, pCode, serial, tables: await readTablesWithoutKeyUse() };
});

async function expectRefused(target: string, body: object | undefined, details: string[]) {
	const { key, pCode, serial, tables } = made;
	const [method = "", path] = target.replace("CODE", pCode).replace("SERIAL", serial).split(" ");
	const answer = await call(method, `/api/partner/v1${path}`, withJson({ "x-gw": key }, body));
	expect(refusal(answer)).toEqual(invalid(...details));
	// The answer does not tell what was sent.
	expect(answer.text).not.toContain("11111111-2");
	expect(await readTablesWithoutKeyUse()).toEqual(tables);
}

test.for<[string, object | undefined, string]>([
	["GET /certificates?validity=good", undefined, "validity INVALID_VALUE"],
	["GET /certificates?validity=valid&validity=valid", undefined, "validity INVALID_VALUE"],
	["GET /certificates?expiring_before=soon", undefined, "expiring_before INVALID_VALUE"],
	["GET /certificates?limit=0", undefined, "limit INVALID_VALUE"],
	["GET /certificates?limit=501", undefined, "limit INVALID_VALUE"],
	["GET /certificates?cursor=x", undefined, "cursor INVALID_VALUE"],
	["GET /certificates?page=2", undefined, "page UNKNOWN_FIELD"],
	["POST /certificates/search", {}, "dni REQUIRED"],
	["POST /certificates/search", { dni: "11111111-2" }, "dni INVALID_VALUE"],
	["POST /certificates/search", { dni, limit: 0 }, "limit INVALID_VALUE"],
	["POST /certificates/search", { dni, cursor: "x" }, "cursor INVALID_VALUE"],
	["POST /certificates/search", { dni, validity: "valid" }, "validity UNKNOWN_FIELD"],
	["GET /deliveries?state=gone", undefined, "state INVALID_VALUE"],
	["GET /deliveries?event=ping", undefined, "event INVALID_VALUE"],
	["GET /deliveries?since=yesterday", undefined, "since INVALID_VALUE"],
	["GET /deliveries?cursor=x", undefined, "cursor INVALID_VALUE"],
	["GET /deliveries?limit=501", undefined, "limit INVALID_VALUE"],
	["GET /deliveries?page=2", undefined, "page UNKNOWN_FIELD"],
	...["2026", "2026-13", "2026-1", "1999-12", "2026-11-01", "nov"].map(
		(month): [string, undefined, string] => [`GET /usage?month=${month}`, undefined, "month INVALID_VALUE"],
	),
	["PUT /webhook", { webhook_url: HOOK.webhook_url }, "webhook_events REQUIRED"],
	["PUT /webhook", { webhook_events: HOOK.webhook_events }, "webhook_url REQUIRED"],
	["PUT /webhook", { ...HOOK, webhook_events: ["ping"] }, "webhook_events.0 INVALID_VALUE"],
	["PUT /webhook", { ...HOOK, webhook_url: "https://10.0.0.1/hook" }, "webhook_url INVALID_VALUE"],
	["PUT /webhook", { ...HOOK, name: "Other" }, "name UNKNOWN_FIELD"],
	["PUT /reminders", { holder_reminders: 1 }, "holder_reminders INVALID_TYPE"],
	["PUT /widget", { origins: ["https://shop.example/path"], accent: null }, "origins INVALID_VALUE"],
	["GET /export?status=emitido", undefined, "status UNKNOWN_FIELD"],
])("%s %j: 400 %s, and nothing changes", ([target, body, detail]) => expectRefused(target, body, [detail]));

test.for([undefined, "", " ", "x".repeat(129), 1, "a\u0007"])("no code is cancelled for %j", (reason) =>
	expectRefused("POST /pcodes/CODE/cancel", { reason }, [expect.stringMatching(/^reason /)]),
);

test.for([
	...["cACompromise", "removeFromCRL", "certificateHold", "aACompromise", "KEYCOMPROMISE"],
	...["", null, undefined],
])("RFC 5280 §5.3.1: no certificate is revoked for %j", { tags: ["own-revoke-reasons"] }, (reason) =>
	expectRefused("POST /certificates/SERIAL/revoke", { reason }, [expect.stringMatching(/^reason /)]),
);

test.for([
	{ label: undefined },
	{ label: "" },
	{ label: 7 },
	{ label: "x".repeat(101) },
	{ ...KEY, scopes: [] },
	{ ...KEY, scopes: ["admin"] },
	{ ...KEY, scopes: ["read", "read"] },
	{ ...KEY, expires_at: "2020-01-01T00:00:00Z" },
	{ ...KEY, expires_at: "2099-01-01" },
	{ ...KEY, allowed_cidrs: [] },
	{ ...KEY, allowed_cidrs: ["anywhere"] },
	{ ...KEY, allowed_cidrs: RANGES },
	{ ...KEY, partner_id: "pt_other" },
])("neither the partner nor ops make a key of %j", async (body) => {
	expect((await ops("POST", `/partners/${made.partner.id}/keys`, body)).status).toBe(400);
	await expectRefused("POST /keys", body, [expect.any(String)]);
});
