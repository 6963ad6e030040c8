import { type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../domain/durations.ts";
import type { UsageCount, UsageKind } from "../domain/usage.ts";
import type { CountedBlock } from "./code-counts.ts";
import { batch, type DatabaseDb, named, type PartnerDb } from "./query.ts";

/* Written by hand: drizzle has neither WITH RECURSIVE nor MATERIALIZED nor INDEXED BY. */

/** The day in America/Santiago of a time, both SQL. */
export function santiagoDay(time: string): string {
	return `date((${time} + (SELECT offset_ms FROM santiago_offsets WHERE starts_at <= ${time}
		ORDER BY starts_at DESC LIMIT 1)) / 1000, 'unixepoch')`;
}

/** Longer than any day, also one on which the clocks go back. */
const MORE_THAN_A_DAY_MS = 26 * HOUR_MS;

/**
 * Reads a partner's usage in a month, by day. Days that are over are counters; of today's certificates those count as
 * expired whose end has passed.
 * @param month - YYYY-MM in America/Santiago; '' for the one of `now`.
 */
export async function readUsage(
	db: PartnerDb,
	{ partnerId, month, now }: { partnerId: string; month: string; now: number },
): Promise<{ month: string; counts: UsageCount[] }> {
	const asked = `asked (today, month) AS MATERIALIZED (SELECT day, coalesce(nullif(:month, ''), substr(day, 1, 7))
		FROM (SELECT ${santiagoDay(":now")} AS day))`;
	const values = { partnerId, month, now };
	const {
		month: months,
		counted,
		expired,
	} = await batch(db, {
		month: named<{ month: string }>(`WITH ${asked} SELECT month FROM asked`, values),
		counted: named<UsageCount>(
			`WITH RECURSIVE ${asked}, blocks (block, last) AS (
					SELECT 0, max(last_seq) >> 14 FROM batches WHERE partner_id = :partnerId
					UNION ALL SELECT block + 1, last FROM blocks WHERE block < last)
				SELECT day, product, kind, sum(n) AS n
				FROM asked CROSS JOIN blocks CROSS JOIN usage_counts AS counts
				WHERE counts.partner_id = :partnerId AND counts.block = blocks.block
					AND day BETWEEN month || '-01' AND month || '-31' AND (kind <> 'expired' OR day < today)
				GROUP BY day, product, kind`,
			values,
		),
		expired: named<UsageCount>(
			`WITH ${asked}
				SELECT today AS day, product, 'expired' AS kind, count(*) AS n
				FROM asked CROSS JOIN certificates INDEXED BY certificates_validity CROSS JOIN purchase_codes AS codes
				WHERE certificates.partner_id = :partnerId AND certificates.issued_at IS NOT NULL
					AND (revoked_at IS NULL) IN (0, 1) AND not_after > :now - ${MORE_THAN_A_DAY_MS} AND not_after <= :now
					AND coalesce(revoked_at >= not_after, 1)
					AND month = substr(today, 1, 7) AND ${santiagoDay("not_after")} = today
					AND codes.code = certificates.code AND codes.partner_id = :partnerId AND certificate_serial = serial
				GROUP BY product`,
			values,
		),
	});
	return { month: months[0]!.month, counts: [...counted, ...expired] };
}

/* Counters compared with the tables. Written by hand, as the triggers are: a UNION over rows that are repeated by CROSS JOIN (VALUES …). */

/**
 * Kinds of use whose counters of a block differ from the tables. Of `validated` the sum over all days is compared: a code
 * counts on the day of its first validation, and the tables know its last.
 */
export async function findWrongUsage(db: DatabaseDb, block: CountedBlock): Promise<UsageKind[]> {
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
export async function recountUsage(
	db: DatabaseDb,
	block: CountedBlock,
	kinds: readonly UsageKind[],
): Promise<void> {
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

/** Counts as the triggers would have made them (migrations/0000_first.sql). A batch counts in the block that it ends in. */
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
