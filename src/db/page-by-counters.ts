import { BUSY_CODES } from "../domain/status-tables.ts";
import { type AskedList, FEW, pageStatements } from "./page-statements.ts";
import { batch, type Db, named } from "./query.ts";
import { type Changed, locatePage, type Ranks, type TopBlock } from "./rank-codes.ts";

/**
 * A page of codes with a list status, an external reference, or both.
 *
 * The codes of a status are those of its facet, give or take busy ones. Counters by block give ranks, ranks give the
 * total and the block in which the page starts (rank-codes.ts). The newest page comes with the first trip, unless too
 * many of its codes have left; any other page takes a second trip.
 */
export async function pageByCounters<Row extends object>(
	db: Db,
	asked: AskedList,
	facts: string,
): Promise<{ total: number; page: Row[] }> {
	const sql = pageStatements(asked, facts);
	const { values, offset } = asked;
	const { ranks, tops, newest } = await batch(db, {
		ranks: named<Ranks>(sql.ranks, values),
		tops: named<TopBlock>(sql.tops, values),
		/** The newest page, if it is asked for, and the changes. */
		newest: named<Row & Changes>(offset === 0 ? sql.newestPage : sql.changes, values),
	});
	const changed = parseChanges(newest.pop()!, asked);
	if (!ranks[0]) return { total: 0, page: [] };
	const { total, start } = locatePage(ranks[0], tops, inRange(changed, ranks[0]), offset, values.limit);
	if (start === null) return { total, page: [] };
	if (offset === 0 && changed.entered.length <= FEW && newest.length === Math.min(values.limit, total))
		return { total, page: newest.map(({ changed: _, ...row }) => row as unknown as Row) };
	const { page } = await batch(db, { page: named<Row>(sql.pageFromStart, { ...values, ...start }) });
	return { total, page };
}

/** A JSON array of `seq`; null on a row of the page. */
export interface Changes {
	changed: string;
}

export function parseChanges({ changed }: Changes, { status }: AskedList): Changed {
	const seqs = JSON.parse(changed) as number[];
	return status && BUSY_CODES[status] === "enter" ? { entered: seqs, left: [] } : { entered: [], left: seqs };
}

export function inRange({ entered, left }: Changed, { lo, hi }: Ranks): Changed {
	const isIn = (seq: number) => seq >= lo && seq <= hi;
	return { entered: entered.filter(isIn), left: left.filter(isIn) };
}
