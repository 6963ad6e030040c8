import { type Column, type SQL, sql } from "drizzle-orm";

/* The clock of a partner within a statement, as `domain/partner-clock.ts` has it outside. */

/** Column of a read: how far the partner's clock is ahead, milliseconds. @param partnerId - of the rows that are read */
export function clockOffsetOf(partnerId: Column): SQL.Aliased<number> {
	return offsetOf(partnerId).as("clock_offset");
}

/** A real time by the partner's clock. */
export function byPartnersClock(time: number, partnerId: string | Column): SQL<number> {
	return sql<number>`(${time} + ${offsetOf(partnerId)})`;
}

function offsetOf(partnerId: string | Column): SQL<number> {
	return sql<number>`(SELECT clock_offset FROM partners WHERE partners.id = ${partnerId})`;
}
