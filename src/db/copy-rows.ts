import { type SQL, sql } from "drizzle-orm";
import type { PartnerTable } from "./partner-tables.ts";
import { batch, type DatabaseDb } from "./query.ts";

/* Rows of a partner as JSON text, which a mover hands on from one database to the other unread. */

/** Characters of a page: D1 takes values of 2 MB. */
const PAGE_LENGTH = 1_000_000;

export const name = (text: string) => sql.raw(`"${text}"`);
export const names = (columns: readonly string[]) =>
	sql.raw(columns.map((column) => `"${column}"`).join(", "));
export const ofPartner = ({ owner }: PartnerTable, partnerId: string) => sql`${name(owner)} = ${partnerId}`;
/**
 * Condition for a partner's rows of these keys. The `+` keeps SQLite from an index by which it would read all rows of the
 * partner and look for each one's key.
 * @param keys - JSON array of arrays
 */
export const ofKeys = (table: PartnerTable, partnerId: string, keys: string | SQL) =>
	ofSelected(
		table,
		partnerId,
		sql`SELECT ${sql.raw(table.key.map((_, i) => `value ->> ${i}`).join(", "))} FROM json_each(${keys})`,
	);
/** Condition for a partner's rows of the keys that a statement selects. */
export const ofSelected = (table: PartnerTable, partnerId: string, selected: SQL) =>
	sql`${sql.raw(table.within ? "" : "+")}${ofPartner(table, partnerId)} AND (${names(table.key)}) IN (${selected})`;

/** A row as a JSON array: bytes in hex, and a certificate's leaf behind its columns. */
function packed({ name: table, columns, bytes }: PartnerTable): SQL {
	const values = columns.map((column) => {
		if (table === "certificates" && column === "leaf_id") return "NULL";
		return bytes.includes(column) ? `hex("${column}")` : `"${column}"`;
	});
	if (table === "certificates") values.push("(SELECT hex(sealed) FROM leaves WHERE id = leaf_id)");
	return sql.raw(`json_array(${values.join(", ")})`);
}

interface Page {
	/** JSON arrays. */
	rows: string[];
	/** The walk's key of the last one; null: the table has no more. */
	after: readonly (string | number)[] | null;
}

/** Condition for the rows after this one, in the order of the table's walk. */
export const beyond = ({ walk }: PartnerTable, after: Page["after"]) =>
	after
		? sql`AND (${names(walk)}) > (${sql.join(
				after.map((value) => sql`${value}`),
				sql`, `,
			)})`
		: sql``;

/** Reads one page of a partner's rows, in the order of the table's walk. */
export async function readPage(
	db: DatabaseDb,
	table: PartnerTable,
	partnerId: string,
	after: readonly (string | number)[] | null,
): Promise<Page> {
	const { page } = await batch(db, {
		page: sql<{
			row: string;
			here: string;
		}>`SELECT ${packed(table)} AS row, json_array(${names(table.walk)}) AS here
			FROM ${name(table.name)} WHERE ${ofPartner(table, partnerId)} ${beyond(table, after)}
			ORDER BY ${names(table.walk)} LIMIT ${table.page}`,
	});
	let length = 0;
	const fits = page.filter(({ row }, n) => {
		length += row.length;
		return n === 0 || length <= PAGE_LENGTH;
	});
	const more = fits.length < page.length || page.length === table.page;
	return { rows: fits.map(({ row }) => row), after: more ? JSON.parse(fits.at(-1)!.here) : null };
}

/** Statements that write rows as they were packed, and the condition that they are there as they were. */
export function writeRows(
	table: PartnerTable,
	partnerId: string,
	rows: readonly string[],
): { write: SQL[]; right: SQL } {
	if (rows.length === 0) return { write: [], right: sql`true` };
	const { columns, bytes, key } = table;
	const all = `[${rows.join(",")}]`;
	const leaf = columns.length;
	const withLeaf = rows.findLastIndex((row) => !row.endsWith(",null]")) + 1;
	const values = columns.map((column, i) => {
		if (table.name === "certificates" && column === "leaf_id")
			return `iif(value ->> ${leaf} IS NULL, NULL, (SELECT max(id) FROM leaves) - ${withLeaf} + key + 1)`;
		return bytes.includes(column) ? `unhex(value ->> ${i})` : `value ->> ${i}`;
	});
	const leaves = sql`INSERT INTO leaves (id, sealed)
		SELECT (SELECT ifnull(max(id), 0) FROM leaves) + key + 1, unhex(value ->> ${sql.raw(String(leaf))})
		FROM json_each(${all}) WHERE value ->> ${sql.raw(String(leaf))} IS NOT NULL`;
	const insert = sql`INSERT INTO ${name(table.name)} (${names(columns)})
		SELECT ${sql.raw(values.join(", "))} FROM json_each(${all})`;
	const same = key.map((column) => `"${column}" = sent.value ->> ${columns.indexOf(column)}`).join(" AND ");
	return {
		write: table.name === "certificates" ? [leaves, insert] : [insert],
		right: sql`NOT EXISTS (SELECT 1 FROM json_each(${all}) AS sent WHERE NOT EXISTS (SELECT 1 FROM ${name(table.name)}
			WHERE ${ofPartner(table, partnerId)} AND ${sql.raw(same)} AND ${packed(table)} = sent.value))`,
	};
}

/** Selects the rows of these keys, packed. */
export function selectPacked(table: PartnerTable, partnerId: string, keys: string): SQL<{ row: string }> {
	const order = table.name === "delivery_attempts" ? sql`ORDER BY id` : sql``;
	return sql<{ row: string }>`SELECT ${packed(table)} AS row FROM ${name(table.name)}
		WHERE ${ofKeys(table, partnerId, keys)} ${order}`;
}
