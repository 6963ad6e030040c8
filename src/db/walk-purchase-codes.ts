import { askedList, FACTS, type ListedCode, type ListQuery, type PageRow } from "./list-purchase-codes.ts";
import { type Changes, inRange, parseChanges } from "./page-by-counters.ts";
import { LIMIT, pageStatements } from "./page-statements.ts";
import { batch, type Db, named } from "./query.ts";
import { locatePage, type Ranks, type TopBlock } from "./rank-codes.ts";

/** Codes a trip: some hundred kilobytes. */
const PAGE = 1_000;

interface Walk {
	/** How many codes the filters let through when the walk began. */
	total: number;
	/** All of them in the order of the list, a page a trip. @throws {Unavailable} */
	pages: AsyncGenerator<ListedCode[]>;
}

/**
 * All codes that a list's filters let through, under one `now`, page after page by `seq`. One trip counts them and finds
 * the busy ones; each page then reads its own codes. A code that changes meanwhile is left out when it has another status by then.
 * @throws {Unavailable}
 */
export async function walkPurchaseCodes(db: Db, list: Omit<ListQuery, "limit" | "offset">): Promise<Walk> {
	const asked = askedList({ ...list, limit: PAGE, offset: 0 });
	const isFiltered = asked.status !== undefined || asked.hasReference;
	const statements = pageStatements(asked, FACTS);
	const { ranks, tops, changes } = await batch(db, {
		ranks: named<Ranks>(statements.ranks, asked.values),
		tops: named<TopBlock>(statements.tops, asked.values),
		changes: named<Changes>(statements.changes, asked.values),
	});
	const [range] = ranks;
	if (!range) return { total: 0, pages: walk(1, 0, async () => []) };
	const busy = inRange(parseChanges(changes[0]!, asked), range);
	const total = isFiltered ? locatePage(range, tops, busy, 0, PAGE).total : range.hi - range.lo + 1;
	const text = isFiltered ? statements.pageUpTo : UNFILTERED;
	const read = async (lo: number, hi: number, entered: readonly number[]) => {
		const values = { ...asked.values, lo, hi, entered: JSON.stringify(entered) };
		return (await batch(db, { page: named<PageRow>(text, values) })).page;
	};
	return { total, pages: walk(range.lo, range.hi, read, busy.entered) };
}

/** A range of `seq` has no gaps. Written by hand with the other statements of the list. */
const UNFILTERED = `SELECT seq, ${FACTS} FROM purchase_codes
	WHERE partner_id = :partnerId AND seq BETWEEN :lo AND :hi ORDER BY seq DESC ${LIMIT}`;

/** @param entered - busy codes with the status that is asked for; a page is told of those that may lie on it */
async function* walk(
	lowest: number,
	highest: number,
	read: (lo: number, hi: number, entered: readonly number[]) => Promise<PageRow[]>,
	entered: readonly number[] = [],
): AsyncGenerator<ListedCode[]> {
	const newestFirst = entered.toSorted((a, b) => b - a);
	for (let hi = highest; hi >= lowest; ) {
		const next = newestFirst.filter((seq) => seq <= hi).slice(0, PAGE);
		// Busy codes beyond those named are the next page's, also when some of these have changed.
		const lo = next.length === PAGE ? next.at(-1)! : lowest;
		const page = await read(lo, hi, next);
		if (page.length > 0) yield page;
		hi = (page.length === PAGE ? page.at(-1)!.seq : lo) - 1;
	}
}
