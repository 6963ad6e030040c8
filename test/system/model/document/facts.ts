/* Parts of the ledger: what is known of a code and of a session. */

export interface Validation {
	at: number;
	rut: string;
	pin: string;
	/** Spelled in lower case; null once it is nobody's again. */
	email: string | null;
	/** The holder is erased; the code, which is closed, keeps its facts. */
	erased: boolean;
}

/** A holder's session in the widget. */
export interface SessionState {
	code: string;
	reference: string;
	/** The holder gets the certificate in the widget. */
	claim: boolean;
	/** PINs tried on the issued certificate since the last right one. */
	triedPins: number;
	/** Times of the submissions that were refused before the registry was asked. */
	refusedSubmits: readonly number[];
	/** Answers of the holder, canonical. */
	answers: Record<string, string>;
	step: string | null;
	createdAt: number;
	/** When the frame first presented the token. */
	startedAt: number | null;
	until: number;
	validatedAt: number | null;
	completedAt: number | null;
	end: { at: number; reason: SessionEnd } | null;
	/** The record is erased. */
	forgotten: boolean;
}

type SessionEnd =
	| "completed"
	| "expired"
	| "replaced"
	| "cancelled"
	| "superseded"
	| "code_closed"
	| "too_many_submits";

export interface CertificateState {
	issuedAt: number;
	notBefore: number;
	notAfter: number;
	revokedAt: number | null;
	revocationReason: string | null;
}

/** Failed validations of a RUT at a partner, over all codes, since the last success or lock. */
export interface RutAttempts {
	failures: number;
	firstAt: number;
	lockedUntil: number | null;
}

export interface Attempts {
	/** Failures since the last success or lock. */
	failures: number;
	locks: number;
}

/** How far a partner's move to another database has come, in its order. */
export const STAGES = [
	"announced",
	"noting",
	"copied",
	"frozen",
	"leaving",
	"switched",
	"opened",
	"moved",
] as const;
export type MoveStage = (typeof STAGES)[number];
