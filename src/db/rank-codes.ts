/* Counters say how many codes of a facet and product lie in each block of 2^LEAF and 2^TOP numbers (`seq`) of a partner. */

export const LEAF = 7;
export const TOP = 14;
export const LEVELS = [LEAF, TOP] as const;

/** The range asked for, and how many codes lie in its ends' top blocks up to just before `lo` and up to `hi`. */
export interface Ranks {
	lo: number;
	hi: number;
	older: number;
	newest: number;
}

export interface TopBlock {
	block: number;
	n: number;
}

/** `seq` of the busy codes that have the status asked for without being of its facet, and the other way round. */
export interface Changed {
	entered: readonly number[];
	left: readonly number[];
}

/** The top block that a page starts in, for the statement that finds the leaf. Ranks count from the block's first code. */
export interface PageStart {
	lo: number;
	hi: number;
	firstLeaf: number;
	lastLeaf: number;
	/** Rank of the page's first code. */
	wanted: number;
	/** How many listed codes of the block lie up to `hi`. */
	members: number;
	/** `[leaf, change]` as JSON: what busy codes add to the leaves' counters. */
	leafChanges: string;
	/** Those of `entered` that may lie on the page, as JSON. */
	entered: string;
}

/**
 * How many codes are listed, and where the page after `offset` of them starts; null past the end.
 * @param tops - in order; a block without a counter has none of the facet
 */
export function locatePage(
	{ lo, hi, older, newest }: Ranks,
	tops: readonly TopBlock[],
	changed: Changed,
	offset: number,
	limit: number,
): { total: number; start: PageStart | null } {
	const below = (block: number) => sum(tops.filter((top) => top.block < block).map(({ n }) => n));
	const first = below((lo - 1) >> TOP) + older;
	const last = below(hi >> TOP) + newest + changed.entered.length - changed.left.length;
	const total = last - first;
	if (offset >= total) return { total, start: null };

	const nth = last - offset;
	const counted = new Map(tops.map(({ block, n }) => [block, n]));
	const changes = changesByBlock(changed, TOP);
	const blocks = [...new Set([...counted.keys(), ...changes.keys()])].sort((a, b) => a - b);
	let before = 0;
	for (const block of blocks) {
		const ofFacet = counted.get(block) ?? 0;
		const members = ofFacet + (changes.get(block) ?? 0);
		if (before + members < nth) {
			before += members;
			continue;
		}
		const firstLeaf = block << (TOP - LEAF);
		const lastLeaf = firstLeaf + (1 << (TOP - LEAF)) - 1;
		const inRange = Math.min(last - before, members);
		const newer = inRange - (nth - before);
		const entered = changed.entered.filter((seq) => seq >> TOP <= block).sort((a, b) => b - a);
		/* So many of the newer ones cannot be of the facet; what the start's leaf skips stays in. */
		const past = Math.max(0, newer - ofFacet - (1 << LEAF));
		const leafChanges = [...changesByBlock(changed, LEAF)].filter(
			([leaf]) => leaf >= firstLeaf && leaf <= lastLeaf,
		);
		const start = {
			lo,
			hi,
			firstLeaf,
			lastLeaf,
			wanted: nth - before,
			members: last - before,
			leafChanges: JSON.stringify(leafChanges),
			entered: JSON.stringify(entered.slice(past, newer + limit)),
		};
		return { total, start };
	}
	return { total, start: null };
}

function changesByBlock({ entered, left }: Changed, level: number): Map<number, number> {
	const changes = new Map<number, number>();
	const add = (seq: number, change: number) =>
		changes.set(seq >> level, (changes.get(seq >> level) ?? 0) + change);
	for (const seq of entered) add(seq, 1);
	for (const seq of left) add(seq, -1);
	return changes;
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
