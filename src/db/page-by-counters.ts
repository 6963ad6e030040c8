import { type SQL, sql } from "drizzle-orm";
import { FACET_OF_LIST_STATUS, FACETS, LIST_STATUS_TABLE, type ListStatus } from "../domain/status-tables.ts";
import { statusSql } from "./status-sql.ts";

/** A page of codes with a list status, an external reference, or both. */
export interface CountedPage {
	partnerId: string;
	now: number;
	limit: number;
	offset: number;
	status?: ListStatus;
	reference?: string;
}

/** `seq >> LEAF` and `seq >> TOP` are the blocks of `code_counts`. */
const LEAF = sql`7`;
const TOP = sql`14`;
const LEAVES_IN_TOP = sql`(${TOP} - ${LEAF})`;

/**
 * The CTEs `counted (total)` and `page (seq, …facts)` over the codes in `range (lo, hi)`, which has a row or none.
 *
 * The codes of a status are those of its facet, give or take the busy ones of `changed (seq, delta)`. The rank
 * of a `seq`, how many of them lie up to it, is a sum of whole blocks and of one leaf's codes. Two ranks give
 * the total. The page starts at rank `nth`: from top block to leaf, and `skipped` codes down from the leaf's end.
 * @param facts - the columns of `purchase_codes` that the page is to have.
 */
export function pageByCounters(asked: CountedPage, facts: SQL): SQL {
	return sql`changed (seq, delta) AS MATERIALIZED (${changedCodes(asked)}),
		tops (block, older, upto) AS MATERIALIZED (${cumulated(asked, TOP, sql`1`, sql`0`)}),
		ranks (newest, older) AS MATERIALIZED (
			SELECT ${rankOf(asked, sql`hi`)} + (SELECT total(delta) FROM changed WHERE seq >> ${TOP} = hi >> ${TOP}),
				${rankOf(asked, sql`(lo - 1)`)}
			FROM range
		),
		counted (total) AS (SELECT newest - older FROM ranks),
		target (nth) AS MATERIALIZED (
			SELECT newest - ${asked.offset} FROM ranks WHERE newest - ${asked.offset} > older
		),
		top (block, older, upto) AS MATERIALIZED (${blockOfNth(sql`tops`)}),
		leaves (block, older, upto) AS MATERIALIZED (
			${cumulated(asked, LEAF, within(sql`(SELECT block FROM top)`), sql`(SELECT older FROM top)`)}
		),
		leaf (block, older, upto) AS MATERIALIZED (${blockOfNth(sql`leaves`)}),
		start (seq, skipped) AS MATERIALIZED (
			SELECT min(hi, ((block + 1) << ${LEAF}) - 1), min(newest, upto) - nth FROM leaf, target, ranks, range
		),
		page AS (
			${membersUpTo(asked, facts, sql`(SELECT seq FROM start)`)}
			ORDER BY seq DESC LIMIT ${asked.limit} OFFSET coalesce((SELECT skipped FROM start), 0)
		)`;
}

/** The codes whose status at `now` takes them out of their facet's list (-1) or into another one (+1). */
function changedCodes(asked: CountedPage): SQL {
	if (asked.status === undefined) return sql`SELECT 0, 0 WHERE 0`;
	const isCounted = sql`(facet IN (${list(facetsOf(asked.status))}))`;
	return sql`SELECT seq, ${isListed(asked)} - ${isCounted} FROM purchase_codes INDEXED BY purchase_codes_busy
		WHERE partner_id = ${asked.partnerId} AND busy_until > ${asked.now}
			AND seq BETWEEN (SELECT lo FROM range) AND (SELECT hi FROM range)
			AND ${isListed(asked)} <> ${isCounted} AND ${hasReference(asked)}`;
}

/** Blocks of a level in order, each with the number of codes before and up to its end; `older` precede them all. */
function cumulated(asked: CountedPage, level: SQL, condition: SQL, older: SQL): SQL {
	return sql`SELECT block, ${older} + upto - n, ${older} + upto FROM (
			SELECT block, sum(n) AS n, sum(sum(n)) OVER (ORDER BY block) AS upto FROM (
				SELECT block, n FROM code_counts WHERE ${isCounter(asked, level)} AND ${condition}
				UNION ALL
				SELECT block, delta FROM (SELECT seq >> ${level} AS block, delta FROM changed) WHERE ${condition}
			) GROUP BY block
		)`;
}

/** How many codes lie up to `seq`, in whole top blocks, whole leaves and its own leaf; not what changed in its top block. */
function rankOf(asked: CountedPage, seq: SQL): SQL {
	const top = sql`(${seq} >> ${TOP})`;
	return sql`(SELECT coalesce(max(upto), 0) FROM tops WHERE block < ${top})
		+ (SELECT total(n) FROM code_counts
			WHERE ${isCounter(asked, LEAF)} AND ${within(top)} AND block < ${seq} >> ${LEAF})
		+ (SELECT count(*) FROM ${codesOfFacets(asked, facetsOf(asked.status))}
			AND seq BETWEEN ${seq} >> ${LEAF} << ${LEAF} AND ${seq})`;
}

/** The block in which the count reaches rank `nth`. */
function blockOfNth(blocks: SQL): SQL {
	return sql`SELECT * FROM ${blocks} WHERE upto >= (SELECT nth FROM target) ORDER BY block LIMIT 1`;
}

/** Of a leaf: lies in that top block. */
function within(top: SQL): SQL {
	return sql`block BETWEEN ${top} << ${LEAVES_IN_TOP} AND ((${top} + 1) << ${LEAVES_IN_TOP}) - 1`;
}

/** One ordered branch per facet, and one for the busy codes of other facets, merged by the ORDER BY after them. */
function membersUpTo(asked: CountedPage, facts: SQL, newest: SQL): SQL {
	const inRange = sql`seq BETWEEN (SELECT lo FROM range) AND ${newest}`;
	const ofFacets = facetsOf(asked.status).map(
		(facet) =>
			sql`SELECT seq, ${facts} FROM ${codesOfFacets(asked, [facet])} AND ${inRange} AND ${isListed(asked)}`,
	);
	const busy = sql`SELECT seq, ${facts} FROM changed CROSS JOIN purchase_codes USING (seq)
		WHERE partner_id = ${asked.partnerId} AND delta > 0 AND seq <= ${newest}`;
	return sql.join(asked.status === undefined ? ofFacets : [...ofFacets, busy], sql` UNION ALL `);
}

function codesOfFacets(asked: CountedPage, facets: readonly SQL[]): SQL {
	const index = asked.reference === undefined ? "purchase_codes_facet" : "purchase_codes_reference";
	return sql`purchase_codes INDEXED BY ${sql.raw(index)}
		WHERE partner_id = ${asked.partnerId} AND ${hasReference(asked)} AND facet IN (${list(facets)})`;
}

function isListed({ status, now }: CountedPage): SQL {
	return status === undefined ? sql`1` : sql`(${sql.raw(statusSql(LIST_STATUS_TABLE, now))} = ${status})`;
}

function hasReference({ reference }: CountedPage): SQL {
	return reference === undefined ? sql`1` : sql`external_reference_id = ${reference}`;
}

function isCounter({ partnerId, reference, status }: CountedPage, level: SQL): SQL {
	return sql`partner_id = ${partnerId} AND reference = ${reference ?? ""}
		AND facet IN (${list(facetsOf(status))}) AND level = ${level}`;
}

function list(items: readonly SQL[]): SQL {
	return sql.join([...items], sql`, `);
}

/** The facets that hold the listed codes; a status that only busy codes have is given one that no code has. */
function facetsOf(status: ListStatus | undefined): readonly SQL[] {
	const facets = status === undefined ? FACETS : [FACET_OF_LIST_STATUS[status] ?? "none"];
	return facets.map((facet) => sql.raw(`'${facet}'`));
}
