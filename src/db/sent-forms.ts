import { eq, sql } from "drizzle-orm";
import { batch, type DirectoryDb, query } from "./query.ts";
import { sentForms } from "./schema-operations.ts";

/* Forms that were sent, by a keyed hash that only the session of their page can make. */

/** Takes a form that is new. @returns whether it was; if not, its first answer as far as there is one. */
export async function takeForm(
	db: DirectoryDb,
	form: { id: string; eraseAt: number },
): Promise<{ isFirst: boolean; answerCiphertext: Uint8Array | null }> {
	const { taken, row } = await batch(db, {
		taken: db.insert(sentForms).values(form).onConflictDoNothing().returning({ id: sentForms.id }),
		row: db
			.select({ answerCiphertext: sentForms.answerCiphertext })
			.from(sentForms)
			.where(eq(sentForms.id, form.id)),
	});
	return { isFirst: taken.length > 0, answerCiphertext: row[0]?.answerCiphertext ?? null };
}

export async function keepFirstAnswer(
	db: DirectoryDb,
	id: string,
	answerCiphertext: Uint8Array,
): Promise<void> {
	await query(db.update(sentForms).set({ answerCiphertext }).where(eq(sentForms.id, id)));
}

/** Lets a form that was refused be sent again. */
export async function freeForm(db: DirectoryDb, id: string): Promise<void> {
	await query(db.delete(sentForms).where(eq(sentForms.id, id)));
}

/** Deletes at most `limit` forms that are past their time. @returns how many. */
export async function deleteOldForms(db: DirectoryDb, limit: number, now: number): Promise<number> {
	const old = sql`id IN (SELECT id FROM sent_forms WHERE erase_at <= ${now} ORDER BY erase_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(sentForms).where(old));
	return meta.changes;
}
