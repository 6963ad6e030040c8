/** Codes by status. 422 are those of the profile, and of what was signed before. */
const CODES = {
	400: ["BAD_REQUEST", "NOT_DER"],
	401: ["UNKNOWN_CALLER", "BAD_SIGNATURE", "STALE"],
	403: ["NOT_REGISTERED_FOR", "STOPPED"],
	404: ["NOT_FOUND"],
	409: ["CRL_NUMBER", "CRL_MISSING_ENTRIES", "RESPONDER_EARLY"],
	413: ["TOO_LARGE"],
	422: [
		...(["VERSION", "SERIAL", "SERIAL_REUSED", "ALGORITHM", "ISSUER", "START", "END", "SUBJECT"] as const),
		...(["RUT_MISMATCH", "EMAIL_MISMATCH", "WEAK_KEY", "KEY_REUSED", "EXTENSIONS", "CA"] as const),
		...(["CRL_TIMES", "CRL_ENTRIES"] as const),
	],
	429: ["RATE"],
	503: ["MODULE", "DISK"],
} as const;

export type RefusalCode = (typeof CODES)[keyof typeof CODES][number];

/** Ends a request: nothing is signed. The message says what to send instead and quotes nothing of what was sent. */
export class Refusal extends Error {
	readonly code: RefusalCode;
	/** Further members of the answer's body. */
	readonly more: Record<string, unknown>;

	constructor(code: RefusalCode, message: string, more: Record<string, unknown> = {}) {
		super(message);
		this.code = code;
		this.more = more;
	}

	get status(): number {
		return Number(Object.entries(CODES).find(([, codes]) => codes.some((code) => code === this.code))?.[0]);
	}
}

/** Refuses unless the rule holds. */
export function demand(holds: boolean, code: RefusalCode, message: string): asserts holds {
	if (!holds) throw new Refusal(code, message);
}
