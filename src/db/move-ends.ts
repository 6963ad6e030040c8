import { sql } from "drizzle-orm";
import type { Copied } from "../domain/decide-move.ts";
import type { PlaceRow } from "./move-partner.ts";
import { PARTNER_TABLES } from "./partner-tables.ts";
import { batch, type DatabaseDb, query } from "./query.ts";

/* How a partner's move ends: frozen, compared, closed here and opened there, or given up. */

/** Refuses the partner's writes in the place that it leaves. */
export async function freezePlace(db: DatabaseDb, place: PlaceRow, now: number): Promise<void> {
	await query(
		db.run(sql`UPDATE partner_places SET state = 'frozen', since = ${now}
			WHERE partner_id = ${place.partnerId} AND epoch = ${place.epoch} AND state = 'open' AND noting = 1`),
	);
}

/** Counts of every table, and the ends of the audit's chains: the same in both databases, or the copy is wrong. */
export async function summarise(db: DatabaseDb, partnerId: string): Promise<string> {
	const counts = PARTNER_TABLES.map(
		({ name, owner }) =>
			sql<{
				n: number;
			}>`SELECT count(*) AS n FROM ${sql.raw(`"${name}"`)} WHERE ${sql.raw(owner)} = ${partnerId}`,
	);
	const summary = await batch(db, {
		counts,
		audit: sql`SELECT count(*) AS n, sum(version) AS versions, max(at) AS last FROM audit_events
			WHERE partner_id = ${partnerId}`,
		own: sql`SELECT version, hash, mac FROM audit_events
			WHERE entity = ${`partner:${partnerId}`} ORDER BY version DESC LIMIT 1`,
		codes: sql`SELECT sum(version) AS versions FROM purchase_codes WHERE partner_id = ${partnerId}`,
		counted: sql`SELECT sum(n) AS n FROM code_counts WHERE partner_id = ${partnerId}`,
		used: sql`SELECT sum(n) AS n FROM usage_counts WHERE partner_id = ${partnerId}`,
	});
	return JSON.stringify(summary);
}

/** Notes that the copy is right. Whoever changes a row from now on is noted, and the place is not closed then. */
export async function notePlaceCompared(db: DatabaseDb, place: PlaceRow): Promise<void> {
	const { partnerId, epoch, copied } = place;
	if (copied?.phase !== "notes") return;
	const compared = JSON.stringify({ phase: "compared", noted: copied.noted } satisfies Copied);
	await query(
		db.run(sql`UPDATE partner_places SET copied = ${compared} WHERE partner_id = ${partnerId}
			AND epoch = ${epoch} AND state = 'closed' AND copied = ${JSON.stringify(copied)}`),
	);
}

/** Closes the frozen place for good, if all that was noted there has been copied. */
export async function closePlace(
	db: DatabaseDb,
	{ partnerId, epoch }: PlaceRow,
	noted: number,
	now: number,
): Promise<void> {
	await batch(db, {
		close: sql`UPDATE partner_places SET state = 'closed', noting = 0, since = ${now}
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'frozen'
				AND NOT EXISTS (SELECT 1 FROM partner_changes WHERE partner_id = ${partnerId} AND id > ${noted})`,
		notes: sql`DELETE FROM partner_changes WHERE partner_id = ${partnerId} AND EXISTS (SELECT 1 FROM partner_places
			WHERE partner_id = ${partnerId} AND epoch = ${epoch} AND state = 'closed')`,
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
