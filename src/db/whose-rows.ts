import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/*
 * Conditions of every statement over all partners of a database: it also has rows of partners that moved away, or are on
 * their way here. NOT IN, so that no index of the rows is taken for it; rows of no partner ('') have no place, and stay.
 */

/** Text for statements whose rows' partner is in the column `partner_id`: rows of partners that live here. */
export const LIVES_HERE = notPlaced("partner_id", "'closed'");
/** Text for the rows of partners themselves. */
export const PARTNER_LIVES_HERE = notPlaced("id", "'closed'");

/** Condition for what is read: the partner lives here. One whose writes are frozen does. */
export function livesHere(partnerId: SQLiteColumn | SQL): SQL {
	return sql`${partnerId} ${sql.raw(notPlaced("", "'closed'"))}`;
}

/** Condition for what jobs read and change: the partner may write here, and is the asked one. @param only - null: all */
export function openHere(partnerId: SQLiteColumn | SQL, only: string | null | undefined = null): SQL {
	const open = sql`${partnerId} ${sql.raw(notPlaced("", "'closed', 'frozen'"))}`;
	return only == null ? open : and(open, sql`${partnerId} = ${only}`)!;
}

function notPlaced(column: string, states: string): string {
	return `${column} NOT IN (SELECT partner_id FROM partner_places WHERE state IN (${states}))`;
}
