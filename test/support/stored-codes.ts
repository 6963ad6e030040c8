import type { ListedCode } from "../../src/db/list-purchase-codes.ts";
import { HOUR_MS } from "../../src/domain/durations.ts";
import { PRODUCT_CODES, type ProductCode } from "../../src/domain/products.ts";
import { REGISTER } from "./db.ts";
import { openPlaces } from "./places.ts";
import { seededRandom } from "./seeded-random.ts";

/* Purchase codes of every kind, drawn at random and written straight into D1, for tests of the list. */

export const NOW = Date.UTC(2026, 10, 21);

export type StoredCode = ListedCode & { partnerId: string; seq: number };
export interface Batch {
	id: string;
	firstSeq: number;
	lastSeq: number;
	createdAt: number;
	product: ProductCode;
}

export const REFERENCES = ["shared", "shared ", "O'Brien; --", "pedido ñ %_", "rare"] as const;

/** Batches of 1 to 500 codes, many of a single one, over the 30 days before and the day after NOW. */
export function randomBatches(random: () => number, codes: number): Batch[] {
	const batches: Batch[] = [];
	for (let lastSeq = 0; lastSeq < codes; ) {
		const size = random() < 0.5 ? 1 : 1 + Math.floor(random() * 500);
		const firstSeq = lastSeq + 1;
		lastSeq = Math.min(codes, lastSeq + size);
		const product = pick(random, PRODUCT_CODES);
		batches.push({ id: `batch-${firstSeq}`, firstSeq, lastSeq, createdAt: 0, product });
	}
	const step = Math.floor((31 * 24 * HOUR_MS) / batches.length);
	for (const [index, batch] of batches.entries()) {
		const jitter = random() < 0.3 ? 0 : Math.floor(random() * step);
		batch.createdAt = NOW - 30 * 24 * HOUR_MS + index * step + jitter;
	}
	return batches;
}

export function randomCodes(random: () => number, batch: Batch & { partnerId: string }): StoredCode[] {
	const near = () => NOW + Math.floor((random() - 0.5) * 2 * HOUR_MS);
	const seldom = (share: number, value: () => number) => (random() < share ? value() : null);
	return Array.from({ length: batch.lastSeq - batch.firstSeq + 1 }, (_, index) => ({
		partnerId: batch.partnerId,
		seq: batch.firstSeq + index,
		code: `${batch.partnerId}-${batch.firstSeq}-${String(999 - index).padStart(3, "0")}`,
		batchId: batch.id,
		product: batch.product,
		createdAt: batch.createdAt,
		updatedAt: batch.createdAt + index,
		externalReferenceId: random() < 0.6 ? (random() < 0.8 ? "shared" : pick(random, REFERENCES)) : null,
		validatedAt: seldom(0.4, near),
		issuedAt: seldom(0.2, near),
		certificateNotAfter: null,
		cancelledAt: seldom(0.1, near),
		blockedAt: seldom(0.1, near),
		validationLockedUntil: seldom(0.03, near),
		claimLockedUntil: seldom(0.03, near),
		onboardingUntil: seldom(0.03, near),
		processingUntil: seldom(0.03, near),
	}));
}

export async function storeBatches(batches: readonly (Batch & { partnerId: string })[]): Promise<void> {
	const store = REGISTER.prepare(
		`INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at)
			SELECT value ->> 'id', value ->> 'partnerId', value ->> 'product', value ->> 'firstSeq', value ->> 'lastSeq', value ->> 'createdAt'
			FROM json_each(?)`,
	);
	await openPlaces(...new Set(batches.map(({ partnerId }) => partnerId)));
	await REGISTER.batch(chunks(batches, 2_000).map((chunk) => store.bind(JSON.stringify(chunk))));
}

export async function storeCodes(codes: readonly StoredCode[]): Promise<void> {
	const store = REGISTER.prepare(
		`INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at,
				external_reference_id, validated_at, issued_at, cancelled_at, blocked_at, validation_locked_until, claim_locked_until,
				onboarding_until, processing_until)
			SELECT value ->> 'partnerId', value ->> 'seq', value ->> 'code', value ->> 'batchId', value ->> 'product',
				value ->> 'createdAt', value ->> 'updatedAt', value ->> 'externalReferenceId', value ->> 'validatedAt',
				value ->> 'issuedAt', value ->> 'cancelledAt', value ->> 'blockedAt', value ->> 'validationLockedUntil', value ->> 'claimLockedUntil',
				value ->> 'onboardingUntil', value ->> 'processingUntil'
			FROM json_each(?)`,
	);
	for (const chunk of chunks(codes, 2_000)) await store.bind(JSON.stringify(chunk)).run();
}

const RECOUNT = ["''", "external_reference_id"]
	.flatMap((reference) =>
		[7, 14].map(
			(level) => `SELECT partner_id, ${reference} AS reference, facet, ${level} AS level,
				seq >> ${level} AS block, product, count(*) AS n FROM purchase_codes
				WHERE ${reference} IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6`,
		),
	)
	.join(" UNION ALL ");

export async function countAll(): Promise<void> {
	await REGISTER.batch([
		REGISTER.prepare("DELETE FROM code_counts"),
		REGISTER.prepare(
			`INSERT INTO code_counts (partner_id, reference, facet, level, block, product, n) ${RECOUNT}`,
		),
	]);
}

/**
 * Updates random codes of one partner over and over.
 * @returns its counters as the triggers keep them, and as a recount gives them.
 */
export async function countersAfterUpdates({
	codes,
	rounds,
	updates,
}: Record<"codes" | "rounds" | "updates", number>) {
	const random = seededRandom(7);
	const batches = randomBatches(random, codes).map((batch) => ({
		...batch,
		id: `updated-${batch.id}`,
		partnerId: "updated",
	}));
	await storeBatches(batches);
	await storeCodes(batches.flatMap((batch) => randomCodes(random, batch)));
	await countAll();
	for (let round = 0; round < rounds; round++) {
		await REGISTER.batch(
			Array.from({ length: updates }, () => {
				const column = pick(random, ["cancelled_at", "issued_at", "blocked_at", "validated_at"]);
				const value = pick(random, [null, NOW]);
				const reference = pick(random, [...REFERENCES, null]);
				return REGISTER.prepare(
					`UPDATE purchase_codes SET ${column} = ?1, claim_locked_until = ?2, external_reference_id =
						iif(?3, ?4, external_reference_id) WHERE partner_id = 'updated' AND seq % 997 = ?5`,
				).bind(value, NOW, random() < 0.5 ? 1 : 0, reference, Math.floor(random() * 997));
			}),
		);
	}
	const kept = await REGISTER.prepare(
		"SELECT reference, facet, level, block, product, n FROM code_counts WHERE partner_id = 'updated' AND n <> 0",
	).all();
	const recount = await REGISTER.prepare(
		`SELECT * FROM (${RECOUNT}) WHERE partner_id = 'updated' ORDER BY reference, facet, level, block, product`,
	).all();
	return { kept: kept.results, recount: recount.results.map(({ partner_id: _, ...row }) => row) };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
		items.slice(i * size, (i + 1) * size),
	);
}

export function pick<T>(random: () => number, items: readonly T[]): T {
	return items[Math.floor(random() * items.length)]!;
}
