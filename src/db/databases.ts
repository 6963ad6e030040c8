import { batch, type DatabaseDb, type DirectoryDb, named, query, type Statement } from "./query.ts";
import { type DatabaseState, directoryDatabases } from "./schema-directory.ts";

/* The databases themselves: which of them take new partners, in the directory, and how much is in each. */

/** Reads what ops said of each database, by its number; empty before the first word. */
export async function readStates(directory: DirectoryDb): Promise<Map<number, DatabaseState>> {
	const rows = await query(directory.select().from(directoryDatabases));
	return new Map(rows.map(({ number, state }) => [number, state]));
}

/** Says of a database whether it takes new partners. */
export function sayState(directory: DirectoryDb, number: number, state: DatabaseState): Statement {
	return directory
		.insert(directoryDatabases)
		.values({ number, state })
		.onConflictDoUpdate({ target: directoryDatabases.number, set: { state } });
}

/**
 * Counts the certificates of these partners: codes that read EMITTED. A batch, so that D1 reports the database's size.
 */
export async function countCertificates(db: DatabaseDb, partnerIds: readonly string[]): Promise<number> {
	const { counted } = await batch(db, {
		counted: named<{ n: number }>(
			`SELECT coalesce(sum(n), 0) AS n FROM json_each(:ids) AS partner CROSS JOIN code_counts
				ON code_counts.partner_id = partner.value AND reference = '' AND facet = 'issued' AND level = 14`,
			{ ids: JSON.stringify(partnerIds) },
		),
	});
	return counted[0]?.n ?? 0;
}
