import { LEASE_MS } from "../domain/limits.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { Call } from "./rpc.ts";

/*
 * The lease of the step that runs on a code, in the object's own storage. It is written before the first await and
 * contains everything crash recovery needs.
 */

/** Times in epoch milliseconds. */
interface LeasedIssue {
	issuedAt: number;
	notBefore: number;
	notAfter: number;
	/** Sealed. */
	leaf: Uint8Array;
	renews: string | null;
	signerEntry: number | null;
	signerHead: string | null;
	signerHeadSignature: string | null;
}

export interface Lease {
	/** The code's owner: recovery by the alarm has no call. */
	partnerId: string;
	code: string;
	/** Id of this run; its commit carries it. */
	stepId: string;
	/** Epoch milliseconds after which the run counts as crashed. */
	until: number;
	/** An ID-validation attempt is reserved: a crash spends it. */
	attemptReserved: boolean;
	/** Keyed index of the RUT whose attempt is reserved; null before. */
	rutIndex: string | null;
	/** D1 did not answer the commit: recovery keeps it from arriving later. */
	commitUnknown: boolean;
	/** The serial the step is about to sign, upper-case hex. No serial is signed before it is stored here. */
	serial: string | null;
	/** The authority that is to sign it; null without a serial. */
	issuerKeyId: string | null;
	/** The certificate of that serial, once it is signed. */
	issue: LeasedIssue | null;
	/** Null without an Idempotency-Key. */
	idempotency: { keyId: string; fingerprint: string } | null;
}

const KEY = "lease";

/** Thrown when the run outlived its lease and was recovered: it may do nothing more. */
export class LeaseLost extends Error {}

export function readLease(storage: DurableObjectStorage): Lease | null {
	return storage.kv.get<Lease>(KEY) ?? null;
}

/**
 * Whether the run may still be at work. A lease that ends later than a lease taken now could end was taken before the
 * clock was set back: it counts as crashed, or the code would stay busy until that time.
 */
export function isRunning(lease: Lease, now: number): boolean {
	return lease.until > now && lease.until <= now + 2 * LEASE_MS;
}

/** Takes the free code and sets the alarm that recovers a crashed run. Synchronous up to the durable write. */
export function takeLease(storage: DurableObjectStorage, call: Call, now: number): Lease {
	const { partnerId, code, idempotency } = call;
	const lease: Lease = {
		partnerId,
		code,
		stepId: crypto.randomUUID(),
		until: now + LEASE_MS,
		attemptReserved: false,
		rutIndex: null,
		commitUnknown: false,
		serial: null,
		issuerKeyId: null,
		issue: null,
		idempotency: idempotency && { keyId: idempotency.keyId, fingerprint: idempotency.fingerprint },
	};
	storage.kv.put(KEY, lease);
	void storage.setAlarm(lease.until);
	return lease;
}

/** Computes until when D1 shows the code as processing: the lease's end by the partner's clock. */
export function markedUntil({ until }: Lease, { clockOffset }: PartnerClock): number {
	return until + clockOffset;
}

/** Whether the run still holds the code and was not recovered meanwhile. */
export function holdsLease(storage: DurableObjectStorage, lease: Lease): boolean {
	return readLease(storage)?.stepId === lease.stepId;
}

/** @throws {LeaseLost} when the run no longer has the code. */
export function requireLease(storage: DurableObjectStorage, lease: Lease): void {
	if (!holdsLease(storage, lease)) throw new LeaseLost(`step ${lease.stepId} outlived its lease`);
}

/**
 * Notes the step's next act. Nothing leaves the object before the note is durable. @throws {LeaseLost} when the run no
 * longer has the code: the note would overwrite another run's.
 */
export function noteOnLease(storage: DurableObjectStorage, lease: Lease, note: Partial<Lease>): void {
	requireLease(storage, lease);
	Object.assign(lease, note);
	storage.kv.put(KEY, lease);
}

/** Ends the lease now: what it notes is recovered by the next call, or by the alarm. */
export function endLease(storage: DurableObjectStorage, lease: Lease, now: number): void {
	if (holdsLease(storage, lease)) noteOnLease(storage, lease, { until: now });
}

/** Frees the code, unless another run has taken it over since. */
export function releaseLease(storage: DurableObjectStorage, lease: Lease): void {
	if (holdsLease(storage, lease)) storage.kv.delete(KEY);
}
