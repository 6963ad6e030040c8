import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { wakeDatabase } from "../scripts/local-migrations.ts";
import { DAY_MS, HOUR_MS } from "../src/domain/durations.ts";

/** Codes a batch, as many as `pcode/bulk` allows. */
const BATCH = 500;
/** Codes a statement: a busy disk holds none of them up for long. */
const CHUNK = 10_000;
const SEED = 20261122;
const DAYS_MS = 30 * DAY_MS;

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FOUR_SYMBOLS = Array(4).fill(`substr('${ALPHABET}', 1 + (random() & 31), 1)`).join(" || ");
/** A code of the canonical form, its symbols drawn by SQLite: spread over the index as real ones are. */
const RANDOM_CODE = Array(4).fill(FOUR_SYMBOLS).join(" || '-' || ");

export const SHARED_REFERENCE = "shared";
export const RARE_REFERENCE = "rare";

/**
 * Fills a partner's stock in the database itself: batches over the last 30 days, codes of every facet, one code in
 * 1,200 busy for the next hours, one reference on all codes but one in 5,000, and the counters. A batch's codes are
 * unordered.
 * @param codes - a multiple of 500
 */
export async function seedStock(
	db: D1Database,
	partnerId: string,
	codes: number,
	now: number,
): Promise<void> {
	await wakeDatabase(db);
	const batches = codes / BATCH;
	await db
		.prepare(
			`WITH RECURSIVE step (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < ?2 - 1)
			INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at)
				SELECT ?1 || '-' || i, ?1, 'FV01', i * ${BATCH} + 1, (i + 1) * ${BATCH}, ?3 + i * ?4 FROM step`,
		)
		.bind(partnerId, batches, now - DAYS_MS, Math.floor(DAYS_MS / batches))
		.run();
	for (let seq = 0; seq < codes; seq += CHUNK) await fill(db, partnerId, seq, now);
	await db.batch(["''", "external_reference_id"].flatMap((reference) => count(db, partnerId, reference)));
}

function fill(db: D1Database, partnerId: string, after: number, now: number): Promise<unknown> {
	return db
		.prepare(
			`WITH RECURSIVE step (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM step WHERE i < ${BATCH - 1}),
				made AS (SELECT b.*, first_seq + i AS seq, ((first_seq + i) * 2654435761) % 4294967296 AS dice
					FROM batches AS b CROSS JOIN step WHERE partner_id = ?1 AND last_seq > ?2 AND last_seq <= ?3)
			INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at,
					external_reference_id, validated_at, issued_at, cancelled_at, blocked_at, validation_locked_until, claim_locked_until,
					processing_until)
				SELECT partner_id, seq, ${RANDOM_CODE}, id, product, created_at, created_at,
					iif(dice % 5003 = 0, '${RARE_REFERENCE}', '${SHARED_REFERENCE}'),
					iif(dice % 7 IN (0, 1), ?4, NULL), iif(dice % 7 = 1, ?4, NULL), iif(dice % 7 = 2, ?4, NULL),
					iif(dice % 7 = 3, ?4, NULL), iif(dice % 3001 = 0, ?4 + ${HOUR_MS} + dice % ${HOUR_MS}, NULL),
					iif(dice % 3001 = 0, ?4 + ${HOUR_MS} + dice % ${HOUR_MS}, NULL),
					iif(dice % 2003 = 0, ?4 + ${HOUR_MS}, NULL)
				FROM made`,
		)
		.bind(partnerId, after, after + CHUNK, now)
		.run();
}

/** Locks `count` codes of a partner for the next half hour, spread over its stock. */
export async function lockCodes(
	db: D1Database,
	partnerId: string,
	codes: number,
	count: number,
	now: number,
): Promise<void> {
	await wakeDatabase(db);
	await db
		.prepare(
			`UPDATE purchase_codes SET validation_locked_until = ?2 + 1800000, claim_locked_until = ?2 + 1800000 WHERE partner_id = ?1 AND seq % ?3 = 0 AND seq <= ?3 * ?4`,
		)
		.bind(partnerId, now, Math.floor(codes / count), count)
		.run();
}

function count(db: D1Database, partnerId: string, reference: string): D1PreparedStatement[] {
	return [7, 14].map((level) =>
		db
			.prepare(
				`INSERT INTO code_counts (partner_id, reference, facet, level, block, product, n)
				SELECT partner_id, ${reference}, facet, ${level}, seq >> ${level}, product, count(*) FROM purchase_codes
				WHERE partner_id = ? AND ${reference} IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
			)
			.bind(partnerId),
	);
}

/** Codes of a partner's stock, drawn at random from a fixed seed. */
export async function drawCodes(
	db: D1Database,
	partnerId: string,
	stock: number,
	n: number,
): Promise<string[]> {
	await wakeDatabase(db);
	const generator = xoroshiro128plus(SEED);
	const seqs = JSON.stringify(Array.from({ length: n }, () => uniformInt(generator, 1, stock)));
	const { results } = await db
		.prepare(
			`SELECT code FROM json_each(?2) CROSS JOIN purchase_codes WHERE partner_id = ?1 AND seq = json_each.value`,
		)
		.bind(partnerId, seqs)
		.all<{ code: string }>();
	return results.map(({ code }) => code);
}
