import { and, eq, isNull } from "drizzle-orm";
import type { OnboardingSession } from "../domain/onboarding-session.ts";
import { type Db, query } from "./query.ts";
import { partners } from "./schema.ts";
import { onboardingSessions } from "./schema-onboarding.ts";

export interface PageSession {
	session: Pick<
		OnboardingSession,
		"id" | "code" | "locale" | "origins" | "endedAt" | "endReason" | "completedAt" | "until"
	>;
	partner: { id: string; name: string; accent: string | null; logo: string | null; clockOffset: number };
}

/**
 * What the page of a session shows to whoever has its id, in one round trip; null also when its partner is suspended.
 * @throws {Unavailable}
 */
export async function findPageSession(db: Db, id: string): Promise<PageSession | null> {
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
