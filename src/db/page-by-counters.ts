import { batchNamed } from "./named-sql.ts";
import { type AskedList, FEW, pageStatements } from "./page-statements.ts";
import type { Db } from "./query.ts";
import { type Changed, locatePage, type Ranks, type TopBlock } from "./rank-codes.ts";

/**
 * A page of codes with a list status, an external reference, or both.
 *
 * The codes of a status are those of its facet, give or take busy ones. Counters by block give ranks, ranks give the
 * total and the block in which the page starts (rank-codes.ts). The newest page comes with the first trip, unless more
 * than a few codes are busy; any other page takes a second trip.
 */
export async function pageByCounters<Row extends object>(
	db: Db,
	asked: AskedList,
	facts: string,
): Promise<{ total: number; page: Row[] }> {
	const sql = pageStatements(asked, facts);
	const { ranks, tops, changed, newest } = await batchNamed<First & { newest: Row }>(
		db,
		{
			ranks: sql.ranks,
			tops: sql.tops,
			changed: sql.changed,
			newest: asked.offset === 0 ? sql.newestPage : "SELECT 0 WHERE 0",
		},
		asked.values,
	);
	if (!ranks[0]) return { total: 0, page: [] };
	const { total, start } = locatePage(
		ranks[0],
		tops,
		parse(changed[0]!, ranks[0]),
		asked.offset,
		asked.values.limit,
	);
	if (start === null) return { total, page: [] };
	if (asked.offset === 0 && changed[0]!.busy <= FEW) return { total, page: newest };
	const second = await batchNamed<{ page: Row }>(
		db,
		{ page: sql.pageFromStart },
		{ ...asked.values, ...start },
	);
	return { total, page: second.page };
}

/** What the first trip reads. */
interface First extends Record<string, object> {
	ranks: Ranks;
	tops: TopBlock;
	changed: { busy: number; entered: string; left: string };
}

function parse({ entered, left }: First["changed"], { lo, hi }: Ranks): Changed {
	const inRange = (seqs: string) => (JSON.parse(seqs) as number[]).filter((seq) => seq >= lo && seq <= hi);
	return { entered: inRange(entered), left: inRange(left) };
}
