import { HOUR_MS } from "../domain/durations.ts";
import type { UsageCount } from "../domain/usage.ts";
import { batch, type Db, named } from "./query.ts";

/* Written by hand: drizzle has neither WITH RECURSIVE nor MATERIALIZED nor INDEXED BY. */

/** The day in America/Santiago of a time, both SQL. */
export function santiagoDay(time: string): string {
	return `date((${time} + (SELECT offset_ms FROM santiago_offsets WHERE starts_at <= ${time}
		ORDER BY starts_at DESC LIMIT 1)) / 1000, 'unixepoch')`;
}

/** Longer than any day, also one on which the clocks go back. */
const MORE_THAN_A_DAY_MS = 26 * HOUR_MS;

/**
 * What a partner used in a month, by day. Days that are over are counters; of today's certificates those count as
 * expired whose end has passed.
 * @param month - YYYY-MM in America/Santiago; '' for the one of `now`.
 */
export async function readUsage(
	db: Db,
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
