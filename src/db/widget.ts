import { and, eq, isNull, ne } from "drizzle-orm";
import type { OnboardingSession } from "../domain/onboarding-session.ts";
import { type PartnerDb, query, type Statement } from "./query.ts";
import { partners } from "./schema.ts";
import { onboardingSessions, widgetLogos } from "./schema-onboarding.ts";

export type LogoRow = typeof widgetLogos.$inferSelect;

/** Stores a partner's logo in place of the one before. */
export function replaceLogo(db: PartnerDb, row: LogoRow): Statement[] {
	const earlier = and(eq(widgetLogos.partnerId, row.partnerId), ne(widgetLogos.hash, row.hash));
	return [db.delete(widgetLogos).where(earlier), db.insert(widgetLogos).values(row).onConflictDoNothing()];
}

export function deleteLogo(db: PartnerDb, partnerId: string): Statement[] {
	return [db.delete(widgetLogos).where(eq(widgetLogos.partnerId, partnerId))];
}

/** @throws {Unavailable} */
export async function findLogo(db: PartnerDb, partnerId: string, hash: string): Promise<LogoRow | null> {
	const [row] = await query(
		db
			.select()
			.from(widgetLogos)
			.where(and(eq(widgetLogos.partnerId, partnerId), eq(widgetLogos.hash, hash))),
	);
	return row ?? null;
}

export interface PageSession {
	session: Pick<
		OnboardingSession,
		"id" | "code" | "locale" | "origins" | "endedAt" | "endReason" | "completedAt" | "until"
	>;
	partner: { id: string; name: string; accent: string | null; logo: string | null; clockOffset: number };
}

/**
 * Reads what the page of a session shows to anybody with its id, in one round trip; null also when its partner is suspended.
 * @throws {Unavailable}
 */
export async function findPageSession(db: PartnerDb, id: string): Promise<PageSession | null> {
	const { code, locale, origins, endedAt, endReason, completedAt, until } = onboardingSessions;
	const { name, widgetAccent: accent, widgetLogo: logo, clockOffset } = partners;
	const [found] = await query(
		db
			.select({
				session: { id: onboardingSessions.id, code, locale, origins, endedAt, endReason, completedAt, until },
				partner: { id: partners.id, name, accent, logo, clockOffset },
			})
			.from(onboardingSessions)
			.innerJoin(partners, eq(partners.id, onboardingSessions.partnerId))
			.where(and(eq(onboardingSessions.id, id), isNull(partners.suspendedAt))),
	);
	return found ?? null;
}
