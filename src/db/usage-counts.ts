import { type SQL, sql } from "drizzle-orm";
import type { UsageKind } from "../domain/usage.ts";
import type { CountedBlock } from "./code-counts.ts";
import { batch, type Db } from "./query.ts";
import { santiagoDay } from "./usage.ts";

/* Written by hand, as the triggers are: a UNION over rows that are repeated by CROSS JOIN (VALUES …). */

/**
 * Kinds of use whose counters of a block differ from the tables. Of `validated` the sum over all days is compared: a code
 * counts on the day of its first validation, and the tables know its last.
 */
export async function findWrongUsage(db: Db, block: CountedBlock): Promise<UsageKind[]> {
	const summed = (
		counts: SQL,
	) => sql`SELECT kind, product, iif(kind = 'validated', '', day) AS day, sum(n) AS n
		FROM ${counts} GROUP BY 1, 2, 3 HAVING sum(n) <> 0`;
	const { kinds } = await batch(db, {
		kinds: sql<{ kind: UsageKind }>`WITH stored AS (${summed(sql`usage_counts WHERE ${inBlock(block)}`)}),
				actual AS (${summed(sql`(${actualUsage(block)})`)})
			SELECT kind FROM (SELECT * FROM actual EXCEPT SELECT * FROM stored)
			UNION SELECT kind FROM (SELECT * FROM stored EXCEPT SELECT * FROM actual)`,
	});
	return kinds.map(({ kind }) => kind);
}

/** Counts these kinds of a block anew, in one atomic batch. `validated` then counts on the day of the last validation. */
export async function recountUsage(db: Db, block: CountedBlock, kinds: readonly UsageKind[]): Promise<void> {
	const wrong = sql`kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))`;
	await batch(db, {
		remove: sql`DELETE FROM usage_counts WHERE ${inBlock(block)} AND ${wrong}`,
		insert: sql`INSERT INTO usage_counts (partner_id, block, day, product, kind, n)
			SELECT ${block.partnerId}, ${block.block}, day, product, kind, n
			FROM (${actualUsage(block)}) WHERE ${wrong}`,
	});
}

function inBlock({ partnerId, block }: CountedBlock): SQL {
	return sql`partner_id = ${partnerId} AND block = ${block}`;
}

/** What the triggers would have counted (migrations/0000_first.sql). A batch counts in the block that it ends in. */
function actualUsage({ partnerId, block }: CountedBlock): SQL {
	const range = sql`BETWEEN ${block * 16_384} AND ${block * 16_384 + 16_383}`;
	const day = (time: string) => sql.raw(santiagoDay(time));
	return sql`SELECT 'created' AS kind, product, ${day("created_at")} AS day, sum(last_seq - first_seq + 1) AS n
			FROM batches WHERE partner_id = ${partnerId} AND last_seq ${range} GROUP BY 2, 3
		UNION ALL
		SELECT kind, product, ${day("at")}, count(*)
			FROM (SELECT column1 AS kind, product, CASE column1 WHEN 'validated' THEN codes.validated_at
					WHEN 'emitted' THEN codes.issued_at WHEN 'revoked' THEN revoked_at
					ELSE iif(revoked_at < certificate_not_after, NULL, certificate_not_after) END AS at
				FROM purchase_codes AS codes LEFT JOIN certificates
					ON serial = certificate_serial AND certificates.partner_id = codes.partner_id
				CROSS JOIN (VALUES ('validated'), ('emitted'), ('revoked'), ('expired'))
				WHERE codes.partner_id = ${partnerId} AND seq ${range} AND coalesce(codes.validated_at, codes.issued_at) IS NOT NULL)
			WHERE at IS NOT NULL GROUP BY 1, 2, 3`;
}
