import { DAY_MS } from "../domain/durations.ts";
import { DELIVERY_KINDS } from "../domain/holder-messages.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import { PRODUCT_CODES } from "../domain/products.ts";
import { type BusyCodes, countStatuses, type StatusCounts } from "../domain/status-counts.ts";
import { FACET_TABLE, FACETS, type Facet, LIST_STATUS_TABLE } from "../domain/status-tables.ts";
import type { UsageKind } from "../domain/usage.ts";
import { DELIVERY_STATES, type DeliveryState } from "./deliveries.ts";
import { type PartnerRow, selectCaller } from "./partners.ts";
import { batch, named, type PartnerDb } from "./query.ts";
import { LEAF, TOP } from "./rank-codes.ts";
import { KEY_ENDS_AT } from "./schema.ts";
import { DELIVERY_STATE } from "./schema-delivery.ts";
import { FAILED_ACTIONS, LIMITED_ACTIONS } from "./schema-operations.ts";
import { BUSY_UNTIL, statusSql } from "./status-sql.ts";
import { santiagoDay } from "./usage.ts";

/* Written by hand: each count has its index or its order of joins prescribed, which drizzle cannot. */

/** Spans that the overview looks back on and ahead to, milliseconds. */
export const OVERVIEW = {
	chartDays: 30,
	recentMs: 7 * DAY_MS,
	codesEndMs: 3 * DAY_MS,
	certificatesEndMs: 30 * DAY_MS,
	keysEndMs: 14 * DAY_MS,
	/** Keys that end soon, named at most. */
	keys: 5,
	/** A count that has no counter ends here: one more means "more than". */
	cap: 1_000,
	/** Webhooks, the newest, whose outcomes are summed up. */
	webhooks: 50,
} as const;

export interface DayCount {
	/** YYYY-MM-DD, America/Santiago. */
	day: string;
	n: number;
}

/** Counts of a day of a partner's codes. */
export interface DayUse {
	/** YYYY-MM-DD, America/Santiago. */
	day: string;
	created: number;
	validated: number;
	emitted: number;
}

interface FailureCount {
	/** A rejection's reason. */
	reason: string;
	n: number;
}

/** The newest webhooks that were tried: how many, how many arrived, and the last attempt. */
export interface WebhookHealth {
	tried: number;
	arrived: number;
	lastAt: number | null;
	lastOutcome: string | null;
}

/** Steps that a partner has taken at least once. */
interface Begun {
	code: 0 | 1;
	validation: 0 | 1;
	certificate: 0 | 1;
	/** A key that it made itself. */
	ownKey: 0 | 1;
}

/** A key in force that ends within `keysEndMs`. */
interface EndingKey {
	id: string;
	label: string;
	/** Epoch milliseconds. */
	endsAt: number;
}

export interface Overview extends StatusCounts {
	partner: PartnerRow;
	begun: Begun;
	/** Oldest first, days without any included. */
	use: DayUse[];
	/** The first to end comes first. */
	keysEnding: EndingKey[];
	/** Failures since `recentMs`: of the newest `cap`, the most frequent first. */
	failures: FailureCount[];
	/** At most `cap` and one. */
	certificatesEnding: number;
	/** Created since `recentMs`; each at most `cap` and one. */
	deliveries: Record<DeliveryState, number>;
	webhook: WebhookHealth;
}

const list = (values: readonly string[]) => `(${values.map((value) => `'${value}'`).join(", ")})`;

/** The newest code of the batches created up to a time. */
const newestUpTo = (time: string) => `(SELECT last_seq FROM batches
	WHERE partner_id = :partnerId AND created_at <= ${time} ORDER BY created_at DESC LIMIT 1)`;

const hasUse = (kind: UsageKind) => `EXISTS (SELECT 1 FROM usage_counts
	WHERE partner_id = :partnerId AND kind = '${kind}' AND n > 0)`;

const UNUSED = `partner_id = :partnerId AND facet = 'unused'`;
const UNUSED_COUNTS = `code_counts WHERE ${UNUSED} AND reference = ''`;

const DAY_KINDS = ["created", "validated", "emitted"] as const satisfies UsageKind[];

const STATEMENTS = {
	facets: `SELECT facet, total(n) AS n FROM code_counts
		WHERE partner_id = :partnerId AND reference = '' AND facet IN ${list(FACETS)} AND level = ${TOP} GROUP BY facet`,
	/* Whole top blocks, whole leaves of the last, and its own leaf's codes. */
	unused: `WITH ends (age, hi) AS MATERIALIZED (
			SELECT 'over', ${newestUpTo(":over")} UNION ALL SELECT 'overOrSoon', ${newestUpTo(":soon")})
		SELECT age, (SELECT total(n) FROM ${UNUSED_COUNTS} AND level = ${TOP} AND block < hi >> ${TOP})
			+ (SELECT total(n) FROM ${UNUSED_COUNTS} AND level = ${LEAF}
				AND block >= hi >> ${TOP} << ${TOP - LEAF} AND block < hi >> ${LEAF})
			+ (SELECT count(*) FROM purchase_codes INDEXED BY purchase_codes_facet
				WHERE ${UNUSED} AND product IN ${list(PRODUCT_CODES)} AND seq BETWEEN hi >> ${LEAF} << ${LEAF} AND hi) AS n FROM ends`,
	busy: `SELECT ${statusSql(LIST_STATUS_TABLE, ":now")} AS status, ${statusSql(FACET_TABLE)} AS facet,
			CASE WHEN created_at <= :over THEN 'over' WHEN created_at <= :soon THEN 'soon' ELSE 'later' END AS age, count(*) AS n
		FROM purchase_codes INDEXED BY purchase_codes_busy_facts
		WHERE partner_id = :partnerId AND ${BUSY_UNTIL} > :now GROUP BY 1, 2, 3`,
	begun: `SELECT EXISTS (SELECT 1 FROM batches WHERE partner_id = :partnerId) AS code,
		${hasUse("validated")} AS validation, ${hasUse("emitted")} AS certificate,
		EXISTS (SELECT 1 FROM audit_events INDEXED BY audit_events_limited
			WHERE action IN ${list(LIMITED_ACTIONS)} AND partner_id = :partnerId
				AND action IN ('key_added', 'key_rotated') AND actor LIKE 'partner:%') AS ownKey`,
	keys: `SELECT id, label, ${KEY_ENDS_AT} AS endsAt FROM api_keys
		WHERE partner_id = :partnerId AND ${KEY_ENDS_AT} > :realNow AND ${KEY_ENDS_AT} < :keysEnd
		ORDER BY ${KEY_ENDS_AT} LIMIT ${OVERVIEW.keys}`,
	use: `WITH RECURSIVE days (day, ago) AS (
			SELECT day, 0 FROM (SELECT ${santiagoDay(":now")} AS day)
			UNION ALL SELECT date(day, '-1 day'), ago + 1 FROM days WHERE ago < ${OVERVIEW.chartDays - 1}),
		blocks (block, last) AS (
			SELECT 0, max(last_seq) >> ${TOP} FROM batches WHERE partner_id = :partnerId
			UNION ALL SELECT block + 1, last FROM blocks WHERE block < last),
		counted AS MATERIALIZED (SELECT counts.day, kind, sum(n) AS n FROM blocks CROSS JOIN usage_counts AS counts
			WHERE counts.partner_id = :partnerId AND counts.block = blocks.block
				AND counts.day BETWEEN (SELECT min(day) FROM days) AND (SELECT max(day) FROM days)
				AND kind IN ${list(DAY_KINDS)}
			GROUP BY counts.day, kind)
		SELECT days.day, ${DAY_KINDS.map((kind) => `total(iif(kind = '${kind}', n, 0)) AS ${kind}`).join(", ")}
		FROM days LEFT JOIN counted ON counted.day = days.day GROUP BY days.day ORDER BY days.day`,
	failures: `SELECT outcome AS reason, count(*) AS n FROM (
			SELECT outcome FROM audit_events INDEXED BY audit_events_failures
			WHERE partner_id = :partnerId AND action IN ${list(FAILED_ACTIONS)} AND at >= :failedSince ORDER BY at DESC LIMIT :cap)
		GROUP BY outcome ORDER BY n DESC, outcome`,
	ending: `SELECT count(*) AS n FROM (SELECT 1 FROM certificates INDEXED BY certificates_validity
		WHERE partner_id = :partnerId AND issued_at IS NOT NULL AND (revoked_at IS NULL) = 1
			AND not_after > :now AND not_after < :certificatesEnd LIMIT :most)`,
	deliveries: DELIVERY_STATES.map(
		(state) => `SELECT '${state}' AS state, count(*) AS n FROM (
			SELECT 1 FROM outbox INDEXED BY outbox_partner_state
			WHERE partner_id = :partnerId AND (${DELIVERY_STATE}) = '${state}' AND event IN ${list(DELIVERY_KINDS)}
				AND created_at >= :since LIMIT :most)`,
	).join(" UNION ALL "),
	/* SQLite takes the outcome from the row that has the latest attempt. */
	webhook: `SELECT count(*) AS tried, count(delivered_at) AS arrived, max(last_attempt_at) AS lastAt,
			last_outcome AS lastOutcome
		FROM (SELECT delivered_at, last_attempt_at, last_outcome, channel FROM outbox INDEXED BY outbox_partner
			WHERE partner_id = :partnerId ORDER BY created_at DESC LIMIT ${OVERVIEW.webhooks})
		WHERE channel = 'webhook' AND last_attempt_at IS NOT NULL`,
};

/**
 * Reads all that a partner's overview shows in one round trip. It reads counters, the busy codes, and counts that end at a cap: as
 * much of a million codes as of a thousand, but for the counters of their 61 blocks.
 * @throws {Unavailable}
 */
export async function readOverview(
	db: PartnerDb,
	/** `now` by the partner's clock; the audit's is the real one. */
	{ partnerId, now, realNow }: { partnerId: string; now: number; realNow: number },
): Promise<Overview> {
	const values = {
		partnerId,
		now,
		over: now - CODE_WINDOW_MS,
		soon: now - CODE_WINDOW_MS + OVERVIEW.codesEndMs,
		since: now - OVERVIEW.recentMs,
		realNow,
		keysEnd: realNow + OVERVIEW.keysEndMs,
		failedSince: realNow - OVERVIEW.recentMs,
		certificatesEnd: now + OVERVIEW.certificatesEndMs,
		cap: OVERVIEW.cap,
		most: OVERVIEW.cap + 1,
	};
	const read = await batch(db, {
		facets: named<{ facet: Facet; n: number }>(STATEMENTS.facets, values),
		unused: named<{ age: "over" | "overOrSoon"; n: number }>(STATEMENTS.unused, values),
		busy: named<BusyCodes>(STATEMENTS.busy, values),
		partner: selectCaller(db, { partnerId }),
		begun: named<Begun>(STATEMENTS.begun, values),
		keysEnding: named<EndingKey>(STATEMENTS.keys, values),
		use: named<DayUse>(STATEMENTS.use, values),
		failures: named<FailureCount>(STATEMENTS.failures, values),
		ending: named<{ n: number }>(STATEMENTS.ending, values),
		deliveries: named<{ state: DeliveryState; n: number }>(STATEMENTS.deliveries, values),
		webhook: named<WebhookHealth>(STATEMENTS.webhook, values),
	});
	const facets = Object.fromEntries(read.facets.map(({ facet, n }) => [facet, n]));
	const unused = { over: 0, overOrSoon: 0 };
	for (const { age, n } of read.unused) unused[age] = n;
	const deliveries = { pending: 0, delivered: 0, dead: 0 };
	for (const { state, n } of read.deliveries) deliveries[state] = n;
	return {
		...countStatuses({ facets, unused, busy: read.busy }),
		partner: read.partner[0]!,
		begun: read.begun[0]!,
		keysEnding: read.keysEnding,
		use: read.use,
		failures: read.failures,
		certificatesEnding: read.ending[0]!.n,
		deliveries,
		webhook: read.webhook[0]!,
	};
}
