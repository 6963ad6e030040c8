import { type Column, type SQL, sql } from "drizzle-orm";

/* The clock of a partner within a statement, as `domain/partner-clock.ts` has it outside. */

/** How far the partner's clock is ahead, milliseconds. @param partnerId - its column, in a statement on the partner's rows */
export function clockOffsetOf(partnerId: string | Column): SQL<number> {
	return sql<number>`(SELECT clock_offset FROM partners WHERE partners.id = ${partnerId})`;
}

/** A real time by the partner's clock. */
export function byPartnersClock(time: number, partnerId: string | Column): SQL<number> {
	return sql<number>`(${time} + ${clockOffsetOf(partnerId)})`;
}
