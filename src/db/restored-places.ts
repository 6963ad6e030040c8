import { sql } from "drizzle-orm";
import type { FoundPlace, KnownPlace } from "../domain/decide-place.ts";
import type { PlaceRow as Where } from "./directory.ts";
import { batch, type DatabaseDb, type DirectoryDb, query } from "./query.ts";
import { directoryPartners } from "./schema-directory.ts";
import { partnerPlaces } from "./schema-places.ts";

/* The directory made again from all databases, after one of them was put back to an earlier time. */

export interface PlaceIn extends FoundPlace {
	partnerId: string;
	number: number;
}

/** Lists the places of all partners in a database. */
export async function listPlacesIn(db: DatabaseDb, database: number): Promise<PlaceIn[]> {
	const rows = await query(db.select().from(partnerPlaces));
	return rows.map(({ copied, ...row }) => ({ ...row, database, copied: copied && JSON.parse(copied) }));
}

/** Lists the directory's rows. */
export function listWhere(directory: DirectoryDb): Promise<Where[]> {
	return query(directory.select().from(directoryPartners));
}

/** Closes a place that is open in vain, if it is as it was read. */
export async function closeStale(db: DatabaseDb, place: PlaceIn, now: number): Promise<void> {
	await changePlaceIn(db, place, sql`state = 'closed', noting = 0, copied = NULL, since = ${now}`);
}

/** Opens the place in which the partner lives from now on, if it is as it was read. */
export async function openHome(db: DatabaseDb, place: PlaceIn, epoch: number, now: number): Promise<void> {
	await changePlaceIn(
		db,
		place,
		sql`state = 'open', noting = 0, copied = NULL, epoch = ${epoch}, since = ${now}`,
	);
}

async function changePlaceIn(
	db: DatabaseDb,
	{ partnerId, epoch, state }: PlaceIn,
	set: ReturnType<typeof sql>,
): Promise<void> {
	const its = sql`partner_id = ${partnerId} AND epoch = ${epoch} AND state = ${state}`;
	await batch(db, {
		notes: sql`DELETE FROM partner_changes WHERE partner_id = ${partnerId}
			AND EXISTS (SELECT 1 FROM partner_places WHERE ${its})`,
		place: sql`UPDATE partner_places SET ${set} WHERE ${its}`,
	});
}

/** Says where a partner lives, if nobody has since the directory was read. */
export async function sayWhere(
	directory: DirectoryDb,
	{ partnerId, number }: Pick<PlaceIn, "partnerId" | "number">,
	{ epoch, set }: { epoch: number; set: KnownPlace },
	now: number,
): Promise<void> {
	const said = sql`INSERT INTO directory_partners (partner_id, number, database, state, epoch, target, updated_at)
		VALUES (${partnerId}, ${number}, ${set.database}, ${set.state}, 1, ${set.target}, ${now})
		ON CONFLICT (partner_id) DO UPDATE SET database = excluded.database, state = excluded.state,
			target = excluded.target, epoch = epoch + 1, updated_at = excluded.updated_at WHERE epoch = ${epoch}`;
	await batch(directory, { said });
}

/** Keys of a page. */
const KEYS = 5_000;

/** Enters the keys of a database that the directory lacks. @returns how many */
export async function enterKeysOf(directory: DirectoryDb, db: DatabaseDb): Promise<number> {
	let entered = 0;
	for (let after = ""; ; ) {
		const { keys } = await batch(db, {
			keys: sql<{ hash: string; partner: string }>`SELECT hash, partner_id AS partner FROM api_keys
				WHERE hash > ${after} ORDER BY hash LIMIT ${KEYS}`,
		});
		const packed = JSON.stringify(keys.map(({ hash, partner }) => [hash, partner]));
		const { made } = await batch(directory, {
			made: sql<{ hash: string }>`INSERT INTO directory_keys (hash, partner_id)
				SELECT value ->> 0, value ->> 1 FROM json_each(${packed}) WHERE true
				ON CONFLICT DO NOTHING RETURNING hash`,
		});
		entered += made.length;
		if (keys.length < KEYS) return entered;
		after = keys.at(-1)!.hash;
	}
}
