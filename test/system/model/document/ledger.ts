import type {
	Attempts,
	AuditEntry,
	CertificateState,
	DeliveryState,
	LockState,
	PictureState,
	RutAttempts,
	SessionState,
	Validation,
} from "./facts.ts";
import type { Settings } from "./settings.ts";
import type { WidgetState } from "./widget.ts";

export type { Attempts, AuditEntry, CertificateState, LockState, PictureState, RutAttempts };

/*
 * What a model of the interface document must remember. Plain data, never changed in place. What the service names
 * itself (codes, batches, partners, keys, serials) has a name of the model's own: c1, b1, p1, k1. Times are epoch
 * milliseconds.
 */

export interface Ledger {
	partners: Record<string, PartnerState>;
	keys: Record<string, KeyState>;
	/** In the order of creation. */
	codes: Record<string, CodeState>;
	batches: Record<string, BatchState>;
	/** By `partner/Idempotency-Key`. */
	kept: Record<string, KeptCall>;
	/** In the order of creation. */
	sessions: Record<string, SessionState>;
	/** In the order of creation. */
	deliveries: Record<string, DeliveryState>;
	/** Chains of changes, by what they are of: `code c1`, `partner p1`, `batch b1`, `evidence c1`. */
	audit: Record<string, readonly AuditEntry[]>;
	/** When a job of the upkeep was last run here. */
	jobs: Record<string, number>;
	/** When the authority's certificates are all valid. */
	authority: { from: number; until: number };
	/** Partners write nothing meanwhile. */
	frozen: boolean;
	/** The database as it was once, to be restored, and how often it was. */
	copy: { at: number; ledger: Ledger } | null;
	restores: number;
}

export interface PartnerState {
	settings: Settings;
	createdAt: number;
	updatedAt: number;
	suspendedAt: number | null;
	/** How far its own clock is ahead. */
	clockOffset: number;
	widget: WidgetState;
	/** By RUT. */
	rutAttempts: Record<string, RutAttempts>;
	/** Times of the certificate_requests that counted in the last window. */
	emissions: readonly number[];
}

export interface KeyState {
	partner: string;
	label: string;
	createdAt: number;
	/** When it ends or ended. */
	revokedAt: number | null;
	scopes: readonly Scope[];
	expiresAt: number | null;
	/** Ranges of addresses that it may be used from; null for any. */
	cidrs: readonly string[] | null;
}

/** Decisions, "Keys". */
export type Scope = "codes" | "redeem" | "read" | "manage";

interface BatchState {
	partner: string;
	createdAt: number;
	/** What comes of day 12 is done. */
	reminded: boolean;
}

export interface CodeState {
	partner: string;
	batch: string;
	product: string;
	createdAt: number;
	updatedAt: number;
	/** `referenceId` of the latest accepted certificate_request. */
	reference: string | null;
	/** Of the latest accepted certificate_request. */
	validation: Validation | null;
	/** Of the first: it counts as use then, and never again. */
	firstValidatedAt: number | null;
	/** Of all accepted certificate_requests that are still kept, oldest first. */
	pictures: readonly PictureState[];
	certificate: CertificateState | null;
	/** The reminder of its end that is done with: so many days before. */
	remindedDays: number | null;
	cancelledAt: number | null;
	blockedAt: number | null;
	/** The code that ops gave in its place. */
	replacedBy: string | null;
	/** The latest security lock. */
	lock: LockState | null;
	validationAttempts: Attempts;
	claimAttempts: Attempts;
	/** The certificate_request that waits for the registry. */
	running: Running | null;
	/** What the database, restored to an earlier moment, has not been told again yet. */
	forgotten: Memory | null;
}

/** What the code's object remembers. */
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
	/** The partner's settings when it began. */
	settings: Settings;
}

export interface KeptCall {
	/** Route and body. */
	fingerprint: string;
	/** Null while the first call runs. */
	answer: unknown;
	until: number;
}

export function emptyWorld(authority: Ledger["authority"]): Ledger {
	return {
		partners: {},
		keys: {},
		codes: {},
		batches: {},
		kept: {},
		sessions: {},
		deliveries: {},
		audit: {},
		jobs: {},
		authority,
		frozen: false,
		copy: null,
		restores: 0,
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

/** One more entry of a chain. */
export function record(ledger: Ledger, entity: string, entry: AuditEntry): Ledger {
	return { ...ledger, audit: { ...ledger.audit, [entity]: [...(ledger.audit[entity] ?? []), entry] } };
}

/** The next name of a kind: `c1`, `c2` …; after a restore `c3'`, as `c3` is what the restore took away. */
export function nextName(
	prefix: string,
	ledger: Ledger,
	kind: "partners" | "keys" | "codes" | "batches" | "deliveries" | "sessions",
): string {
	return `${prefix}${Object.keys(ledger[kind]).length + 1}${"'".repeat(ledger.restores)}`;
}
