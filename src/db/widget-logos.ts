import { and, eq, ne } from "drizzle-orm";
import { type Db, query, type Statement } from "./query.ts";
import { widgetLogos } from "./schema-onboarding.ts";

export type LogoRow = typeof widgetLogos.$inferSelect;

/** Stores a partner's logo in place of the one before. */
export function replaceLogo(db: Db, row: LogoRow): Statement[] {
	const earlier = and(eq(widgetLogos.partnerId, row.partnerId), ne(widgetLogos.hash, row.hash));
	return [db.delete(widgetLogos).where(earlier), db.insert(widgetLogos).values(row).onConflictDoNothing()];
}

export function deleteLogo(db: Db, partnerId: string): Statement[] {
	return [db.delete(widgetLogos).where(eq(widgetLogos.partnerId, partnerId))];
}

/** @throws {Unavailable} */
export async function findLogo(db: Db, partnerId: string, hash: string): Promise<LogoRow | null> {
	const [row] = await query(
		db
			.select()
			.from(widgetLogos)
			.where(and(eq(widgetLogos.partnerId, partnerId), eq(widgetLogos.hash, hash))),
	);
	return row ?? null;
}
