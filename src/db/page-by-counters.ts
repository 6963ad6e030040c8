import { type SQL, sql } from "drizzle-orm";
import { FACET_OF_LIST_STATUS, FACETS, LIST_STATUS_TABLE, type ListStatus } from "../domain/status-tables.ts";
import { statusSql } from "./status-sql.ts";

/** A page of codes with a list status, an external reference, or both. */
interface CountedPage {
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
 * the total. The page starts at rank `nth`: in a top block, in one of its leaves, `skipped` codes down from the
 * leaf's end. SQLite compiles a CTE anew wherever it is named, so each names those before it as seldom as it can.
 * @param facts - the columns of `purchase_codes` that the page is to have.
 */
export function pageByCounters(asked: CountedPage, facts: SQL): SQL {
	return sql`changed (seq, delta) AS MATERIALIZED (${changedCodes(asked)}),
		tops (block, n, upto) AS MATERIALIZED (${cumulated(
			countersOf(asked, TOP),
			sql`SELECT seq >> ${TOP}, delta FROM changed`,
		)}),
		ranks (lo, hi, older, newest) AS MATERIALIZED (
			SELECT lo, hi,
				coalesce(max(upto) FILTER (WHERE block < (lo - 1) >> ${TOP}), 0) + ${rankInTop(asked, sql`(lo - 1)`)},
				coalesce(max(upto) FILTER (WHERE block < hi >> ${TOP}), 0) + ${rankInTop(asked, sql`hi`)}
					+ (SELECT total(delta) FROM changed WHERE seq >> ${TOP} = hi >> ${TOP})
			FROM range LEFT JOIN tops GROUP BY lo, hi
		),
		counted (total) AS (SELECT newest - older FROM ranks),
		top (lo, hi, newest, nth, first, last, before) AS MATERIALIZED (
			SELECT lo, hi, newest, newest - ${asked.offset}, block << ${LEAVES_IN_TOP},
				((block + 1) << ${LEAVES_IN_TOP}) - 1, upto - n
			FROM ranks CROSS JOIN tops
			WHERE newest - ${asked.offset} > older AND upto >= newest - ${asked.offset} ORDER BY block LIMIT 1
		),
		leaves (block, n, upto) AS (${cumulated(
			sql`${countersOf(asked, LEAF, sql`top CROSS JOIN`)} AND block BETWEEN first AND last`,
			sql`SELECT seq >> ${LEAF}, delta FROM top CROSS JOIN changed WHERE seq >> ${LEAF} BETWEEN first AND last`,
		)}),
		start (lo, seq, skipped) AS MATERIALIZED (
			SELECT lo, min(hi, ((block + 1) << ${LEAF}) - 1), min(newest, before + upto) - nth
			FROM top CROSS JOIN leaves WHERE before + upto >= nth ORDER BY block LIMIT 1
		),
		page AS (
			${membersFromStart(asked, facts)}
			ORDER BY seq DESC LIMIT ${asked.limit} OFFSET coalesce((SELECT skipped FROM start), 0)
		)`;
}

/** The codes in range whose status at `now` takes them out of their facet's list (-1) or into another one (+1). */
function changedCodes(asked: CountedPage): SQL {
	if (asked.status === undefined) return sql`SELECT 0, 0 WHERE 0`;
	const isCounted = sql`(facet IN (${list(facetsOf(asked.status))}))`;
	return sql`SELECT seq, ${isListed(asked)} - ${isCounted}
		FROM range CROSS JOIN purchase_codes INDEXED BY purchase_codes_busy
		WHERE partner_id = ${asked.partnerId} AND busy_until > ${asked.now} AND seq BETWEEN lo AND hi
			AND ${isListed(asked)} <> ${isCounted} AND ${hasReference(asked)}`;
}

/** Counters by block, what changed included, and how many codes they make `upto` the block's end. */
function cumulated(counters: SQL, changes: SQL): SQL {
	return sql`SELECT block, sum(n), sum(sum(n)) OVER (ORDER BY block)
		FROM (${counters} UNION ALL ${changes}) GROUP BY block`;
}

/** How many codes lie up to `seq` in its top block: in whole leaves and in its own. Leaves out what changed. */
function rankInTop(asked: CountedPage, seq: SQL): SQL {
	return sql`(SELECT total(n) FROM (${countersOf(asked, LEAF)}
			AND block >= ${seq} >> ${TOP} << ${LEAVES_IN_TOP} AND block < ${seq} >> ${LEAF}))
		+ (SELECT count(*) FROM ${codesOf(asked, facetsOf(asked.status))}
			AND seq BETWEEN ${seq} >> ${LEAF} << ${LEAF} AND ${seq})`;
}

/** An ordered branch per facet, and one for the busy codes of other facets, merged by the ORDER BY after them. */
function membersFromStart(asked: CountedPage, facts: SQL): SQL {
	const ofFacets = facetsOf(asked.status).map(
		(facet) => sql`SELECT seq, ${facts} FROM ${codesOf(asked, [facet])} AND ${isListed(asked)}
			AND seq BETWEEN (SELECT lo FROM start) AND (SELECT seq FROM start)`,
	);
	const busy = sql`SELECT seq, ${facts} FROM changed CROSS JOIN purchase_codes USING (seq)
		WHERE partner_id = ${asked.partnerId} AND delta > 0 AND seq <= (SELECT seq FROM start)`;
	return sql.join(asked.status === undefined ? ofFacets : [...ofFacets, busy], sql` UNION ALL `);
}

function codesOf(asked: CountedPage, facets: readonly SQL[]): SQL {
	const index = asked.reference === undefined ? "purchase_codes_facet" : "purchase_codes_reference";
	return sql`purchase_codes INDEXED BY ${sql.raw(index)}
		WHERE partner_id = ${asked.partnerId} AND ${hasReference(asked)} AND facet IN (${list(facets)})`;
}

function countersOf({ partnerId, reference, status }: CountedPage, level: SQL, joined = sql``): SQL {
	return sql`SELECT block, n FROM ${joined} code_counts WHERE partner_id = ${partnerId}
		AND reference = ${reference ?? ""} AND facet IN (${list(facetsOf(status))}) AND level = ${level}`;
}

function isListed({ status, now }: CountedPage): SQL {
	return status === undefined ? sql`1` : sql`(${sql.raw(statusSql(LIST_STATUS_TABLE, now))} = ${status})`;
}

function hasReference({ reference }: CountedPage): SQL {
	return reference === undefined ? sql`1` : sql`external_reference_id = ${reference}`;
}

function list(items: readonly SQL[]): SQL {
	return sql.join([...items], sql`, `);
}

/** The facets that hold the listed codes; a status that only busy codes have is given one that no code has. */
function facetsOf(status: ListStatus | undefined): readonly SQL[] {
	const facets = status === undefined ? FACETS : [FACET_OF_LIST_STATUS[status] ?? "none"];
	return facets.map((facet) => sql.raw(`'${facet}'`));
}
