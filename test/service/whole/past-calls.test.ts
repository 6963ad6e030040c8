import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { CONSOLE_ROUTES } from "../../../src/pages/partner/router.ts";
import { act, signIn } from "../../support/console.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { select } from "../../support/look-inside.ts";
import { holdQueue } from "../../support/receiver.ts";
import { call, freshService, loadHolder, Partner } from "../../support/service.ts";
import { tableNames } from "../../support/tables.ts";
import { sessionOf } from "../../support/widget.ts";
import { PARTNER_ROUTES } from "./partner-routes.ts";

/*
 * Rows that a partner's past calls leave in any table cost its later calls nothing: D1 runs one query at a time, and a
 * partner that fills a table would slow the others down. Every table is grown, whoever adds one, and every call is made.
 */

beforeAll(freshService);

/** Rows of each table, and the most that one statement may read: the overview counts three times up to 1,000. */
const PAST = 4_000;
const MOST = 3_200;

/** Tables of no partner, and those of which a partner's calls leave a row or two: a rotated secret and a former logo are deleted. */
const NOT_GROWN = [
	"partner_places",
	"partner_changes",
	...["partners", "leaves", "crl_state", "published_revocations", "revocation_mark", "upkeep_jobs"],
	...["directory_partners", "directory_keys", "directory_databases"],
	...["sent_forms", "santiago_offsets", "holder_visits", "holder_counts", "webhook_secrets", "widget_logos"],
];

/** States of the rows of the past, an equal share each. At most 100 keys are in force: those of the past have ended. */
const STATES: Readonly<Record<string, readonly string[]>> = {
	api_keys: ["revoked_at = 1", "expires_at = 2"],
	outbox: [
		"delivered_at = 1, next_attempt_at = NULL, payload_sealed = NULL",
		"dead_at = 1, next_attempt_at = NULL, payload_sealed = NULL",
		"next_attempt_at = 1, delivered_at = NULL",
	],
	certificates: ["revoked_at = 1", "revoked_at = NULL"],
};

/** Batches and codes are numbered without a gap: those of the past come by calls, and batches without codes before them. */
const NUMBERED = ["batches", "purchase_codes"];

/** Copies the partner's row of a table, or one made up, with other values in its unique columns; the latest are in {@link STATES}. */
async function grow(table: string, partnerId: string): Promise<void> {
	const columns = await select(`SELECT name, type, pk FROM pragma_table_info('${table}')`);
	const unique = await select(
		`SELECT DISTINCT part.name FROM pragma_index_list('${table}') AS list, pragma_index_info(list.name) AS part WHERE list."unique"`,
	);
	const varied = new Set([...columns.filter(({ pk }) => pk), ...unique].map(({ name }) => name));
	const isNumber = (type: unknown) => /int/i.test(String(type));
	const values = columns.map(({ name, type }) => {
		if (name === "partner_id") return "?1";
		if (/^(created_)?at$/.test(String(name))) return `coalesce(old."${name}", ${PAST}) - i`;
		const old = `coalesce(old."${name}", ${isNumber(type) ? "1" : "'x'"})`;
		if (varied.has(name) || name === "code")
			return isNumber(type) ? `${old} + 100000 + i` : `${old} || '-' || i`;
		return `iif(old.partner_id IS NULL, ${isNumber(type) ? "1" : "'x'"}, old."${name}")`;
	});
	const names = columns.map(({ name }) => `"${name}"`).join(", ");
	const past = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAST})
		INSERT INTO "${table}" (${names}) SELECT ${values.join(", ")}
		FROM n LEFT JOIN (SELECT * FROM "${table}" WHERE partner_id = ?1 LIMIT 1) AS old`;
	await env.DB_2.prepare(past).bind(partnerId).run();
	const states = STATES[table] ?? [];
	const id = table === "certificates" ? "serial" : "id";
	for (const [share, state] of states.entries())
		await env.DB_2.prepare(
			`UPDATE "${table}" SET ${state} WHERE partner_id = ?1 AND ${id} LIKE '%-%' AND substr(${id}, -2) % ${states.length} = ${share}`,
		)
			.bind(partnerId)
			.run();
}

type Costly = readonly [call: string, rows: number, statement: string];

/** Statements that read more than {@link MOST} rows. A single one's result says nothing: it is asked again by itself. */
async function costlyDuring(name: string, act: () => Promise<unknown>): Promise<Costly[]> {
	const read: [string, number][] = [];
	const asked: { statement: string; params: readonly unknown[] }[] = [];
	await interceptDb(async (_nth, deliver, _sql, trip) => {
		const result = await deliver();
		const results = [result].flat() as Partial<D1Result>[];
		trip.forEach(({ statement, params }, i) => {
			if (results[i]?.meta) read.push([statement, results[i].meta.rows_read]);
			else asked.push({ statement, params });
		});
		return result;
	}, act);
	for (const { statement, params } of asked) {
		const { meta } = await env.DB_2.prepare(statement)
			.bind(...params)
			.all();
		read.push([statement, meta.rows_read]);
	}
	return read.flatMap(([statement, rows]) => (rows > MOST ? [[name, rows, statement] as const] : []));
}

test("no statement of a partner's call reads rows that its past calls can grow without bound", {
	tags: ["certificates-rows"],
	timeout: 120_000,
}, async () => {
	holdQueue("all");
	const partner = await Partner.create({
		webhook_url: "https://partner.example/hook",
		webhook_events: ["*"],
	});
	const holder = loadHolder(7);
	for (let codes = 0; codes < PAST; codes += 500)
		await partner.bulk(500, "FV01", { "Idempotency-Key": `order-${codes}` });
	const pCode = await partner.code();
	await partner.request({ pCode, ...holder });
	const { serialNumber } = (await partner.claim(pCode, { dni: holder.dni, pin: holder.pin })).body.data;
	const { session } = await sessionOf(partner, await partner.code());
	const browser = await signIn(partner);
	const [delivery] = await select("SELECT id FROM outbox WHERE channel = 'webhook'");
	const { key } = (await partner.desk("POST", "/keys", { label: "to be revoked" })).body.data;

	const tables = (await tableNames()).filter((table) => !NOT_GROWN.includes(table));
	for (const table of tables) if (!NUMBERED.includes(table)) await grow(table, partner.id);
	await env.DB_2.prepare(
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PAST})
		INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at) SELECT 'past-' || i, ?, 'FV01', -i, -i, i FROM n`,
	)
		.bind(partner.id)
		.run();
	for (const table of tables) {
		const [grown] = await select(`SELECT count(*) AS n FROM "${table}" WHERE partner_id = ?`, partner.id);
		expect([table, Number(grown!.n) >= PAST]).toEqual([table, true]);
	}

	const things: Record<string, string> = {
		"onboarding_sessions session_id": session,
		"keys id": key.id,
		"deliveries id": delivery!.id,
		"pcodes p_code": pCode,
		"certificates serial": serialNumber,
	};
	const manageKey = await partner.manageKey();
	const fresh: string[] = (await partner.bulk(100)).body.data.pcodes;
	const costly: Costly[] = [];
	for (const { method, template, query = "", body } of PARTNER_ROUTES.filter(
		({ template }) => !/sandbox|listen/.test(template),
	)) {
		const code = fresh.pop();
		const path = template.replace(/(\w+)\/\{(\w+)\}/, (_, of, name) => `${of}/${things[`${of} ${name}`]}`);
		const sent = body && {
			...body,
			...("pCode" in body && { pCode: code, ...holder }),
			...("p_code" in body && { p_code: code }),
		};
		const make = () =>
			call(method, path + query, {
				headers: { "x-gw": manageKey, ...(sent && { "content-type": "application/json" }) },
				...(sent && { body: JSON.stringify(sent) }),
			});
		costly.push(...(await costlyDuring(`${method} ${template}`, make)));
	}
	for (const { path, method } of CONSOLE_ROUTES) {
		if (method !== "GET" || path.includes("order")) continue;
		const ids: Record<string, string> = {
			id: key.id,
			code: pCode,
			delivery: delivery!.id,
			serial: serialNumber,
		};
		const address = `/console${path}`.replaceAll(/:(\w+)/g, (_, name: string) => ids[name]!);
		costly.push(...(await costlyDuring(`GET ${address}`, () => browser.open(address))));
	}
	for (const text of [pCode.slice(0, 4), holder.referenceId, serialNumber, loadHolder(1).dni, "nothing"])
		costly.push(...(await costlyDuring(`find ${text}`, () => act(browser, "/console/find", [["q", text]]))));
	expect(costly).toEqual([]);
});
