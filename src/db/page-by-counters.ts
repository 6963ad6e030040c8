import { batchNamed } from "./named-sql.ts";
import { type AskedList, FEW, pageStatements } from "./page-statements.ts";
import type { Db } from "./query.ts";
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
	const { ranks, tops, newest } = await batchNamed<First<Row>>(
		db,
		{ ranks: sql.ranks, tops: sql.tops, newest: offset === 0 ? sql.newestPage : sql.changes },
		values,
	);
	const changed = parseChanges(newest.pop()!);
	if (!ranks[0]) return { total: 0, page: [] };
	const { total, start } = locatePage(ranks[0], tops, inRange(changed, ranks[0]), offset, values.limit);
	if (start === null) return { total, page: [] };
	const isKnown =
		changed.entered.length === 0 || (changed.entered.length <= FEW && changed.left.length === 0);
	const page = newest.map(({ entered: _, left: __, ...row }) => row as unknown as Row);
	if (offset === 0 && isKnown && page.length === Math.min(values.limit, total)) return { total, page };
	const second = await batchNamed<{ page: Row }>(db, { page: sql.pageFromStart }, { ...values, ...start });
	return { total, page: second.page };
}

/** What the first trip reads; `newest` is the newest page, if it is asked for, and the changes. */
type First<Row> = {
	ranks: Ranks;
	tops: TopBlock;
	newest: Row & Changes;
};

/** JSON arrays of `seq`; null on a row of the page. */
export interface Changes {
	entered: string;
	left: string;
}

export function parseChanges({ entered, left }: Changes): Changed {
	return { entered: JSON.parse(entered) as number[], left: JSON.parse(left) as number[] };
}

export function inRange({ entered, left }: Changed, { lo, hi }: Ranks): Changed {
	const isIn = (seq: number) => seq >= lo && seq <= hi;
	return { entered: entered.filter(isIn), left: left.filter(isIn) };
}
