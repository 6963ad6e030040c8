import { PRODUCT_CODES } from "../domain/products.ts";
import {
	BUSY_CODES,
	FACET_OF_LIST_STATUS,
	FACET_TABLE,
	FACETS,
	LIST_STATUS_TABLE,
	type ListStatus,
} from "../domain/status-tables.ts";
import { batch, named, type PartnerDb } from "./query.ts";
import {
	type Changed,
	LEAF,
	locatePage,
	type PageStart,
	type Ranks,
	TOP,
	type TopBlock,
} from "./rank-codes.ts";
import { BUSY_UNTIL, statusSql } from "./status-sql.ts";

/**
 * A page of codes with a list status, an external reference, a product, or several of them.
 *
 * The codes of a status are those of its facet, give or take busy ones. Counters by block give ranks, ranks give the
 * total and the block in which the page starts (rank-codes.ts). The newest page comes with the first trip, unless too
 * many of its codes have left; any other page takes a second trip. Oldest first, a page is one of the other order, turned.
 */
export async function pageByCounters<Row extends object>(
	db: PartnerDb,
	asked: AskedList,
	facts: string,
): Promise<{ total: number; page: Row[] }> {
	const sql = pageStatements(asked, facts);
	const { values, offset, oldestFirst } = asked;
	const { limit } = values;
	const isNewest = offset === 0 && !oldestFirst;
	const { ranks, tops, newest } = await batch(db, {
		ranks: named<Ranks>(sql.ranks, values),
		tops: named<TopBlock>(sql.tops, values),
		/** The newest page, if it is asked for, and the changes. */
		newest: named<Row & Changes>(isNewest ? sql.newestPage : sql.changes, values),
	});
	const changed = parseChanges(newest.pop()!, asked);
	const [range] = ranks;
	if (!range) return { total: 0, page: [] };
	const changedInRange = inRange(changed, range);
	const place = (offset: number, limit: number) => locatePage(range, tops, changedInRange, offset, limit);
	const pageFrom = async (start: PageStart, limit: number) =>
		(await batch(db, { page: named<Row>(sql.pageFromStart, { ...values, ...start, limit }) })).page;
	const { total, start } = place(offset, limit);
	if (start === null) return { total, page: [] };
	if (isNewest && changed.entered.length <= FEW && newest.length === Math.min(limit, total))
		return { total, page: newest.map(({ changed: _, ...row }) => row as unknown as Row) };
	if (!oldestFirst) return { total, page: await pageFrom(start, limit) };
	const size = Math.min(limit, total - offset);
	const turned = place(total - offset - size, size).start;
	return { total, page: turned ? (await pageFrom(turned, size)).reverse() : [] };
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

/* Written by hand: drizzle can prescribe neither an index (INDEXED BY) nor what is computed once (MATERIALIZED). */

/** A list without its values: queries that ask alike have the same statements. */
export interface AskedList {
	/** SQL of `lo, hi`: the `seq` of the oldest and the newest code that dates and batch let through, or no row. */
	range: string;
	status?: ListStatus;
	hasReference: boolean;
	hasProduct: boolean;
	/** The list's order turned: its last code comes first. */
	oldestFirst: boolean;
	/** How many codes precede the page, in the order asked for. */
	offset: number;
	values: Readonly<Record<string, string | number>> & { limit: number };
}

/** Codes of the facet that the newest page may pass over because they left it. Where there are more, a second trip follows. */
const PASSED_OVER = 200;

/** Codes that entered the status, of which the newest page is made with the first trip. Of more, all would be read. */
const FEW = 1_500;

/** The sum is there because SQLite compiles a statement anew whenever a parameter that is the whole LIMIT is bound. */
export const LIMIT = "LIMIT :limit + 0";

/**
 * The statements of pageByCounters, by name; the same text for all lists that filter by the same fields.
 * @param facts - the columns of `purchase_codes` that the page is to have.
 */
export function pageStatements({ range, status, hasReference, hasProduct }: AskedList, facts: string) {
	/* A status that only busy codes have is given a facet that no code has. */
	const facets = status ? [FACET_OF_LIST_STATUS[status] ?? "none"] : FACETS;
	const inFacets = `IN (${facets.map((facet) => `'${facet}'`).join(", ")})`;
	const products = hasProduct ? [":product"] : PRODUCT_CODES.map((product) => `'${product}'`);
	const inProducts = `IN (${products.join(", ")})`;
	const ofProduct = hasProduct ? "product = :product" : "1";
	const ofReference = hasReference ? "external_reference_id = :reference" : "1";
	const isListed = status ? `(${statusSql(LIST_STATUS_TABLE, ":now")} = '${status}')` : "1";
	/* Spelt out, because the index of busy codes answers for stored columns only. */
	const isCounted = `(${statusSql(FACET_TABLE)} ${inFacets})`;

	const counters = (level: number) =>
		`code_counts WHERE partner_id = :partnerId AND reference = ${hasReference ? ":reference" : "''"}
			AND facet ${inFacets} AND level = ${level} AND ${ofProduct}`;
	const codes = (ofFacet: string, ofItsProduct: string) =>
		`purchase_codes INDEXED BY ${hasReference ? "purchase_codes_reference" : "purchase_codes_facet"}
			WHERE partner_id = :partnerId AND ${ofReference} AND facet ${ofFacet} AND product ${ofItsProduct}`;
	const busy = `purchase_codes INDEXED BY purchase_codes_busy_facts
			WHERE partner_id = :partnerId AND ${BUSY_UNTIL} > :now`;
	const change = status ? BUSY_CODES[status] : null;
	const isChanged = `${ofReference} AND ${ofProduct} AND ${
		change === "enter" ? `${isListed} AND NOT ${isCounted}` : `${isCounted} AND NOT ${isListed}`
	}`;
	const isMember = change === "leave" ? isListed : "1";
	/** How many codes lie up to `seq` in its top block: in whole leaves and in its own. */
	const rankInTop = (seq: string) => `(SELECT total(n) FROM ${counters(LEAF)}
			AND block >= ${seq} >> ${TOP} << ${TOP - LEAF} AND block < ${seq} >> ${LEAF})
		+ (SELECT count(*) FROM ${codes(inFacets, inProducts)} AND seq BETWEEN ${seq} >> ${LEAF} << ${LEAF} AND ${seq})`;
	/** An ordered branch per facet and product, merged by the ORDER BY after them. D1 takes five terms in one UNION. */
	const merged = (columns: string, condition: string) => {
		const ofFacets = facets.map((facet) =>
			products
				.map((product) => `SELECT ${columns} FROM ${codes(`= '${facet}'`, `= ${product}`)} AND ${condition}`)
				.join(" UNION ALL "),
		);
		return (ofFacets.length > 1 ? ofFacets.map((branch) => `SELECT * FROM (${branch})`) : ofFacets).join(
			" UNION ALL ",
		);
	};
	const members = (from: string, to: string) =>
		merged(`seq, ${facts}`, `${isMember} AND seq BETWEEN ${from} AND ${to}`);
	/* Codes may have left since the first trip, so that no leaf reaches `wanted`: the page then starts at the block's end. */
	const start = `coalesce((SELECT seq FROM start), min(:hi, ((:lastLeaf + 1) << ${LEAF}) - 1))`;
	const inRange = ["(SELECT lo FROM range)", "(SELECT hi FROM range)"] as const;
	const withRange = `WITH range AS MATERIALIZED (${range})`;
	const changes = change
		? `SELECT json_group_array(seq) AS changed FROM ${busy} AND ${isChanged}`
		: "SELECT '[]' AS changed";
	const newest = {
		enter: `${members(...inRange)} UNION ALL SELECT seq, ${facts}
			FROM (SELECT value FROM changes, json_each(iif(json_array_length(changed) <= ${FEW}, changed, '[]'))
				WHERE value BETWEEN ${inRange.join(" AND ")} ORDER BY value DESC ${LIMIT})
			CROSS JOIN purchase_codes WHERE partner_id = :partnerId AND seq = value`,
		leave: `SELECT seq, ${facts} FROM (${merged("*", `seq BETWEEN ${inRange.join(" AND ")}`)}
			ORDER BY seq DESC LIMIT :limit + ${PASSED_OVER}) WHERE ${isListed}`,
		none: members(...inRange),
	}[change ?? "none"];

	return {
		ranks: `${withRange}
			SELECT lo, hi, ${rankInTop("(lo - 1)")} AS older, ${rankInTop("hi")} AS newest FROM range`,
		tops: `SELECT block, sum(n) AS n FROM ${counters(TOP)} GROUP BY block ORDER BY block`,
		changes,
		/* The busy codes are read once: the last row, whose `seq` is null, is what `changes` answers. */
		newestPage: `${withRange}, changes AS MATERIALIZED (${changes})
			SELECT *, NULL AS changed FROM (${newest} ORDER BY seq DESC ${LIMIT})
			UNION ALL SELECT NULL, ${facts}, changed FROM changes LEFT JOIN purchase_codes ON partner_id = '' AND seq = 0
			ORDER BY seq DESC`,
		pageFromStart: `WITH start (seq, skipped) AS MATERIALIZED (
				SELECT min(:hi, ((block + 1) << ${LEAF}) - 1), min(:members, upto) - :wanted
				FROM (SELECT block, sum(sum(n)) OVER (ORDER BY block) AS upto FROM (
						SELECT block, n FROM ${counters(LEAF)} AND block BETWEEN :firstLeaf AND :lastLeaf
						UNION ALL SELECT value ->> 0, value ->> 1 FROM json_each(:leafChanges)
					) GROUP BY block)
				WHERE upto >= :wanted ORDER BY block LIMIT 1
			)
			${members(":lo", start)}
			${
				change === "enter"
					? `UNION ALL SELECT seq, ${facts}
						FROM (SELECT value FROM json_each(:entered) WHERE value <= ${start}
							LIMIT :limit + (1 << ${LEAF})) CROSS JOIN purchase_codes
						WHERE partner_id = :partnerId AND seq = value AND ${isChanged}`
					: ""
			}
			ORDER BY seq DESC ${LIMIT} OFFSET coalesce((SELECT skipped FROM start), 0)`,
		/** For a walk: the next codes up to `:hi`; `:entered` are the busy ones that the first trip found. */
		pageUpTo: `${members(":lo", ":hi")}
			${
				change === "enter"
					? `UNION ALL SELECT seq, ${facts} FROM json_each(:entered) CROSS JOIN purchase_codes
						WHERE partner_id = :partnerId AND seq = value AND ${isChanged}`
					: ""
			}
			ORDER BY seq DESC ${LIMIT}`,
	};
}
