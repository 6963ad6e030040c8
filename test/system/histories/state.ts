/*
 * State of one partner's codes between two moments, by the interface document and its decisions, and the runs that hold
 * a code. Plain data, never changed in place. Times in milliseconds since the history began.
 */

export interface ModelState {
	now: number;
	mode: "B2C" | "B2B";
	codes: { readonly [name: string]: Code };
	/** Failed validations of a RUT over all codes, since the last success or lock; and the end of that lock. */
	ruts: { readonly [rut: string]: RutAttempts };
	/** Final answers, by Idempotency-Key. */
	kept: { readonly [key: string]: { body: string; answer: string } };
	/** Ids of the runs that found their code taken and have not answered yet. */
	concurrent: readonly number[];
}

export interface Code {
	/** RUT and PIN of the latest accepted certificate_request. */
	rut: string | null;
	pin: string | null;
	reference: string | null;
	/** The holder's with this partner, as long as the code is not cancelled. */
	email: string | null;
	/** Serial of the issued certificate. */
	serial: string | null;
	cancelled: boolean;
	blocked: boolean;
	/** Ends of the latest security locks, each of its own call, and whether certificate_request is closed for good. */
	requestLockedUntil: number;
	requestBlocked: boolean;
	claimLockedUntil: number;
	/** Consecutive failures, and the locks so far. */
	validation: Attempts;
	claim: Attempts;
	/** Holds at most one run. */
	run: Run | null;
}

interface Attempts {
	failures: number;
	locks: number;
}

export interface Run {
	operation: number;
	key: string | null;
	body: string;
	/** Time from which it counts as crashed (decisions: `processing` is a lease; a crash is over within 60 s). */
	until: number;
	/** `processing` is 1, for a validation of this RUT, or for an emission (null). */
	processing: { rut: string | null } | null;
	/** Was processing once: the registry may have been asked. */
	hasProcessed: boolean;
	/** Ops changed the code since it is inside. */
	disturbed: boolean;
	/** Answer, once it has acted. */
	reported: string | null;
	/** Changed the code when it acted. */
	committed: boolean;
}

/** Histories end within the 24 hours of a count. */
interface RutAttempts {
	failures: number;
	lockedUntil: number;
}

const RUT_ATTEMPTS = 6;
/** State after a success. */
export const CLEARED: RutAttempts = { failures: 0, lockedUntil: 0 };
export const LEASE = 60_000;
export const SECURITY_LOCK = 30 * 60_000;

const NO_ATTEMPTS: Attempts = { failures: 0, locks: 0 };

/** Decisions, "ID-validation attempts" and "who lifts them": nothing is counted any more. */
export const UNCOUNTED = {
	blocked: false,
	requestLockedUntil: 0,
	requestBlocked: false,
	claimLockedUntil: 0,
	validation: NO_ATTEMPTS,
	claim: NO_ATTEMPTS,
};

const FRESH: Code = {
	...UNCOUNTED,
	rut: null,
	pin: null,
	reference: null,
	email: null,
	serial: null,
	cancelled: false,
	run: null,
};

export function freshState(mode: ModelState["mode"], names: readonly string[]): ModelState {
	const codes = Object.fromEntries(names.map((name) => [name, FRESH]));
	return { now: 0, mode, codes, ruts: {}, kept: {}, concurrent: [] };
}

export function codeOf(state: ModelState, name: string): Code {
	const code = state.codes[name];
	if (!code) throw new Error(`no code ${name} in this history`);
	return code;
}

export function changeCode(state: ModelState, name: string, change: Partial<Code>): ModelState {
	return { ...state, codes: { ...state.codes, [name]: { ...codeOf(state, name), ...change } } };
}

/** Decisions, "attempts over many codes": the sixth failure locks the RUT, and the count begins anew. */
export function countRut(state: ModelState, rut: string): ModelState {
	const { failures = 0, lockedUntil = 0 } = state.ruts[rut] ?? {};
	const counted =
		failures + 1 < RUT_ATTEMPTS
			? { failures: failures + 1, lockedUntil }
			: { failures: 0, lockedUntil: state.now + SECURITY_LOCK };
	return { ...state, ruts: { ...state.ruts, [rut]: counted } };
}

/** @throws when nobody is inside. */
export function changeRun(state: ModelState, name: string, change: Partial<Run>): ModelState {
	const { run } = codeOf(state, name);
	if (!run) throw new Error(`nobody is inside ${name}`);
	return changeCode(state, name, { run: { ...run, ...change } });
}

/** Decisions, "LOCKED in `GET /status`": the lock of the next step. */
export function isLocked(code: Code, now: number): boolean {
	return code.blocked || (code.rut === null ? code.requestLockedUntil : code.claimLockedUntil) > now;
}

/** Decisions, "`processing`". */
export function isProcessing({ run }: Code, now: number): boolean {
	return run?.processing != null && run.until > now;
}

const texts = new WeakMap<object, string>();

/** Equal texts, equal states. ModelStates share what did not change, so most of it is written once. */
export function keyOf({ now, codes, ruts, kept, concurrent }: ModelState): string {
	return [now, ...Object.values(codes).map(textOf), textOf(ruts), textOf(kept), concurrent.join()].join("\n");
}

function textOf(part: object): string {
	const text = texts.get(part) ?? JSON.stringify(part);
	texts.set(part, text);
	return text;
}
