import { type SQL, sql } from "drizzle-orm";
import { batch, type DatabaseDb, openHere } from "./query.ts";

/* Written by hand: drizzle has neither WITH RECURSIVE nor a comparison of two tables by EXCEPT within a WITH. */

/** A block of 16,384 codes of one partner, the one the counters of `seq >> 14` are kept for. */
export interface CountedBlock {
	partnerId: string;
	block: number;
}

const TOP = sql`14`;
const LEAF = sql`7`;

/** Blocks that have codes or counters, in order, after the given one. */
export async function findBlocks(
	db: DatabaseDb,
	after: CountedBlock | null,
	limit: number,
): Promise<CountedBlock[]> {
	const { partnerId, block } = after ?? { partnerId: "", block: -1 };
	const { blocks } = await batch(db, {
		blocks: sql<CountedBlock>`WITH RECURSIVE blocks (partner_id, block, last) AS (
				SELECT partner_id, 0, max(last_seq) >> ${TOP} FROM batches WHERE partner_id >= ${partnerId} AND ${openHere(sql`partner_id`)} GROUP BY partner_id
				UNION ALL SELECT partner_id, block + 1, last FROM blocks WHERE block < last)
			SELECT partner_id AS "partnerId", block FROM blocks WHERE (partner_id, block) > (${partnerId}, ${block})
			ORDER BY partner_id, block LIMIT ${limit}`,
	});
	return blocks;
}

/** How many counters of a block differ from the codes in it. Reads each of its codes, 16,384 at most. */
export async function countWrongCounters(db: DatabaseDb, counted: CountedBlock): Promise<number> {
	const {
		counted: [row],
	} = await batch(db, {
		counted: sql<{
			wrong: number;
		}>`WITH stored AS (SELECT reference, facet, level, block, product, n FROM code_counts WHERE ${inBlock(counted)} AND n <> 0),
				actual AS (${actualCounts(counted)})
			SELECT (SELECT count(*) FROM (SELECT * FROM actual EXCEPT SELECT * FROM stored))
				+ (SELECT count(*) FROM (SELECT * FROM stored EXCEPT SELECT * FROM actual)) AS wrong`,
	});
	return row?.wrong ?? 0;
}

/** Counts a block anew. One atomic batch: no code changes between the counting and the writing. */
export async function recountBlock(db: DatabaseDb, counted: CountedBlock): Promise<void> {
	await batch(db, {
		remove: sql`DELETE FROM code_counts WHERE ${inBlock(counted)}`,
		insert: sql`INSERT INTO code_counts (partner_id, reference, facet, level, block, product, n)
			SELECT ${counted.partnerId}, reference, facet, level, block, product, n FROM (${actualCounts(counted)})`,
	});
}

function inBlock({ partnerId, block }: CountedBlock): SQL {
	return sql`partner_id = ${partnerId} AND ((level = ${TOP} AND block = ${block})
		OR (level = ${LEAF} AND block BETWEEN ${block << 7} AND ${(block << 7) + 127}))`;
}

/** Counts as the triggers and the bulk insert would have made them (migrations/0000_first.sql, src/db/insert-batch.ts). */
function actualCounts({ partnerId, block }: CountedBlock): SQL {
	const codes = sql`FROM purchase_codes WHERE partner_id = ${partnerId} AND seq BETWEEN ${block * 16_384} AND ${block * 16_384 + 16_383}`;
	const counted = (level: SQL, reference: SQL, condition: SQL) =>
		sql`SELECT ${reference} AS reference, facet, ${level} AS level, seq >> ${level} AS block, product, count(*) AS n
			${codes} ${condition} GROUP BY 1, 2, 4, 5`;
	const referenced = sql`AND external_reference_id IS NOT NULL`;
	return sql.join(
		[TOP, LEAF].flatMap((level) => [
			counted(level, sql`''`, sql``),
			counted(level, sql`external_reference_id`, referenced),
		]),
		sql` UNION ALL `,
	);
}
