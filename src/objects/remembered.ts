import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { RESTORE_WINDOW_MS } from "../domain/retention.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { ringBy } from "./alarm.ts";
import type { Lease } from "./lease.ts";

/*
 * The certificates of its code that the object remembers for as long as D1 can be restored to an earlier moment. A
 * restored D1 may have forgotten them; relying parties have not.
 */

/** A row of D1's register as the object saw it last. Times in epoch milliseconds. */
export interface RememberedCertificate extends CertificateFacts {
	/** Sealed as in D1; null for a serial that was never issued. */
	leaf: Uint8Array | null;
	/** Time of the code's cancellation together with it. */
	cancelledAt: number | null;
	/** Time when the object forgets it. */
	forgetAt: number;
}

const PREFIX = "certificate:";

export function readRemembered(storage: DurableObjectStorage): RememberedCertificate[] {
	return Array.from(storage.kv.list<RememberedCertificate>({ prefix: PREFIX }), ([, value]) => value);
}

/** Whether the object has issued a certificate, even one unknown to D1. */
export function hasIssued(storage: DurableObjectStorage): boolean {
	return readRemembered(storage).some(({ issuedAt }) => issuedAt !== null);
}

/** Remembers a certificate in its present state. The alarm that every lease sets deletes it in time. */
function remember(
	storage: DurableObjectStorage,
	certificate: Omit<RememberedCertificate, "forgetAt">,
	now: number,
): void {
	storage.kv.put(PREFIX + certificate.serial, { ...certificate, forgetAt: now + RESTORE_WINDOW_MS });
}

/** Remembers a revocation and sets an alarm itself, since such a change takes no lease. */
export async function rememberRevocation(
	storage: DurableObjectStorage,
	facts: CertificateFacts,
	cancelledAt: number | null,
	now: number,
): Promise<void> {
	const known = storage.kv.get<RememberedCertificate>(PREFIX + facts.serial);
	const leaf = known?.leaf ?? null;
	remember(storage, { ...facts, leaf, cancelledAt: cancelledAt ?? known?.cancelledAt ?? null }, now);
	ringBy(storage, now + RESTORE_WINDOW_MS, { alarm: await storage.getAlarm(), now });
}

/**
 * Remembers what became of the serial on the lease of a step that has ended. If ops revoked it
 * meanwhile, only its leaf is added.
 * @param issued - the commit that issues it has arrived; otherwise it is entered as revoked.
 */
export function rememberSerial(
	storage: DurableObjectStorage,
	{ serial, issuerKeyId, issue, partnerId, code }: Lease,
	issued: boolean,
	now: number,
): void {
	if (serial === null) return;
	const known = storage.kv.get<RememberedCertificate>(PREFIX + serial);
	if (known) {
		if (issued && known.leaf === null) storage.kv.put(PREFIX + serial, { ...known, leaf: issue!.leaf });
		return;
	}
	const unissued = {
		issuedAt: null,
		notBefore: null,
		notAfter: null,
		leaf: null,
		renews: null,
		signerEntry: null,
		signerHead: null,
		signerHeadSignature: null,
	};
	const facts = issued ? issue! : unissued;
	const revocation = issued
		? { revokedAt: null, revocationReason: null }
		: { revokedAt: now, revocationReason: DEFAULT_REVOCATION_REASON };
	remember(
		storage,
		{
			serial,
			issuerKeyId: issuerKeyId!,
			partnerId,
			code,
			...facts,
			...revocation,
			cancelledAt: null,
		},
		now,
	);
}

/** Restarts the period in which the present D1 can be restored. */
export function rememberLonger(storage: DurableObjectStorage, now: number): void {
	for (const certificate of readRemembered(storage)) remember(storage, certificate, now);
}

/** A certificate that {@link forgetCertificates} would forget. */
export function findForgettable(
	storage: DurableObjectStorage,
	now: number,
): RememberedCertificate | undefined {
	return readRemembered(storage).find(({ forgetAt }) => forgetAt <= now);
}

/** Forgets certificates that no restore can affect any more. @returns when the next is forgotten, or null. */
export function forgetCertificates(storage: DurableObjectStorage, now: number): number | null {
	let next: number | null = null;
	for (const { serial, forgetAt } of readRemembered(storage)) {
		if (forgetAt <= now) storage.kv.delete(PREFIX + serial);
		else next = Math.min(next ?? Number.POSITIVE_INFINITY, forgetAt);
	}
	return next;
}
