import { and, asc, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../domain/actor.ts";
import { IDEMPOTENCY_MS } from "../domain/limits.ts";
import { leaveOpen, Unavailable } from "../unavailable.ts";
import { type AuditEntry, auditRow, BATCH_ABANDONED, lostAuditRace } from "./audit-events.ts";
import { type IdempotencyMark, selectIdempotencyKey } from "./idempotency-keys.ts";
import { type BatchOfCodes, countCodes, insertBatch, insertCodes, isWithinQuota } from "./insert-batch.ts";
import { batch, ConstraintViolated, type PartnerDb, query } from "./query.ts";
import { batches, purchaseCodes } from "./schema.ts";
import { auditEvents, idempotencyKeys } from "./schema-operations.ts";

/* Creation is written by hand: its rows are selected from other rows, and drizzle's INSERT … SELECT takes every column of a table. */

interface NewBatch extends BatchOfCodes {
	/** The authority will be there to issue what is sold. */
	sellable: boolean;
	actor: Actor;
	requestId: string;
	idempotency: IdempotencyMark | null;
}

export type BatchCreation =
	| { kind: "created" }
	| { kind: "product_not_enabled" }
	| { kind: "not_sellable" }
	| { kind: "code_quota_exceeded" }
	| { kind: "unauthorized" }
	/** The partner has used the Idempotency-Key before. */
	| { kind: "key_used" };

/**
 * Creates all codes of a batch, its counters, its audit row and the note of its Idempotency-Key, or nothing: one
 * round trip, one statement for all codes. The partner's settings of this moment decide in the same batch.
 */
export async function createBatch(db: PartnerDb, newBatch: NewBatch): Promise<BatchCreation> {
	const entry: AuditEntry = {
		entity: `batch:${newBatch.id}`,
		version: 1,
		partnerId: newBatch.partnerId,
		at: newBatch.now,
		actor: newBatch.actor,
		action: "created",
		outcome: `${newBatch.codes.length} ${newBatch.product}`,
		requestId: newBatch.requestId,
		step: null,
	};
	const audit = await auditRow(db, entry, "");
	try {
		const {
			verdict: [verdict],
		} = await batch(db, {
			batch: insertBatch(newBatch, isOrderable(newBatch)),
			codes: insertCodes(newBatch),
			counts: countCodes(newBatch),
			audit: insertAudit(newBatch, audit),
			key: noteKey(newBatch),
			verdict: readVerdict(newBatch),
		});
		if (verdict?.created) return { kind: "created" };
		if (!verdict?.active) return { kind: "unauthorized" };
		if (verdict.keyUsed) return { kind: "key_used" };
		if (!verdict.enabled) return { kind: "product_not_enabled" };
		return { kind: newBatch.sellable ? "code_quota_exceeded" : "not_sellable" };
	} catch (error) {
		const keyUsed = error instanceof ConstraintViolated && error.constraint.startsWith("idempotency_keys.");
		if (keyUsed) return { kind: "key_used" };
		if (error instanceof Unavailable && (await hasArrived(db, entry).catch(leaveOpen)))
			return { kind: "created" };
		throw error;
	}
}

/**
 * Whether a batch whose commit got no answer was created. If not, its audit row's key is taken, so that it can
 * not arrive later either: the answer says that nothing changed.
 * @throws {Unavailable} when D1 stays unavailable.
 */
async function hasArrived(db: PartnerDb, created: AuditEntry): Promise<boolean> {
	const entry: AuditEntry = { ...created, action: BATCH_ABANDONED, outcome: "nothing_created" };
	try {
		await query(db.insert(auditEvents).values(await auditRow(db, entry, "")));
		return false;
	} catch (error) {
		if (lostAuditRace(error)) return true;
		throw error;
	}
}

/** Nothing is inserted when the partner may not have the product or so many codes, or the product is not sold now. */
function isOrderable(newBatch: NewBatch): SQL {
	const { product, sellable } = newBatch;
	return sql`partners.suspended_at IS NULL AND ${Number(sellable)}
		AND EXISTS (SELECT 1 FROM json_each(partners.allowed_products) WHERE value = ${product})
		AND ${isWithinQuota(newBatch)}`;
}

function insertAudit({ id, partnerId }: NewBatch, row: typeof auditEvents.$inferInsert): SQL {
	const columns = sql`entity, version, partner_id, at, actor, action, outcome, request_id, step, previous_hash, hash, mac`;
	return sql`
		INSERT INTO audit_events (${columns})
		SELECT ${row.entity}, ${row.version}, partner_id, ${row.at}, ${row.actor}, ${row.action}, ${row.outcome},
			${row.requestId}, NULL, ${row.previousHash}, ${row.hash}, ${row.mac}
		FROM batches WHERE id = ${id} AND partner_id = ${partnerId}`;
}

/** A used key fails the batch as a whole; one past its day is taken over. */
function noteKey({ id, idempotency, now }: NewBatch): SQL[] {
	if (!idempotency) return [];
	const { partnerId, keyId, fingerprint } = idempotency;
	const expired = sql`partner_id = ${partnerId} AND key_id = ${keyId}
		AND (expires_at <= ${now} OR running_until <= ${now})`;
	return [
		sql`DELETE FROM idempotency_keys WHERE ${expired}`,
		sql`
		INSERT INTO idempotency_keys (partner_id, key_id, fingerprint, batch_id, expires_at)
		SELECT partner_id, ${keyId}, ${fingerprint}, id, ${now + IDEMPOTENCY_MS}
		FROM batches WHERE id = ${id} AND partner_id = ${partnerId}`,
	];
}

/** A batch that was not created has noted no key: one found now is an earlier call's. */
function readVerdict({ id, partnerId, product, idempotency }: NewBatch) {
	return sql<{ created: number; active: number; enabled: number; keyUsed: number }>`
		SELECT EXISTS (SELECT 1 FROM batches WHERE id = ${id} AND partner_id = ${partnerId}) AS created,
			EXISTS (SELECT 1 FROM partners WHERE id = ${partnerId} AND suspended_at IS NULL) AS active,
			EXISTS (SELECT 1 FROM partners, json_each(allowed_products) WHERE partners.id = ${partnerId} AND value = ${product}) AS enabled,
			EXISTS (SELECT 1 FROM idempotency_keys
				WHERE partner_id = ${partnerId} AND key_id = ${idempotency?.keyId ?? null}) AS keyUsed`;
}

export type EarlierBatch =
	| { kind: "mismatch" }
	| { kind: "running" }
	| { kind: "found"; batchId: string; codes: string[] };

/** The batch that the first call with this Idempotency-Key made. */
export async function findEarlierBatch(
	db: PartnerDb,
	mark: IdempotencyMark,
	now: number,
): Promise<EarlierBatch> {
	const {
		key: [key],
		codes: rows,
	} = await batch(db, {
		key: selectIdempotencyKey(db, mark, now),
		codes: selectCodesByKey(db, mark),
	});
	if (key?.fingerprint !== mark.fingerprint) return { kind: "mismatch" };
	return key.batchId === null
		? { kind: "running" }
		: { kind: "found", batchId: key.batchId, codes: rows.map(({ code }) => code) };
}

/** Selects the codes of the batch that the call with an Idempotency-Key made, in the order of the list. */
function selectCodesByKey(db: PartnerDb, { partnerId, keyId }: Pick<IdempotencyMark, "partnerId" | "keyId">) {
	return db
		.select({ code: purchaseCodes.code, batchId: purchaseCodes.batchId })
		.from(idempotencyKeys)
		.innerJoin(batches, and(eq(batches.id, idempotencyKeys.batchId), eq(batches.partnerId, partnerId)))
		.innerJoin(
			purchaseCodes,
			and(
				eq(purchaseCodes.partnerId, partnerId),
				sql`${purchaseCodes.seq} BETWEEN ${batches.firstSeq} AND ${batches.lastSeq}`,
			),
		)
		.where(and(eq(idempotencyKeys.partnerId, partnerId), eq(idempotencyKeys.keyId, keyId)))
		.orderBy(desc(purchaseCodes.seq));
}

/** The batches that calls with these Idempotency-Keys made, oldest first, and the codes of a single key's. */
export async function findBatchesByKeys(
	db: PartnerDb,
	partnerId: string,
	keyIds: readonly string[],
): Promise<{ made: { id: string; quantity: number }[]; codes: string[] }> {
	const [keyId, ...more] = keyIds;
	const { made, codes } = await batch(db, {
		made: db
			.select({ id: batches.id, quantity: sql<number>`${batches.lastSeq} - ${batches.firstSeq} + 1` })
			.from(idempotencyKeys)
			.innerJoin(batches, and(eq(batches.id, idempotencyKeys.batchId), eq(batches.partnerId, partnerId)))
			.where(and(eq(idempotencyKeys.partnerId, partnerId), inArray(idempotencyKeys.keyId, [...keyIds])))
			.orderBy(asc(batches.lastSeq)),
		codes: keyId !== undefined && more.length === 0 ? selectCodesByKey(db, { partnerId, keyId }) : null,
	});
	return { made, codes: (codes ?? []).map(({ code }) => code) };
}
