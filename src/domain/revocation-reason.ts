import type { Actor } from "./actor.ts";

/**
 * Why a holder's certificate is revoked: names of CRLReason (RFC 5280 §5.3.1). Left out are the reasons that are
 * about authorities (cACompromise, aACompromise) and those of a suspension, which this service does not know
 * (certificateHold, removeFromCRL).
 */
export const REVOCATION_REASONS = [
	"unspecified",
	"keyCompromise",
	"affiliationChanged",
	"superseded",
	"cessationOfOperation",
	"privilegeWithdrawn",
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** One that is made. `at`: as the register has it, epoch milliseconds by the real clock. */
export interface Revocation {
	serial: string;
	reason: RevocationReason;
	at: number;
}

/** Parties that can revoke a certificate, as its partner is told. */
export const REVOKERS = ["holder", "partner", "ops"] as const;
export type Revoker = (typeof REVOKERS)[number];

/** A change by the service itself counts as ops'. */
export function revokerOf(actor: Actor): Revoker {
	const [kind] = actor.split(":");
	return REVOKERS.find((revoker) => revoker === kind) ?? "ops";
}

/** Applies to a cancelled code without a reason, and to a serial that was never issued. */
export const DEFAULT_REVOCATION_REASON: RevocationReason = "cessationOfOperation";
