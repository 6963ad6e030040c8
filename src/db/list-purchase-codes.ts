import { type SQL, sql } from "drizzle-orm";
import type { CodeFacts, TimedFacts } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { ListStatus } from "../domain/status-tables.ts";
import { pageByCounters } from "./page-by-counters.ts";
import { type Db, query } from "./query.ts";

/** Which codes of a partner to list, at `now`. Times in epoch milliseconds; createdFrom and createdTo inclusive. */
export interface ListQuery {
	partnerId: string;
	now: number;
	limit: number;
	/** How many codes, newest first, precede the page. */
	offset: number;
	status?: ListStatus;
	reference?: string;
	batchId?: string;
	createdFrom?: number;
	createdTo?: number;
}

/** What is stored of a code that a list item shows or derives from. */
export type ListedCode = { batchId: string } & TimedFacts &
	Pick<CodeFacts, "code" | "product" | "updatedAt" | "externalReferenceId">;

/**
 * A page of the partner's codes, newest first and then by code, and how many codes the filters let through.
 * One statement. It reads counters and index entries, a few thousand at most, for any stock and page
 * (docs/decisions/0002-list-by-counters.md).
 * @throws {Unavailable}
 */
export async function listPurchaseCodes(
	db: Db,
	list: ListQuery,
): Promise<{ total: number; codes: ListedCode[] }> {
	const isFiltered = list.status !== undefined || list.reference !== undefined;
	const rows = await query(
		db.all<Row>(sql`
		WITH range (lo, hi) AS MATERIALIZED (${rangeOfBatches(list)}),
		${isFiltered ? pageByCounters(list, FACTS) : pageByArithmetic(list)}
		SELECT coalesce((SELECT total FROM counted), 0) AS total, page.*
		FROM (SELECT 1) LEFT JOIN page
		ORDER BY page.seq DESC`),
	);
	return {
		total: rows[0]?.total ?? 0,
		codes: rows.filter(isCode).map(({ total: _, seq: __, ...code }) => code),
	};
}

/** The statement's rows: one at least, so that an empty page has its total too. */
type Row = CodeRow | { total: number; seq: null };
type CodeRow = ListedCode & { total: number; seq: number };

function isCode(row: Row): row is CodeRow {
	return row.seq !== null;
}

const FACTS = sql`code, batch_id AS batchId, product, created_at AS createdAt, updated_at AS updatedAt,
	external_reference_id AS externalReferenceId, validated_at AS validatedAt, issued_at AS issuedAt,
	certificate_not_after AS certificateNotAfter, cancelled_at AS cancelledAt, blocked_at AS blockedAt,
	locked_until AS lockedUntil, onboarding_until AS onboardingUntil, processing_until AS processingUntil`;

/** The `seq` of the oldest and the newest code that the dates and the batch let through, or no row. */
function rangeOfBatches({ partnerId, batchId, ...query }: ListQuery): SQL {
	const { from, to } = createdRange(query);
	if (batchId !== undefined)
		return sql`SELECT first_seq, last_seq FROM batches
			WHERE id = ${batchId} AND partner_id = ${partnerId} AND created_at BETWEEN ${from} AND ${to}`;
	return sql`SELECT lo, hi FROM (SELECT
			(SELECT first_seq FROM batches WHERE partner_id = ${partnerId} AND created_at >= ${from}
				ORDER BY created_at LIMIT 1) AS lo,
			(SELECT last_seq FROM batches WHERE partner_id = ${partnerId} AND created_at <= ${to}
				ORDER BY created_at DESC LIMIT 1) AS hi) WHERE lo <= hi`;
}

/** `sin_utilizar` and `expirado` are the unused codes on either side of an instant (§8, the 14-day window). */
function createdRange({ createdFrom = 0, createdTo = Number.MAX_SAFE_INTEGER, status, now }: CreatedQuery) {
	const lastExpired = now - CODE_WINDOW_MS;
	return {
		from: status === "sin_utilizar" ? Math.max(createdFrom, lastExpired + 1) : createdFrom,
		to: status === "expirado" ? Math.min(createdTo, lastExpired) : createdTo,
	};
}

type CreatedQuery = Pick<ListQuery, "createdFrom" | "createdTo" | "status" | "now">;

/** The same CTEs where neither status nor reference is asked: a range of `seq` has no gaps. */
function pageByArithmetic({ partnerId, limit, offset }: ListQuery): SQL {
	return sql`counted (total) AS (SELECT hi - lo + 1 FROM range),
		page AS (
			SELECT seq, ${FACTS} FROM purchase_codes WHERE partner_id = ${partnerId}
				AND seq BETWEEN (SELECT lo FROM range) AND (SELECT hi - ${offset} FROM range)
			ORDER BY seq DESC LIMIT ${limit}
		)`;
}
