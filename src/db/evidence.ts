import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { evidence } from "./schema-holder.ts";

export type EvidenceRow = typeof evidence.$inferSelect;

/** Every picture kept of a code, oldest first. */
export async function listEvidence(
	db: PartnerDb,
	{ partnerId, code }: { partnerId: string; code: string },
): Promise<EvidenceRow[]> {
	return query(
		db
			.select()
			.from(evidence)
			.where(and(eq(evidence.partnerId, partnerId), eq(evidence.code, code)))
			.orderBy(asc(evidence.createdAt), asc(evidence.objectKey)),
	);
}

/** Id of the validation a picture belongs to: the middle of `<partner>/<validation>/<side>`. */
export function validationOf({ objectKey }: Pick<EvidenceRow, "objectKey">): string {
	return objectKey.split("/")[1] ?? "";
}

/** Keys of the pictures of every partner, in their order; '' as `after` from the start. */
export async function pagePictureKeys(db: DatabaseDb, after: string, limit: number): Promise<string[]> {
	const rows = await query(
		db
			.select({ key: evidence.objectKey })
			.from(evidence)
			.where(and(gt(evidence.objectKey, after), openHere(evidence.partnerId)))
			.orderBy(asc(evidence.objectKey))
			.limit(limit),
	);
	return rows.map(({ key }) => key);
}

/** Those of the keys that have a row, also of a partner that moved away: while its move ends it lives in no database. */
export async function findKnownPictures(db: DatabaseDb, keys: readonly string[]): Promise<Set<string>> {
	const rows = await query(
		db
			.select({ key: evidence.objectKey })
			.from(evidence)
			.where(sql`${evidence.objectKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`),
	);
	return new Set(rows.map(({ key }) => key));
}

/** Forgets every picture of a code; their objects are the caller's to erase. */
export function deleteEvidenceOf(db: PartnerDb, partnerId: string, code: string): Statement {
	return db.delete(evidence).where(and(eq(evidence.partnerId, partnerId), eq(evidence.code, code)));
}

/** Records the pictures of a validation. */
export function insertEvidence(db: PartnerDb, rows: readonly EvidenceRow[]): Statement[] {
	return rows.length === 0 ? [] : [db.insert(evidence).values([...rows])];
}
