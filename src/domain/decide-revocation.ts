import type { Rejection } from "./rejection.ts";
import type { RevocationReason } from "./revocation-reason.ts";

/** Stored facts of a certificate, without its leaf. Times in epoch milliseconds. */
export interface CertificateFacts {
	/** Upper-case hex, 32 digits. */
	serial: string;
	/** Key identifier of the authority that signed it, hex. */
	issuerKeyId: string;
	partnerId: string;
	code: string;
	/** Null for a serial that was reserved but never issued. */
	issuedAt: number | null;
	notBefore: number | null;
	notAfter: number | null;
	revokedAt: number | null;
	revocationReason: RevocationReason | null;
	/** Serial of the certificate that it renews. */
	renews: string | null;
	/** Entry of the signer's log, and the head that the signer gave for it; null where the key was in the Worker. */
	signerEntry: number | null;
	signerHead: string | null;
	signerHeadSignature: string | null;
}

export type RevocationDecision =
	| { kind: "change"; set: Pick<CertificateFacts, "revokedAt" | "revocationReason"> }
	| { kind: "unchanged" }
	| { kind: "rejected"; rejection: Rejection };

/**
 * Revoking a certificate while its code stays as it is. The first revocation stands: a certificate that is revoked
 * keeps its date and reason, since relying parties may have acted on them. An expired certificate can still be
 * revoked: signatures of its lifetime are judged by the date.
 */
export function decideRevocation(
	facts: CertificateFacts | null,
	reason: RevocationReason,
	now: number,
): RevocationDecision {
	if (facts === null) return { kind: "rejected", rejection: { reason: "not_found" } };
	if (facts.revokedAt !== null) return { kind: "unchanged" };
	return { kind: "change", set: { revokedAt: now, revocationReason: reason } };
}
