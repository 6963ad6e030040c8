import {
	closeIdempotencyKey,
	type IdempotencyMark,
	openIdempotencyKey,
	selectIdempotencyKey,
} from "../db/idempotency-keys.ts";
import type { PartnerDb, Statement } from "../db/query.ts";
import { IDEMPOTENCY_MS } from "../domain/limits.ts";
import { openForCaller, sealForCaller } from "../secrets/sealing.ts";
import type { IdempotentCall, Replayable } from "./rpc.ts";

/*
 * Answers stored for a repeated Idempotency-Key, in the object's own storage and sealed for their caller. An answer is
 * stored before the commit that it reports, as provisional; it becomes final once the commit is known to have arrived.
 * D1 records which keys a partner has used, on any code.
 */

interface StoredAnswer {
	fingerprint: string;
	sealed: Uint8Array;
	/** The step whose commit makes the answer final; null once it is. */
	draftOf: string | null;
	expiresAt: number;
}

const PREFIX = "answer:";

type Recalled = { kind: "none" } | { kind: "mismatch" } | { kind: "stored"; sealed: Uint8Array };

/** The final answer that the key's first call got. Synchronous: the caller may take the lease in the same turn. */
export function recallAnswer(storage: DurableObjectStorage, call: IdempotentCall, now: number): Recalled {
	const stored = storage.kv.get<StoredAnswer>(PREFIX + call.keyId);
	if (!stored || stored.draftOf !== null || stored.expiresAt <= now) return { kind: "none" };
	return stored.fingerprint === call.fingerprint
		? { kind: "stored", sealed: stored.sealed }
		: { kind: "mismatch" };
}

export function openAnswer<Answer>(call: IdempotentCall, sealed: Uint8Array): Promise<Replayable<Answer>> {
	return openForCaller(call.callerKey, sealed, call.keyId) as Promise<Replayable<Answer>>;
}

/** Stores the answer that the step's commit will make true. */
export async function storeProvisional(
	storage: DurableObjectStorage,
	call: IdempotentCall,
	answer: unknown,
	{ stepId, now }: { stepId: string; now: number },
): Promise<void> {
	const replay: Replayable<unknown> = { answer, replayedIn: call.language };
	const sealed = await sealForCaller(call.callerKey, replay, call.keyId);
	const { fingerprint, keyId } = call;
	const stored: StoredAnswer = { fingerprint, sealed, draftOf: stepId, expiresAt: now + IDEMPOTENCY_MS };
	storage.kv.put(PREFIX + keyId, stored);
}

/** Ends the step: its provisional answer becomes final, or is deleted. */
export function endProvisional(
	storage: DurableObjectStorage,
	keyId: string,
	stepId: string,
	committed: boolean,
): void {
	const stored = storage.kv.get<StoredAnswer>(PREFIX + keyId);
	if (stored?.draftOf !== stepId) return;
	if (committed) storage.kv.put(PREFIX + keyId, { ...stored, draftOf: null });
	else storage.kv.delete(PREFIX + keyId);
}

/** Deletes expired answers. @returns when the next one expires, or null. */
export function deleteExpiredAnswers(storage: DurableObjectStorage, now: number): number | null {
	let next: number | null = null;
	for (const [key, stored] of storage.kv.list<StoredAnswer>({ prefix: PREFIX })) {
		if (stored.expiresAt <= now) storage.kv.delete(key);
		else next = Math.min(next ?? Number.POSITIVE_INFINITY, stored.expiresAt);
	}
	return next;
}

/** A partner's use of a key, for a step's statements. */
export interface KeyUse {
	partnerId: string;
	idempotency: Pick<IdempotentCall, "keyId" | "fingerprint"> | null;
}

/** Records in D1 that the key's call runs. */
export function openKey(db: PartnerDb, use: KeyUse, now: number) {
	const mark = markOf(use);
	return mark && openIdempotencyKey(db, mark, now);
}

/** Reads the partner's uses of the key; the rows are for {@link isMisused}. */
export function selectKey(db: PartnerDb, use: KeyUse, now: number) {
	const mark = markOf(use);
	return mark && selectIdempotencyKey(db, mark, now);
}

/**
 * Ends the key's call: a final answer keeps the key for a day, any other frees it.
 * @returns one statement or none, in an array: an async function that returns a drizzle statement runs it.
 */
export function closeKey(db: PartnerDb, use: KeyUse, final: boolean, now: number): Statement[] {
	const mark = markOf(use);
	return mark ? [closeIdempotencyKey(db, mark, final, now)] : [];
}

/** Whether the partner has used the key with another body, on any code. */
export function isMisused({ idempotency }: KeyUse, rows: readonly { fingerprint: string }[] | null): boolean {
	const [row] = rows ?? [];
	return idempotency !== null && row !== undefined && row.fingerprint !== idempotency.fingerprint;
}

function markOf({ partnerId, idempotency }: KeyUse): IdempotencyMark | null {
	return idempotency && { partnerId, keyId: idempotency.keyId, fingerprint: idempotency.fingerprint };
}
