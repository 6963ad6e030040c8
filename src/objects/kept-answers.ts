import { IDEMPOTENCY_MS } from "../domain/limits.ts";
import { openForCaller, sealForCaller } from "../secrets/sealing.ts";
import type { IdempotentCall, Replayable } from "./rpc.ts";

/*
 * Answers kept for a repeated Idempotency-Key, sealed for their caller. An answer is stored before the commit
 * it tells of, as a draft of its step, and becomes final once the commit is known to have arrived.
 */

interface KeptAnswer {
	fingerprint: string;
	sealed: Uint8Array;
	/** The step whose commit makes it final; null once it is. */
	draftOf: string | null;
	expiresAt: number;
}

const PREFIX = "answer:";

export type Recall = { kind: "none" } | { kind: "mismatch" } | { kind: "kept"; sealed: Uint8Array };

export function recallAnswer(storage: DurableObjectStorage, call: IdempotentCall, now: number): Recall {
	const kept = storage.kv.get<KeptAnswer>(PREFIX + call.keyId);
	if (!kept || kept.draftOf !== null || kept.expiresAt <= now) return { kind: "none" };
	return kept.fingerprint === call.fingerprint ? { kind: "kept", sealed: kept.sealed } : { kind: "mismatch" };
}

export function openAnswer<Answer>(call: IdempotentCall, sealed: Uint8Array): Promise<Replayable<Answer>> {
	return openForCaller(call.callerKey, sealed, call.keyId) as Promise<Replayable<Answer>>;
}

/** Stores the answer that the step's commit will make true. */
export async function draftAnswer(
	storage: DurableObjectStorage,
	call: IdempotentCall,
	answer: unknown,
	draft: { step: string; now: number },
): Promise<void> {
	const replay: Replayable<unknown> = { answer, replayedIn: call.language };
	const sealed = await sealForCaller(call.callerKey, replay, call.keyId);
	const { fingerprint, keyId } = call;
	const kept: KeptAnswer = {
		fingerprint,
		sealed,
		draftOf: draft.step,
		expiresAt: draft.now + IDEMPOTENCY_MS,
	};
	storage.kv.put(PREFIX + keyId, kept);
}

/** The step is over: its draft becomes the answer, or goes. */
export function settleDraft(
	storage: DurableObjectStorage,
	keyId: string,
	step: string,
	committed: boolean,
): void {
	const kept = storage.kv.get<KeptAnswer>(PREFIX + keyId);
	if (kept?.draftOf !== step) return;
	if (committed) storage.kv.put(PREFIX + keyId, { ...kept, draftOf: null });
	else storage.kv.delete(PREFIX + keyId);
}

/** Forgets what is past its day. @returns when the next answer is to be forgotten, or null. */
export function forgetExpiredAnswers(storage: DurableObjectStorage, now: number): number | null {
	let next: number | null = null;
	for (const [key, kept] of storage.kv.list<KeptAnswer>({ prefix: PREFIX })) {
		if (kept.expiresAt <= now) storage.kv.delete(key);
		else next = Math.min(next ?? Number.POSITIVE_INFINITY, kept.expiresAt);
	}
	return next;
}
