/** State of a certificate at a moment, for its partner. A revoked one stays revoked when its time is over. */
export const VALIDITIES = ["valid", "expired", "revoked"] as const;
export type Validity = (typeof VALIDITIES)[number];

/** @param certificate - times in epoch milliseconds */
export function validityAt(
	{ notAfter, revokedAt }: { notAfter: number | null; revokedAt: number | null },
	now: number,
): Validity {
	if (revokedAt !== null) return "revoked";
	return (notAfter ?? Infinity) <= now ? "expired" : "valid";
}
