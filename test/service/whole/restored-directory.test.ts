import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { selectOfNobody } from "../../support/look-inside.ts";
import { untilCrlIsBuilt } from "../../support/pki.ts";
import { callWith, freshService, ops, Partner } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

/* The directory after one database was put back to an earlier time. */

beforeEach(freshService);
beforeEach(() => setTime(Date.now()));
afterEach(untilCrlIsBuilt);

const rebuild = async () => (await ops("POST", "/restores/directory")).body.data;

/** Sets a database back; no isolate knows where anybody is. */
async function putBack(database: D1Database): Promise<void> {
	await setDatabaseBack([database]);
	forgetKeys();
	passTime(DAY_MS);
}

test("DB put back to before a partner and a key were made: both work again, and a second run changes nothing", async () => {
	const before = await Partner.create();
	await keepDatabase();
	const made = await Partner.create();
	const pCode = await made.code();
	const { body } = await ops("POST", `/partners/${before.id}/keys`, { label: "later" });
	await putBack(env.DB);
	expect((await made.list()).status).toBe(401);
	const settled = [{ partner_id: made.id, database: 2, state: "open" }];
	expect(await rebuild()).toEqual({ partners: 2, keys: 2, settled, lost: [], mend: [] });
	passTime(6_000);
	expect(await made.status(pCode)).toBe("ACTIVE");
	expect((await new Partner(before.id, body.data.api_key).list()).status).toBe(200);
	expect(await rebuild()).toEqual({ partners: 2, keys: 0, settled: [], lost: [], mend: [] });
	const rows = await selectOfNobody("SELECT outcome FROM audit_events WHERE action = 'directory_rebuilt'");
	expect(rows).toEqual([{ outcome: "1 partners, 2 keys" }]);
});

test("a partner that no database has is named; none is made, nor a key, while DB is being restored, and none moves while any is", async () => {
	await keepDatabase();
	const partner = await Partner.create();
	await putBack(env.DB_2);
	expect((await rebuild()).lost).toEqual([partner.id]);
	const headers = { authorization: `Bearer ${env.OPS_TOKEN}`, "content-type": "application/json" };
	const other = await Partner.create();
	for (const [FROZEN, path, body] of [
		["1", "/partners", { name: "New" }],
		["1", `/partners/${other.id}/keys`, { label: "new" }],
		["DB_2", `/partners/${other.id}/move`, { to: 1 }],
	] as const) {
		const sent = { headers, body: JSON.stringify(body) };
		expect((await callWith({ FROZEN }, "POST", `/ops/v1${path}`, sent)).status).toBe(503);
	}
	// Half a copy is no home.
	const half = `UPDATE partner_places SET state = 'closed', copied = '{"phase":"erase","table":0}' WHERE partner_id = ?`;
	await env.DB_2.prepare(half).bind(other.id).run();
	expect((await rebuild()).lost).toEqual([partner.id, other.id]);
});
