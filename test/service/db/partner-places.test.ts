import { beforeAll, expect, test } from "vitest";
import { PARTNER_TABLES } from "../../../src/db/partner-tables.ts";
import { activeCode } from "../../support/codes.ts";
import { REGISTER } from "../../support/db.ts";
import { freezePlaces } from "../../support/places.ts";
import { freshService, JUANA } from "../../support/service.ts";
import { tableNames } from "../../support/tables.ts";

beforeAll(freshService);

/** Tables that name a partner and belong to its mover or to the directory. */
const PLACES = ["partner_places", "partner_changes", "directory_partners", "directory_keys"];

const triggers = PARTNER_TABLES.flatMap(({ name, owner, key }) =>
	Object.entries({ insert: "NEW", update: "OLD", delete: "OLD" }).map(([event, row]) => {
		const named = name === "audit_events" ? `${row}.${owner} <> '' AND ` : "";
		return [
			`${name}_${event}_in_place`,
			`CREATE TRIGGER \`${name}_${event}_in_place\` AFTER ${event.toUpperCase()} ON \`${name}\`
WHEN ${named}NOT EXISTS (SELECT 1 FROM partner_places WHERE partner_id = ${row}.${owner} AND state = 'open' AND noting = 0)
BEGIN INSERT INTO partner_changes (partner_id, of_table, key) VALUES (${row}.${owner}, '${name}', json_array(${key.map((column) => `${row}.${column}`).join(", ")})); END`,
		];
	}),
);

test("every table with a partner's rows is one that a move copies, with triggers for each kind of write", async () => {
	const tables = await tableNames();
	const fields = await REGISTER.batch<{ name: string }>(
		tables.map((table) => REGISTER.prepare("SELECT name FROM pragma_table_info(?)").bind(table)),
	);
	const owned = tables.filter(
		(table, i) =>
			!PLACES.includes(table) &&
			(table === "partners" || fields[i]!.results.some(({ name }) => name === "partner_id")),
	);
	expect(owned.sort()).toEqual(PARTNER_TABLES.map(({ name }) => name).sort());
	const stored = await REGISTER.prepare(
		"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_in_place'",
	).all<{ name: string; sql: string }>();
	expect(Object.fromEntries(stored.results.map(({ name, sql }) => [name, sql]))).toEqual(
		Object.fromEntries(triggers),
	);
});

test("a move copies every column but those that SQLite computes or numbers", async () => {
	for (const { name, columns } of PARTNER_TABLES) {
		const { results } = await REGISTER.prepare("SELECT name FROM pragma_table_info(?)").bind(name).all();
		const own = results.map((row) => String(row.name));
		expect(own.filter((column) => !columns.includes(column))).toEqual(
			name === "delivery_attempts" ? ["id"] : [],
		);
	}
});

test("a partner whose place is frozen reads on; what it writes gets 503 with Retry-After, and changes nothing", async () => {
	const { partner, pCode } = await activeCode();
	await partner.manageKey();
	await freezePlaces(partner.id);
	const refused = await Promise.all([
		partner.bulk(),
		partner.request({ pCode, ...JUANA }),
		partner.desk("POST", `/pcodes/${pCode}/cancel`, { reason: "test" }),
	]);
	for (const { status, headers, body } of refused)
		expect([status, headers.get("retry-after"), body.error]).toEqual([503, "30", "SERVICE_UNAVAILABLE"]);
	expect(refused[0]!.body.message).toBe("The service cannot answer now. Retry later.");
	expect(await partner.status(pCode)).toBe("ACTIVE");
	expect((await partner.listed(pCode)).status).toBe("sin_utilizar");
});
