import { type SQL, sql } from "drizzle-orm";
import type { Copied } from "../domain/decide-move.ts";
import {
	name,
	names,
	ofKeys,
	ofPartner,
	ofSelected,
	readPage,
	selectPacked,
	writeRows,
} from "./copy-rows.ts";
import { PARTNER_TABLES } from "./partner-tables.ts";
import { batch, ConstraintViolated, type DatabaseDb, query } from "./query.ts";
import type { partnerPlaces } from "./schema-places.ts";

/*
 * Statements of a partner's mover. Each write is one batch that opens the place for the mover if it is as the mover saw it,
 * and closes it again: another mover, or an older one, finds it changed and writes nothing.
 */

export type PlaceRow = Omit<typeof partnerPlaces.$inferSelect, "copied"> & { copied: Copied | null };

/** A partner and its place as the mover saw it. */
export interface Seen {
	partnerId: string;
	place: Pick<PlaceRow, "epoch" | "copied">;
}

type Noted = Extract<Copied, { noted: number }>;

/** Notes that are read at a time. */
const NOTES = 200;
/** Rows that one batch erases. */
const ERASED = 500;
/** Reads a partner's place in a database; null where it has none. */
export async function findPlaceIn(db: DatabaseDb, partnerId: string): Promise<PlaceRow | null> {
	const { places } = await batch(db, {
		places: sql<Omit<PlaceRow, "copied" | "noting"> & { noting: number; copied: string | null }>`
			SELECT partner_id AS "partnerId", number, epoch, state, since, noting, copied
			FROM partner_places WHERE partner_id = ${partnerId}`,
	});
	const [row] = places;
	return row ? { ...row, noting: row.noting === 1, copied: row.copied && JSON.parse(row.copied) } : null;
}

/** Counts the notes after this one, to 1,000. */
export async function countNotes(db: DatabaseDb, partnerId: string, noted: number): Promise<number> {
	const { notes } = await batch(db, {
		notes: sql<{ n: number }>`SELECT count(*) AS n FROM (SELECT 1 FROM partner_changes
			WHERE partner_id = ${partnerId} AND id > ${noted} LIMIT 1000)`,
	});
	return notes[0]!.n;
}

/** Has triggers note what changes from now on. */
export async function beginNoting(db: DatabaseDb, { partnerId, place }: Seen): Promise<void> {
	const its = sql`partner_id = ${partnerId} AND epoch = ${place.epoch} AND state = 'open' AND noting = 0`;
	await batch(db, {
		old: sql`DELETE FROM partner_changes WHERE partner_id = ${partnerId}
			AND EXISTS (SELECT 1 FROM partner_places WHERE ${its})`,
		noting: sql`UPDATE partner_places SET noting = 1 WHERE ${its}`,
	});
}

/** Makes the closed place that is copied to. One that another partner's move left there, or an older one, is taken. */
export async function preparePlace(
	db: DatabaseDb,
	place: Pick<PlaceRow, "partnerId" | "number" | "epoch">,
	now: number,
): Promise<void> {
	const { partnerId, number, epoch } = place;
	const empty = JSON.stringify({ phase: "copy", table: 0, after: null } satisfies Copied);
	const erase = JSON.stringify({ phase: "erase", table: 0 } satisfies Copied);
	await query(
		db.run(sql`INSERT INTO partner_places (partner_id, number, epoch, state, since, copied)
			VALUES (${partnerId}, ${number}, ${epoch}, 'closed', ${now}, ${empty})
			ON CONFLICT DO UPDATE SET epoch = excluded.epoch, since = excluded.since, noting = 0, copied = ${erase}
			WHERE state = 'closed' AND epoch < excluded.epoch`),
	);
}

/** Lets the mover write within a batch. The place is not as it was seen: `state` may not be null, and nothing is written. */
export function openFor({ partnerId, place }: Seen): SQL {
	const copied = place.copied && JSON.stringify(place.copied);
	return sql`UPDATE partner_places SET state = CASE
		WHEN state = 'closed' AND epoch = ${place.epoch} AND copied IS ${copied} THEN 'mover' END
		WHERE partner_id = ${partnerId}`;
}

/** Ends the mover's writing, and notes how far it came. @param right - what must be true, or all is undone */
export function closeAfter({ partnerId }: Seen, copied: SQL, right = sql`true`): SQL {
	return sql`UPDATE partner_places SET state = 'closed', copied = ${copied}, since = CASE WHEN ${right} THEN since END
		WHERE partner_id = ${partnerId}`;
}

const asText = (copied: Copied) => sql`${JSON.stringify(copied)}`;

/**
 * Erases the next rows of a partner's copy. @returns false when nothing of it was left. The last rows of the audit are
 * among them: the triggers let the mover alone remove those, where the partner's place is closed.
 */
export async function eraseNext(db: DatabaseDb, seen: Seen): Promise<boolean> {
	const table = seen.place.copied?.phase === "erase" ? seen.place.copied.table : 0;
	const erased = PARTNER_TABLES[table];
	if (!erased) return false;
	const own = ofPartner(erased, seen.partnerId);
	const first = sql`SELECT ${names(erased.key)} FROM ${name(erased.name)} WHERE ${own} LIMIT ${ERASED}`;
	const these = ofSelected(erased, seen.partnerId, first);
	const leaves = sql`DELETE FROM leaves WHERE id IN (SELECT leaf_id FROM certificates WHERE ${these})`;
	const next = sql`iif(EXISTS (SELECT 1 FROM ${name(erased.name)} WHERE ${own}),
		${JSON.stringify({ phase: "erase", table })}, ${JSON.stringify({ phase: "erase", table: table + 1 })})`;
	await batch(db, {
		open: openFor(seen),
		leaves: erased.name === "certificates" ? leaves : null,
		rows: sql`DELETE FROM ${name(erased.name)} WHERE ${these}`,
		close: closeAfter(seen, next),
	});
	return true;
}

/** Notes that nothing is left to erase, so that the copy may begin. */
export async function beginCopy(db: DatabaseDb, seen: Seen): Promise<void> {
	await batch(db, {
		open: openFor(seen),
		close: closeAfter(seen, asText({ phase: "copy", table: 0, after: null })),
	});
}

/** Removes an erased place. */
export async function dropPlace(db: DatabaseDb, { partnerId, place }: Seen): Promise<void> {
	await query(
		db.run(sql`DELETE FROM partner_places
			WHERE partner_id = ${partnerId} AND epoch = ${place.epoch} AND state = 'closed'`),
	);
}

/** Copies the next page of the table that the place's progress names, and compares it. @returns how many rows it had */
export async function copyPage(from: DatabaseDb, to: DatabaseDb, seen: Seen): Promise<number> {
	const { copied } = seen.place;
	if (copied?.phase !== "copy") return 0;
	const table = PARTNER_TABLES[copied.table]!;
	const { rows, after } = await readPage(from, table, seen.partnerId, copied.after);
	const next = after
		? { ...copied, after }
		: copied.table + 1 < PARTNER_TABLES.length
			? { ...copied, table: copied.table + 1, after: null }
			: { phase: "notes" as const, noted: 0, table: 0 };
	const { write, right } = writeRows(table, seen.partnerId, rows);
	await batch(to, { open: openFor(seen), write, close: closeAfter(seen, asText(next), right) });
	return rows.length;
}

/** Copies anew the rows whose keys were noted next. @returns how many there are */
export async function copyNoted(from: DatabaseDb, to: DatabaseDb, seen: Seen): Promise<number> {
	const { partnerId, place } = seen;
	const noted = place.copied && "noted" in place.copied ? place.copied.noted : 0;
	const { notes } = await batch(from, {
		notes: sql<{
			id: number;
			ofTable: string;
			key: string;
		}>`SELECT id, of_table AS "ofTable", key FROM partner_changes
			WHERE partner_id = ${partnerId} AND id > ${noted} ORDER BY id LIMIT ${NOTES}`,
	});
	const changed = PARTNER_TABLES.flatMap((table) => {
		const keys = new Set(notes.filter(({ ofTable }) => ofTable === table.name).map(({ key }) => key));
		return keys.size > 0 ? [{ table, keys: `[${[...keys].join(",")}]` }] : [];
	});
	if (changed.length === 0) return 0;
	// Read after the notes: what changes from here on is noted behind them.
	const { each } = await batch(from, {
		each: changed.map(({ table, keys }) => selectPacked(table, partnerId, keys)),
	});
	const written = changed.map(({ table, keys }, i) => {
		const rows = each[i]!.map(({ row }) => row);
		const own = ofKeys(table, partnerId, keys);
		const leaves = sql`DELETE FROM leaves WHERE id IN (SELECT leaf_id FROM certificates WHERE ${own})`;
		const { write, right } = writeRows(table, partnerId, rows);
		const remove = sql`DELETE FROM ${name(table.name)} WHERE ${own}`;
		return { write: [...(table.name === "certificates" ? [leaves] : []), remove, ...write], right };
	});
	const right = sql.join(
		written.map((one) => one.right),
		sql` AND `,
	);
	const next = asText({ ...(place.copied as Noted), noted: notes.at(-1)!.id });
	await batch(to, {
		open: openFor(seen),
		write: written.flatMap((one) => one.write),
		close: closeAfter(seen, next, right),
	});
	return notes.length;
}

/** Why a batch of the mover wrote nothing: the place had changed, or a row was not there as it was sent. */
export function refusalOf(error: unknown): "overtaken" | "differs" | null {
	if (!(error instanceof ConstraintViolated)) return null;
	if (error.constraint === "partner_places.state") return "overtaken";
	return error.constraint === "partner_places.since" ? "differs" : null;
}
