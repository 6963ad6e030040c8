import { beforeAll, expect, test } from "vitest";
import { freshService, ops, Partner } from "../../../support/service.ts";
import { readTables } from "../../../support/tables.ts";

const LONG = "x".repeat(65);
const REASON = { reason: "test" };
let made: { partner: string; key: string; code: string };

beforeAll(async () => {
	await freshService();
	const partner = await Partner.create();
	const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
	made = { partner: partner.id, key: keys[0].id, code: await partner.code() };
});

test.for<[string, object | undefined, string[]]>([
	["POST /partners", { name: "P", mode: "C2C" }, ["mode"]],
	["POST /partners", { name: "P", require_sso: 1 }, ["require_sso"]],
	["POST /partners", { name: "", allowed_products: ["FV04"] }, ["name", "allowed_products.0"]],
	["PATCH /partners/PARTNER", { suspended: 1 }, ["suspended"]],
	["PATCH /partners/PARTNER", { require_sso: true }, ["require_sso"]],
	["PATCH /partners/PARTNER", { webhook_url: "https://10.0.0.1/hook" }, ["webhook_url"]],
	["POST /partners/PARTNER/keys", {}, ["label"]],
	["POST /partners/PARTNER/keys", { label: "a", owner: "me" }, ["owner"]],
	["POST /partners/PARTNER/keys/KEY/rotate", { label: "a", overlap_hours: 169 }, ["overlap_hours"]],
	[`DELETE /partners/PARTNER/keys/${LONG}`, undefined, ["keyId"]],
	["POST /partners/PARTNER/webhook-secret", { overlap_hours: -1 }, ["overlap_hours"]],
	[`GET /pcodes/${LONG}`, undefined, ["p_code"]],
	["POST /pcodes/CODE/cancel", { ...REASON, revocation_reason: "boredom" }, ["revocation_reason"]],
	["POST /pcodes/CODE/unblock", { ...REASON, until: 1 }, ["until"]],
	["POST /pcodes/CODE/replace", {}, ["reason"]],
	[`GET /certificates/${LONG}`, undefined, ["serial"]],
	["GET /audit/code:CODE?from_version=0", undefined, ["from_version"]],
	["POST /audit/verify", { cursor: "no cursor" }, ["cursor"]],
	["POST /restores", { restored_to: "2026-01-31T09:30:00Z" }, ["reason"]],
	["POST /holders/search", { dni: "11111111-2", ...REASON }, ["dni"]],
	["POST /holders/search", { dni: "11111111-1" }, ["reason"]],
	["POST /holders/search", { dni: "11111111-1", reason: " " }, ["reason"]],
	["GET /deliveries?order=oldest", undefined, ["order"]],
	[`POST /deliveries/${LONG}/resend`, undefined, ["id"]],
	[`GET /evidence/${LONG}`, undefined, ["p_code"]],
	["GET /evidence/CODE/left", undefined, ["side"]],
	["POST /reconcile", { repair: "yes" }, ["repair"]],
	["POST /upkeep/erase-holders", { now: true }, ["now"]],
])("%s %j: 400 names what is wrong, and nothing changes", async ([target, body, fields]) => {
	const { partner, key, code } = made;
	const named = target.replace("PARTNER", partner).replace("KEY", key).replace("CODE", code);
	const [method, path] = named.split(" ") as [string, string];
	const before = await readTables();
	const answer = await ops(method, path, body);
	const details = answer.body.details?.map(({ field }: { field: string }) => field);
	expect([answer.status, details]).toEqual([400, fields]);
	expect(await readTables()).toEqual(before);
});
