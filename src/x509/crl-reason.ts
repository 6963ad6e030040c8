/** CRLReason of a holder's certificate (RFC 5280 §5.3.1); 0 is never written, its extension is left out. */
export const CRL_REASON = {
	unspecified: 0,
	keyCompromise: 1,
	affiliationChanged: 3,
	superseded: 4,
	cessationOfOperation: 5,
	privilegeWithdrawn: 9,
} as const;

export type CrlReason = keyof typeof CRL_REASON;
