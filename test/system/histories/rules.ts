import type { ClaimCall, OperateCall, RequestCall, RunCall } from "./calls.ts";
import { factsOf } from "./readings.ts";
import {
	CLEARED,
	type Code,
	changeCode,
	changeRun,
	codeOf,
	countRut,
	isProcessing,
	type ModelState,
	SECURITY_LOCK,
	UNCOUNTED,
} from "./state.ts";

/* Results of each call when nothing else runs: the contract's and the decisions' rows, in their order. */

export interface Ruling {
	state: ModelState;
	reported: string;
	/** Something of the code changed. */
	committed: boolean;
}

/** Decisions, "Order of checks": 423 before the security lock's 429; an emitted code is past both. */
export function closedTo(verb: RunCall["verb"], code: Code, now: number): string | null {
	if (code.cancelled) return "423 LOCKED";
	if (code.serial !== null) return null;
	if (code.blocked) return "423 LOCKED";
	if (code.requestBlocked && verb === "request") return "423 LOCKED";
	const lockedUntil = verb === "request" ? code.requestLockedUntil : code.claimLockedUntil;
	return lockedUntil > now ? `429 ATTEMPT_LIMIT_REACHED ${(lockedUntil - now) / 1000}` : null;
}

/** Answer to a request that found its code taken: that of the code's state by itself, else that it is taken. */
export function requestWhileBusy(code: Code, now: number): string {
	const refusal = closedTo("request", code, now);
	if (refusal) return refusal;
	return code.serial === null ? "406 OTHER_VALIDATION_IN_PROGRESS" : "406 CODE_ALREADY_USED";
}

export function claimWhileBusy(code: Code, now: number): string {
	const taken = code.serial === null ? "202 VALIDATION_IN_PROGRESS" : "201 ALREADY_ISSUED";
	return closedTo("claim", code, now) ?? taken;
}

/** Refusal of a request before the registry is asked; null when it may be asked. */
export function refuseRequest(state: ModelState, call: RequestCall): Ruling | null {
	const code = codeOf(state, call.code);
	const closed = closedTo("request", code, state.now);
	if (closed) return unchanged(state, closed);
	const { lockedUntil = 0 } = state.ruts[call.rut] ?? {};
	if (lockedUntil > state.now)
		return unchanged(state, `429 ATTEMPT_LIMIT_REACHED ${(lockedUntil - state.now) / 1000}`);
	if (code.serial !== null) return unchanged(state, "406 CODE_ALREADY_USED");
	if (code.rut !== null && code.rut !== call.rut) return spendValidation(state, call, "RUT_MISMATCH");
	if (isOthersEmail(state, call)) return unchanged(state, "406 EMAIL_IN_USE");
	return null;
}

/** Decisions, "another validation running": another code of the same RUT. */
export function isRutBusy({ codes, now }: ModelState, { code: own, rut }: RequestCall): boolean {
	return Object.entries(codes).some(
		([name, code]) => name !== own && isProcessing(code, now) && code.run?.processing?.rut === rut,
	);
}

/** The end of a request whose registry was asked. */
export function concludeRequest(state: ModelState, call: RequestCall, serial: string): Ruling {
	if (call.registry === "is away") return unchanged(state, "503 REGISTRY_UNAVAILABLE");
	if (call.registry === "denies") return spendValidation(state, call, "ID_CARD_MISMATCH");
	if (isOthersEmail(state, call)) return unchanged(state, "406 EMAIL_IN_USE");
	const { rut, pin, reference, email } = call;
	const code = codeOf(state, call.code);
	const emitted = state.mode === "B2B";
	const change = {
		rut,
		pin,
		reference,
		email,
		requestLockedUntil: 0,
		claimLockedUntil: 0,
		validation: { ...code.validation, failures: 0 },
		claim: { ...code.claim, failures: 0 },
		serial: emitted ? serial : null,
	};
	return {
		state: { ...changeCode(state, call.code, change), ruts: { ...state.ruts, [rut]: CLEARED } },
		reported: describeValidated(state.mode, call, serial),
		committed: true,
	};
}

export function describeValidated(
	mode: ModelState["mode"],
	{ reference, rut, email }: Pick<RequestCall, "reference" | "rut" | "email">,
	serial: string | null,
): string {
	const validated = `${reference} ${rut} ${email}`;
	return mode === "B2B" ? `200 EMITTED ${validated} ${serial}` : `200 VALIDATED ${validated}`;
}

/** Decisions, "e-mail": a validated or issued code of another RUT carries it. */
function isOthersEmail({ codes }: ModelState, { email, rut }: RequestCall): boolean {
	return Object.values(codes).some((code) => code.email === email && code.rut !== rut);
}

/** §4.2 and §7. */
export function ruleClaim(state: ModelState, call: ClaimCall, serial: string): Ruling {
	const code = codeOf(state, call.code);
	if (code.rut === null) return unchanged(state, "404 NOT_FOUND");
	const closed = closedTo("claim", code, state.now);
	if (closed) return unchanged(state, closed);
	if (code.serial !== null) return unchanged(state, "201 ALREADY_ISSUED");
	if (code.rut === call.rut && code.pin === call.pin) {
		const issued = changeCode(state, call.code, { serial, claim: { ...code.claim, failures: 0 } });
		return { state: issued, reported: `200 issued ${serial}`, committed: true };
	}
	const { attempts: claim, ...lock } = spend(code, "claim", 5, state.now);
	return {
		state: changeCode(state, call.code, { claim, ...lock }),
		reported: "406 CREDENTIALS_MISMATCH",
		committed: true,
	};
}

/** Decisions, "ID-validation attempts". */
export function spendValidation(
	state: ModelState,
	{ code: name, rut }: Pick<RequestCall, "code" | "rut">,
	rule: string,
): Ruling {
	const code = codeOf(state, name);
	const { attempts: validation, ...lock } = spend(code, "validation", 3, state.now);
	return {
		state: countRut(changeCode(state, name, { validation, ...lock }), rut),
		reported: `406 ${rule}`,
		committed: true,
	};
}

/** The last failure allowed locks for half an hour; the third lock is for good. */
function spend(code: Code, kind: "validation" | "claim", allowed: number, now: number) {
	const { failures, locks } = code[kind];
	if (failures + 1 < allowed) return { attempts: { failures: failures + 1, locks } };
	const attempts = { failures: 0, locks: locks + 1 };
	const isClaim = kind === "claim";
	if (locks + 1 < 3)
		return { attempts, [isClaim ? "claimLockedUntil" : "requestLockedUntil"]: now + SECURITY_LOCK };
	return { attempts, ...(isClaim || code.rut === null ? { blocked: true } : { requestBlocked: true }) };
}

/** Ops (decisions, "who sets CANCELLED, a permanent block, and lifts them"): they wait for nobody. */
export function ruleOperation(state: ModelState, { verb, code: name }: OperateCall): Ruling {
	const code = codeOf(state, name);
	if (code.cancelled && verb !== "cancel") return unchanged(state, "423 LOCKED");
	if (code.serial !== null && verb === "block") return unchanged(state, "406 CODE_ALREADY_USED");
	const change = { cancel: { cancelled: true, email: null }, block: { blocked: true }, unblock: UNCOUNTED }[
		verb
	];
	const changed = changeCode(state, name, change);
	if (JSON.stringify(changed) === JSON.stringify(state))
		return unchanged(state, `200 ${factsOf(state, name)}`);
	const disturbed = code.run ? changeRun(changed, name, { disturbed: true, processing: null }) : changed;
	return { state: disturbed, reported: `200 ${factsOf(disturbed, name)}`, committed: true };
}

function unchanged(state: ModelState, reported: string): Ruling {
	return { state, reported, committed: false };
}
