import { and, eq, notInArray, sql } from "drizzle-orm";
import { batch, type DirectoryDb, query } from "./query.ts";
import { directoryKeys, directoryPartners } from "./schema-directory.ts";

/* Where partners live, and whose keys are: the one thing that is asked before a partner's database is known. */

export type PlaceRow = typeof directoryPartners.$inferSelect;

/** Finds where a partner lives, by its id or its number; null for one that there is not. */
export async function findPlace(
	db: DirectoryDb,
	{ partnerId, number }: { partnerId: string; number?: never } | { number: number; partnerId?: never },
): Promise<PlaceRow | null> {
	const whose =
		partnerId === undefined
			? eq(directoryPartners.number, number!)
			: eq(directoryPartners.partnerId, partnerId);
	const [row] = await query(db.select().from(directoryPartners).where(whose));
	return row ?? null;
}

/** Lists in which database each partner lives. */
export function listPlaces(db: DirectoryDb): Promise<Pick<PlaceRow, "partnerId" | "database">[]> {
	const { partnerId, database } = directoryPartners;
	return query(db.select({ partnerId, database }).from(directoryPartners));
}

/** Finds where the owner of a key lives; null for a key that nobody ever had. */
export async function findPlaceOfKey(db: DirectoryDb, hash: string): Promise<PlaceRow | null> {
	const [row] = await query(
		db
			.select({ place: directoryPartners })
			.from(directoryKeys)
			.innerJoin(directoryPartners, eq(directoryPartners.partnerId, directoryKeys.partnerId))
			.where(eq(directoryKeys.hash, hash)),
	);
	return row?.place ?? null;
}

/** Enters a new partner and its first key, unless it is entered already. @returns where it lives */
export async function enterPlace(
	db: DirectoryDb,
	{ partnerId, keyHash, ...place }: Pick<PlaceRow, "partnerId" | "number" | "database"> & { keyHash: string },
	now: number,
): Promise<PlaceRow> {
	const row = { ...place, partnerId, state: "open" as const, epoch: 1, updatedAt: now };
	const { found } = await batch(db, {
		partner: db
			.insert(directoryPartners)
			.values(row)
			.onConflictDoNothing({ target: directoryPartners.partnerId }),
		key: insertKeys(db, [{ hash: keyHash, partnerId }]),
		found: db.select().from(directoryPartners).where(eq(directoryPartners.partnerId, partnerId)),
	});
	return found[0]!;
}

/** Changes where a partner is, if nobody has since the row was read. @returns whether it was changed */
export async function changePlace(
	db: DirectoryDb,
	{ partnerId, epoch }: Pick<PlaceRow, "partnerId" | "epoch">,
	set: Partial<Pick<PlaceRow, "database" | "state" | "target">>,
	now: number,
): Promise<boolean> {
	const its = and(eq(directoryPartners.partnerId, partnerId), eq(directoryPartners.epoch, epoch));
	const changed = db.update(directoryPartners).set({ ...set, epoch: epoch + 1, updatedAt: now });
	return (await query(changed.where(its).returning({ epoch: directoryPartners.epoch }))).length > 0;
}

/** Partners whose rows are on their way. */
export async function findMoving(db: DirectoryDb): Promise<string[]> {
	const atRest = notInArray(directoryPartners.state, ["open", "moved"]);
	const rows = await query(
		db.select({ id: directoryPartners.partnerId }).from(directoryPartners).where(atRest),
	);
	return rows.map(({ id }) => id);
}

/** Enters a key that is about to be made. */
export async function enterKey(db: DirectoryDb, hash: string, partnerId: string): Promise<void> {
	await query(insertKeys(db, [{ hash, partnerId }]));
}

function insertKeys(db: DirectoryDb, rows: readonly (typeof directoryKeys.$inferInsert)[]) {
	return db
		.insert(directoryKeys)
		.values([...rows])
		.onConflictDoNothing();
}

/** Removes keys that are about to be deleted. */
export async function removeKeys(db: DirectoryDb, hashes: readonly string[]): Promise<void> {
	const these = sql`hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`;
	if (hashes.length > 0) await query(db.delete(directoryKeys).where(these));
}
