import { type SQL, sql } from "drizzle-orm";
import { beyond, name, names, ofKeys, ofPartner } from "./copy-rows.ts";
import { closeAfter, openFor, type Seen } from "./move-partner.ts";
import type { PartnerTable } from "./partner-tables.ts";
import { batch, type DatabaseDb, type PartnerDb } from "./query.ts";

/* The rows that a moved partner left behind: what is not there any more where it lives is erased here too. */

/** Old places from this partner on to which nothing moves, and from which nothing is cleared. */
export async function findLeftPlaces(db: DatabaseDb, from: string): Promise<Seen[]> {
	const { places } = await batch(db, {
		places: sql<{
			partnerId: string;
			epoch: number;
		}>`SELECT partner_id AS "partnerId", epoch FROM partner_places
			WHERE state = 'closed' AND copied IS NULL AND partner_id >= ${from} ORDER BY partner_id`,
	});
	return places.map(({ partnerId, epoch }) => ({ partnerId, place: { epoch, copied: null } }));
}

interface OldKeys {
	/** JSON arrays of the rows that have something to erase: the key's values, and which columns have one. */
	keys: string[];
	looked: number;
	/** The walk's key of the last one; null: the table has no more. */
	after: readonly (string | number)[] | null;
}

/** Pages the keys of a partner's rows, in the order of the table's walk. */
export async function pageOldKeys(
	db: DatabaseDb,
	table: PartnerTable,
	partnerId: string,
	{ after, limit }: { after: OldKeys["after"]; limit: number },
): Promise<OldKeys> {
	const full = table.emptied.map((column) => `"${column}" IS NOT NULL`);
	const { page } = await batch(db, {
		page: sql<{
			key: string;
			here: string;
			full: number;
		}>`SELECT json_array(${sql.raw([...table.key, ...full].join(", "))}) AS key,
				json_array(${names(table.walk)}) AS here, ${sql.raw(table.ends ? "1" : full.join(" OR "))} AS "full"
			FROM ${name(table.name)} WHERE ${ofPartner(table, partnerId)} ${beyond(table, after)}
			ORDER BY ${names(table.walk)} LIMIT ${limit}`,
	});
	return {
		keys: page.filter((row) => row.full).map(({ key }) => key),
		looked: page.length,
		after: page.length === limit ? JSON.parse(page.at(-1)!.here) : null,
	};
}

/** Keys to erase: of whole rows, and of each column that is emptied. */
export interface Erased {
	rows: string[];
	columns: { column: string; keys: string[] }[];
}

/**
 * Asks the database in which a partner lives what of these rows is erased. A place that is not open there, or is older, erases
 * nothing: the database was set back to before the move.
 */
export async function findErased(
	db: PartnerDb,
	table: PartnerTable,
	{ partnerId, place }: Seen,
	keys: readonly string[],
): Promise<Erased> {
	const same = table.key.map((column, i) => `"${column}" = sent.value ->> ${i}`).join(" AND ");
	const ask = (when: SQL) => sql<{
		key: string;
	}>`SELECT value AS key FROM json_each(${`[${keys.join(",")}]`}) AS sent
		WHERE EXISTS (SELECT 1 FROM partner_places
				WHERE partner_id = ${partnerId} AND state IN ('open', 'frozen') AND epoch > ${place.epoch})
			AND ${when}`;
	const itsRow = sql`(SELECT 1 FROM ${name(table.name)} WHERE ${ofPartner(table, partnerId)} AND ${sql.raw(same)}`;
	const { rows, columns } = await batch(db, {
		rows: table.ends ? ask(sql`NOT EXISTS ${itsRow})`) : null,
		columns: table.emptied.map((column, i) =>
			ask(
				sql`sent.value ->> ${sql.raw(String(table.key.length + i))} AND EXISTS ${itsRow} AND ${name(column)} IS NULL)`,
			),
		),
	});
	return {
		rows: rows?.map(({ key }) => key) ?? [],
		columns: table.emptied.map((column, i) => ({ column, keys: columns[i]!.map(({ key }) => key) })),
	};
}

/** Erases them in the old place, if it is as it was seen: the rows may be on their way back. */
export async function eraseOldRows(
	db: DatabaseDb,
	table: PartnerTable,
	seen: Seen,
	{ rows, columns }: Erased,
): Promise<void> {
	const these = (keys: readonly string[]) => ofKeys(table, seen.partnerId, `[${keys.join(",")}]`);
	const full = columns.filter(({ keys }) => keys.length > 0);
	const leafless = full.find(({ column }) => column === "leaf_id");
	await batch(db, {
		open: openFor(seen),
		leaves: leafless
			? sql`DELETE FROM leaves WHERE id IN (SELECT leaf_id FROM certificates WHERE ${these(leafless.keys)})`
			: null,
		rows: rows.length > 0 ? sql`DELETE FROM ${name(table.name)} WHERE ${these(rows)}` : null,
		columns: full.map(
			({ column, keys }) => sql`UPDATE ${name(table.name)} SET ${name(column)} = NULL WHERE ${these(keys)}`,
		),
		close: closeAfter(seen, sql`NULL`),
	});
}
