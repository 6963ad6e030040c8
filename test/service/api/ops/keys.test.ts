import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { AuditEntry } from "../../../../src/db/audit-events.ts";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../support/clock.ts";
import { refusal } from "../../../support/refusal.ts";
import { type Answer, call, freshService, ops, Partner } from "../../../support/service.ts";

const PRINTED_KEY = /^gw_dev_[0-9A-HJKMNP-TV-Z]{32}$/;

type AuditRow = AuditEntry & { previousHash: string; hash: string };

async function auditOf(entity: string): Promise<AuditRow[]> {
	const { results } = await env.DB_2.prepare(
		`SELECT entity, version, partner_id AS partnerId, at, actor, action, outcome, request_id AS requestId, step,
			previous_hash AS previousHash, hash FROM audit_events WHERE entity = ? ORDER BY version`,
	)
		.bind(entity)
		.all<AuditRow>();
	return results;
}

function listWith(key: string): Promise<Answer> {
	return call("GET", "/api/partner/v1/pcodes", { headers: { "x-gw": key } });
}

beforeAll(freshService);

describe("keys", () => {
	test("decision: a partner may hold several; each has a label, created, last-used and revoked time", {
		tags: ["key-several"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const added = await ops("POST", `/partners/${partner.id}/keys`, { label: "kiosk 7" });
		expect(added.status).toBe(201);
		expect(added.body.data.api_key).toMatch(PRINTED_KEY);
		expect(added.body.data.api_key).not.toBe(partner.key);
		expect(added.body.data.key).toEqual({
			id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
			label: "kiosk 7",
			scopes: ["codes", "redeem", "read"],
			expires_at: null,
			allowed_cidrs: null,
			created_at: new Date().toISOString(),
			last_used_at: null,
			revoked_at: null,
		});
		expect((await listWith(added.body.data.api_key)).status).toBe(200);
		expect((await partner.list()).status).toBe(200);
		expect((await ops("GET", `/partners/${partner.id}`)).body.data.keys).toHaveLength(2);
	});

	test("two keys of one partner see the same codes", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const { api_key } = (await ops("POST", `/partners/${partner.id}/keys`, { label: "second" })).body.data;
		const { body } = await listWith(api_key);
		expect(body.data.pcodes.map(({ pcode }: { pcode: string }) => pcode)).toEqual([code]);
	});

	test("revoked: 200 with its time, refused from then on; again changes nothing", {
		tags: ["key-revoked"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const [key] = (await ops("GET", `/partners/${partner.id}`)).body.data.keys;
		const path = `/partners/${partner.id}/keys/${key.id}`;
		const revoked = await ops("DELETE", path);
		expect([revoked.status, revoked.body.data.key.revoked_at]).toEqual([200, new Date().toISOString()]);
		expect((await partner.list()).status).toBe(401);

		const rows = await auditOf(`partner:${partner.id}`);
		passTime(MINUTE_MS);
		const again = await ops("DELETE", path);
		expect([again.status, again.body.data.key]).toEqual([200, revoked.body.data.key]);
		expect(await auditOf(`partner:${partner.id}`)).toEqual(rows);
	});

	test("a key of another partner is not found under this one, and stays good", async () => {
		const [ours, theirs] = [await Partner.create(), await Partner.create()];
		const [key] = (await ops("GET", `/partners/${theirs.id}`)).body.data.keys;
		expect(refusal(await ops("DELETE", `/partners/${ours.id}/keys/${key.id}`))).toEqual([404, "NOT_FOUND"]);
		expect((await theirs.list()).status).toBe(200);
	});
});
