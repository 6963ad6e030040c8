import { type SQL, sql } from "drizzle-orm";
import { type Copied, FEW_NOTES } from "../domain/decide-move.ts";
import { name, ofKeys, ofPartner } from "./copy-rows.ts";
import type { PlaceRow } from "./move-partner.ts";
import { PARTNER_TABLES } from "./partner-tables.ts";
import { batch, type DatabaseDb, query } from "./query.ts";

/* How a partner's move ends: compared, frozen, closed here and opened there, or given up. */

/** Refuses the partner's writes in the place that it leaves, if few notes are left to copy. */
export async function freezePlace(
	db: DatabaseDb,
	{ partnerId, epoch }: PlaceRow,
	noted: number,
	now: number,
): Promise<void> {
	await query(
		db.run(sql`UPDATE partner_places SET state = 'frozen', since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'open' AND noting = 1
				AND (SELECT count(*) FROM (SELECT 1 FROM partner_changes
					WHERE partner_id = ${partnerId} AND id > ${noted} LIMIT ${FEW_NOTES + 1})) <= ${FEW_NOTES}`),
	);
}

/** Gives up a freeze that lasts too long; the copy goes on. */
export async function thawPlace(
	db: DatabaseDb,
	{ partnerId, epoch, since }: PlaceRow,
	now: number,
): Promise<void> {
	await query(
		db.run(sql`UPDATE partner_places SET state = 'open', since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'frozen' AND since = ${since}`),
	);
}

/** The column that is summed up beside a table's count. */
const SUMMED: Readonly<Record<string, string>> = {
	partners: "version",
	purchase_codes: "version",
	audit_events: "version",
	code_counts: "n",
	usage_counts: "n",
};

/**
 * Compares the count of the next table while the partner works: of all rows but those that were noted after the copy's progress,
 * which are copied and compared before the end. `overtaken`: another mover has gone on.
 */
export async function compareCounts(
	from: DatabaseDb,
	to: DatabaseDb,
	{ partnerId, copied }: PlaceRow,
): Promise<"same" | "differs" | "overtaken"> {
	if (copied?.phase !== "notes") return "overtaken";
	const table = PARTNER_TABLES[copied.table]!;
	const count = (of: SQL) => sql<{ n: number; sum: number }>`SELECT count(*) AS n,
		coalesce(sum(${sql.raw(SUMMED[table.name] ?? "0")}), 0) AS sum
		FROM ${name(table.name)} WHERE ${of}`;
	const later = sql`SELECT json_group_array(json(key)) AS keys FROM partner_changes
		WHERE partner_id = ${partnerId} AND id > ${copied.noted} AND of_table = ${table.name}`;
	const old = await batch(from, {
		all: count(ofPartner(table, partnerId)),
		noted: count(ofKeys(table, partnerId, sql`(${later})`)),
		keys: later as SQL<{ keys: string }>,
	});
	const copy = await batch(to, {
		all: count(ofPartner(table, partnerId)),
		noted: count(ofKeys(table, partnerId, old.keys[0]!.keys)),
		place: sql<{ copied: string | null }>`SELECT copied FROM partner_places WHERE partner_id = ${partnerId}`,
	});
	if (copy.place[0]?.copied !== JSON.stringify(copied)) return "overtaken";
	const [rest, its] = [old, copy].map(({ all, noted }) => [
		all[0]!.n - noted[0]!.n,
		all[0]!.sum - noted[0]!.sum,
	]);
	return String(rest) === String(its) ? "same" : "differs";
}

/** Reads the end of the partner's own audit: the same in both databases before the old place is closed. */
export async function readAuditEnd(db: DatabaseDb, partnerId: string): Promise<string> {
	const { end } = await batch(db, {
		end: sql`SELECT version, hash, mac FROM audit_events
			WHERE entity = ${`partner:${partnerId}`} ORDER BY version DESC LIMIT 1`,
	});
	return JSON.stringify(end);
}

/** Notes that the next table is right; after the last one the copy is. */
export async function notePlaceCompared(db: DatabaseDb, place: PlaceRow): Promise<void> {
	const { partnerId, epoch, copied } = place;
	if (copied?.phase !== "notes") return;
	const { noted, table } = copied;
	const next: Copied =
		table + 1 < PARTNER_TABLES.length
			? { phase: "notes", noted, table: table + 1 }
			: { phase: "compared", noted };
	const compared = JSON.stringify(next);
	await query(
		db.run(sql`UPDATE partner_places SET copied = ${compared} WHERE partner_id = ${partnerId}
			AND epoch = ${epoch} AND state = 'closed' AND copied = ${JSON.stringify(copied)}`),
	);
}

/** Ends the frozen place's writes for good, if all that was noted there has been copied. */
export async function closePlace(
	db: DatabaseDb,
	{ partnerId, epoch }: PlaceRow,
	noted: number,
	now: number,
): Promise<void> {
	await batch(db, {
		close: sql`UPDATE partner_places SET state = 'leaving', noting = 0, since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'frozen'
				AND NOT EXISTS (SELECT 1 FROM partner_changes WHERE partner_id = ${partnerId} AND id > ${noted})`,
		notes: sql`DELETE FROM partner_changes WHERE partner_id = ${partnerId} AND EXISTS (SELECT 1 FROM partner_places
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'leaving')`,
	});
}

/** Opens the compared copy to the partner. */
export async function openPlace(db: DatabaseDb, place: PlaceRow, now: number): Promise<void> {
	const { partnerId, epoch, copied } = place;
	await query(
		db.run(sql`UPDATE partner_places SET state = 'open', copied = NULL, since = ${now} WHERE partner_id = ${partnerId}
			AND epoch = ${epoch} AND state = 'closed' AND copied = ${JSON.stringify(copied)}`),
	);
}

/** Ends the reading of the old rows, once the new place is open. */
export async function retirePlace(
	db: DatabaseDb,
	{ partnerId, epoch }: PlaceRow,
	now: number,
): Promise<void> {
	await query(
		db.run(sql`UPDATE partner_places SET state = 'closed', since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'leaving'`),
	);
}

/** Opens the old place again under an epoch beyond the copy's, for a move that is given up. */
export async function reopenPlace(
	db: DatabaseDb,
	{ partnerId, epoch }: PlaceRow,
	now: number,
): Promise<void> {
	const its = sql`partner_id = ${partnerId} AND epoch = ${epoch + 2}`;
	await batch(db, {
		open: sql`UPDATE partner_places SET state = 'open', noting = 0, epoch = ${epoch + 2}, since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch}`,
		notes: sql`DELETE FROM partner_changes WHERE partner_id = ${partnerId}
			AND EXISTS (SELECT 1 FROM partner_places WHERE ${its})`,
	});
}
