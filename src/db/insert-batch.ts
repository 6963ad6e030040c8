import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { Facet } from "../domain/status-tables.ts";
import { CHAIN_BEGIN, type ChangeOrigin, nextAuditRow } from "./audit-events.ts";
import type { PartnerDb, Statement } from "./query.ts";
import { LEAF, LEVELS, TOP } from "./rank-codes.ts";
import { batches, purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-operations.ts";

/*
 * How codes come into being: a batch, its codes, its counters, in this order. Written by hand: drizzle's INSERT … SELECT
 * takes every column of a table, and it has neither json_each nor WITH RECURSIVE.
 */

export interface BatchOfCodes {
	id: string;
	partnerId: string;
	product: string;
	/** Canonical codes, all different. */
	codes: readonly string[];
	/** Epoch milliseconds, by the real clock: the batch is created by its partner's. */
	now: number;
}

/**
 * `seq` goes on where the partner's last batch ended, and created_at strictly grows: the list's order (newest
 * first, then by code) is then the order of `seq`.
 * @param condition - on the partner's row; without it the statements after this one insert nothing either.
 */
export function insertBatch({ id, partnerId, product, codes, now }: BatchOfCodes, condition: SQL): SQL {
	return sql`
		INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at)
		SELECT ${id}, partners.id, ${product}, coalesce(last.last_seq, 0) + 1, coalesce(last.last_seq, 0) + ${codes.length},
			max(${now} + partners.clock_offset, coalesce(last.created_at, 0) + 1)
		FROM partners LEFT JOIN
			(SELECT last_seq, created_at FROM batches WHERE partner_id = ${partnerId} ORDER BY last_seq DESC LIMIT 1) AS last
		WHERE partners.id = ${partnerId} AND ${condition}`;
}

/**
 * Whether the partner's codes of the last 14 days, less those now issued, leave room for these: `insertBatch`'s condition.
 * Codes are numbered in the order of their creation, so that counters say how many of the newest are issued.
 */
export function isWithinQuota({ partnerId, codes, now }: BatchOfCodes): SQL {
	const older = sql`(SELECT last_seq FROM batches
		WHERE partner_id = ${partnerId} AND created_at <= ${now - CODE_WINDOW_MS} + partners.clock_offset
		ORDER BY created_at DESC LIMIT 1)`;
	const own = sql`partner_id = ${partnerId} AND facet = ${ISSUED}`;
	return sql`(SELECT coalesce(last.last_seq, 0) - older.seq + ${codes.length}
			- (SELECT coalesce(sum(n), 0) FROM code_counts
				WHERE ${own} AND reference = '' AND level = ${TOP} AND block > older.seq >> ${TOP})
			- (SELECT coalesce(sum(n), 0) FROM code_counts
				WHERE ${own} AND reference = '' AND level = ${LEAF} AND block > older.seq >> ${LEAF}
					AND block < ((older.seq >> ${TOP}) + 1) << ${TOP - LEAF})
			- (SELECT count(*) FROM purchase_codes
				WHERE ${own} AND seq > older.seq AND seq < ((older.seq >> ${LEAF}) + 1) << ${LEAF})
			<= partners.max_codes_14_days
		FROM (SELECT coalesce(${older}, 0) AS seq) AS older)`;
}

/** Codes in descending order, since the list runs against `seq`. */
export function insertCodes({ id, partnerId, codes }: BatchOfCodes): SQL {
	const descending = JSON.stringify(codes.toSorted().reverse());
	return sql`
		INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at)
		SELECT batches.partner_id, batches.first_seq + entry.key, entry.value, batches.id, batches.product,
			batches.created_at, batches.created_at
		FROM batches, json_each(${descending}) AS entry
		WHERE batches.id = ${id} AND batches.partner_id = ${partnerId}`;
}

const UNUSED: Facet = "unused";
const ISSUED: Facet = "issued";

/** A batch spans a few blocks of `seq`, each counted by its overlap with the batch. */
export function countCodes({ id, partnerId }: BatchOfCodes): SQL[] {
	return LEVELS.map(
		(level) =>
			sql`
		WITH RECURSIVE blocks (block, product, first_seq, last_seq) AS (
			SELECT first_seq >> ${level}, product, first_seq, last_seq FROM batches WHERE id = ${id} AND partner_id = ${partnerId}
			UNION ALL SELECT block + 1, product, first_seq, last_seq FROM blocks WHERE block < last_seq >> ${level})
		INSERT INTO code_counts (partner_id, reference, facet, level, block, product, n)
		SELECT ${partnerId}, '', ${UNUSED}, ${level}, block, product,
			min(last_seq, ((block + 1) << ${level}) - 1) - max(first_seq, block << ${level}) + 1
		FROM blocks WHERE true
		ON CONFLICT DO UPDATE SET n = n + excluded.n`,
	);
}

/*
 * A code that replaces another is a batch of one. The batch is named after the code that it replaces, so that no code
 * is ever replaced twice.
 */

/** Whether the code of this name was replaced; `codes` is the table it is asked in. */
export const IS_REPLACED = sql`EXISTS (SELECT 1 FROM batches
	WHERE batches.id = 'bt_' || lower(replace(codes.code, '-', '')) AND batches.partner_id = codes.partner_id)`;

function batchReplacing(code: string): string {
	return `bt_${code.replaceAll("-", "").toLowerCase()}`;
}

/** The code that replaces this one, if any does. */
export function selectReplacement(db: PartnerDb, partnerId: string, code: string) {
	return db
		.select({ replacement: purchaseCodes.code })
		.from(batches)
		.innerJoin(
			purchaseCodes,
			and(eq(purchaseCodes.partnerId, batches.partnerId), eq(purchaseCodes.seq, batches.firstSeq)),
		)
		.where(and(eq(batches.id, batchReplacing(code)), eq(batches.partnerId, partnerId)));
}

/**
 * Creates the replacement of a code: batch, code, counters and the batch's audit row, for the commit that replaces it.
 * What the partner may order now is not asked: the code was sold.
 * @param replacement - the new code, canonical.
 */
export async function insertReplacement(
	db: PartnerDb,
	{ partnerId, code: replaced, product }: Pick<CodeFacts, "partnerId" | "code" | "product">,
	replacement: string,
	origin: ChangeOrigin,
): Promise<Statement[]> {
	const id = batchReplacing(replaced);
	const created = { entity: `batch:${id}`, partnerId, action: "created" as const, outcome: `1 ${product}` };
	const audit = await nextAuditRow(db, created, origin, CHAIN_BEGIN);
	const batch = { id, partnerId, product, codes: [replacement], now: origin.now };
	return [
		insertBatch(batch, sql`true`),
		insertCodes(batch),
		...countCodes(batch),
		db.insert(auditEvents).values(audit),
	];
}
