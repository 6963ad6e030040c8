import { type SQL, sql } from "drizzle-orm";
import type { Facet } from "../domain/status-tables.ts";
import { LEVELS } from "./rank-codes.ts";

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

/** A batch spans a few blocks of `seq`, each counted by its overlap with the batch. */
export function countCodes({ id, partnerId }: BatchOfCodes): SQL[] {
	return LEVELS.map(
		(level) =>
			sql`
		WITH RECURSIVE blocks (block, first_seq, last_seq) AS (
			SELECT first_seq >> ${level}, first_seq, last_seq FROM batches WHERE id = ${id} AND partner_id = ${partnerId}
			UNION ALL SELECT block + 1, first_seq, last_seq FROM blocks WHERE block < last_seq >> ${level})
		INSERT INTO code_counts (partner_id, reference, facet, level, block, n)
		SELECT ${partnerId}, '', ${UNUSED}, ${level}, block,
			min(last_seq, ((block + 1) << ${level}) - 1) - max(first_seq, block << ${level}) + 1
		FROM blocks WHERE true
		ON CONFLICT DO UPDATE SET n = n + excluded.n`,
	);
}
