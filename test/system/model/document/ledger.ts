import type {
	Attempts,
	CertificateState,
	MoveStage,
	RutAttempts,
	SessionState,
	Validation,
} from "./facts.ts";
import type { Settings } from "./settings.ts";

/* Decisions, "e-mail": whose one is, and when it is nobody's again. */

/** The RUT of a validated or issued code of the partner that carries the e-mail. @param email - in lower case. */
export function ownerOf({ codes }: Ledger, partner: string, email: string): string | null {
	const carrier = Object.values(codes).find(
		(code) => code.partner === partner && code.validation?.email === email,
	);
	return carrier?.validation?.rut ?? null;
}

/** Frees the e-mail of a code that is cancelled or lapsed, or whose holder was erased. */
export function freeEmail({ validation }: CodeState): Pick<CodeState, "validation"> {
	return { validation: validation && { ...validation, email: null } };
}

export type { Attempts, CertificateState, RutAttempts };

/*
 * Memory of a model of the interface document. Plain data, never changed in place. Things that the service names
 * (codes, batches, partners, serials) have a name of the model's own: c1, b1, p1. Times are epoch milliseconds.
 */

export interface Ledger {
	partners: Record<string, PartnerState>;
	/** Ordered by creation. */
	codes: Record<string, CodeState>;
	batches: Record<string, BatchState>;
	/** Calls by `partner/Idempotency-Key`. */
	kept: Record<string, KeptCall>;
	/** Ordered by creation. */
	sessions: Record<string, SessionState>;
	/** When the authority's certificates are all valid. */
	authority: { from: number; until: number };
	/** Partners write nothing meanwhile. */
	frozen: boolean;
	/** The database as it was once, to be restored, and how often it was. */
	copy: { at: number; ledger: Ledger } | null;
	restores: number;
	/** Since a restore was recorded, until all was mended. */
	mending: boolean;
	/** Codes whose certificate a published CRL lists. */
	listed: readonly string[];
}

export interface PartnerState {
	settings: Settings;
	/** Offset of its own clock, ahead of the real one. */
	clockOffset: number;
	/** Attempts by RUT. */
	rutAttempts: Record<string, RutAttempts>;
	/** Times of the certificate_requests that counted in the last window. */
	emissions: readonly number[];
	/** How far it has moved to another database; null where no move has left anything. */
	move: MoveStage | null;
}

interface BatchState {
	partner: string;
	createdAt: number;
}

export interface CodeState {
	partner: string;
	batch: string;
	product: string;
	createdAt: number;
	updatedAt: number;
	/** `referenceId` of the latest accepted certificate_request. */
	reference: string | null;
	/** Result of the latest accepted certificate_request. */
	validation: Validation | null;
	certificate: CertificateState | null;
	cancelledAt: number | null;
	blockedAt: number | null;
	/** Ends of the latest security locks, of certificate_request and of certificate_claim: each stops its own call. */
	requestLockedUntil: number | null;
	claimLockedUntil: number | null;
	/** When certificate_request was closed for good on a validated code. */
	requestBlockedAt: number | null;
	validationAttempts: Attempts;
	claimAttempts: Attempts;
	/** The certificate_request that waits for the registry. */
	running: Running | null;
	/** Facts that the database, restored to an earlier moment, has not been told again yet. */
	forgotten: Memory | null;
}

/** Memory of the code's object. */
interface Memory {
	certificate: CertificateState;
	/** When the code was cancelled with it. */
	cancelledAt: number | null;
}

interface Running {
	since: number;
	rut: string;
	/** The call, as calls.ts has it; it is concluded when the registry answers. */
	call: unknown;
}

export interface KeptCall {
	/** Route and body. */
	fingerprint: string;
	/** Null while the first call runs; undefined once it was forgotten. */
	answer: unknown;
	until: number;
}

export function emptyWorld(authority: Ledger["authority"]): Ledger {
	return {
		partners: {},
		codes: {},
		batches: {},
		kept: {},
		sessions: {},
		authority,
		frozen: false,
		copy: null,
		restores: 0,
		mending: false,
		listed: [],
	};
}

export const NO_ATTEMPTS: Attempts = { failures: 0, locks: 0 };

export function changeCode(ledger: Ledger, code: string, change: Partial<CodeState>): Ledger {
	return { ...ledger, codes: { ...ledger.codes, [code]: { ...ledger.codes[code]!, ...change } } };
}

export function changeCodes(ledger: Ledger, change: (code: CodeState) => Partial<CodeState>): Ledger {
	const changed = Object.entries(ledger.codes).map(([name, code]) => [name, { ...code, ...change(code) }]);
	return { ...ledger, codes: Object.fromEntries(changed) };
}

export function changePartner(ledger: Ledger, partner: string, change: Partial<PartnerState>): Ledger {
	const changed = { ...ledger.partners[partner]!, ...change };
	return { ...ledger, partners: { ...ledger.partners, [partner]: changed } };
}

export function changeSession(ledger: Ledger, session: string, change: Partial<SessionState>): Ledger {
	const changed = { ...ledger.sessions[session]!, ...change };
	return { ...ledger, sessions: { ...ledger.sessions, [session]: changed } };
}

/** The next name of a kind: `c1`, `c2` …; after a restore `c3'`, as `c3` is what the restore took away. */
export function nextName(
	prefix: string,
	ledger: Ledger,
	kind: "partners" | "codes" | "batches" | "sessions",
): string {
	return `${prefix}${Object.keys(ledger[kind]).length + 1}${"'".repeat(ledger.restores)}`;
}
