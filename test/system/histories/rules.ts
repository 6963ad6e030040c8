import type { ClaimCall, OperateCall, RequestCall } from "./calls.ts";
import { factsOf } from "./readings.ts";
import {
	type Attempts,
	type Code,
	changeCode,
	changeRun,
	codeOf,
	isProcessing,
	SECURITY_LOCK,
	UNCOUNTED,
	type World,
} from "./world.ts";

/* What each call comes to when nothing runs beside it: the contract's and the decisions' rows, in their order. */

export interface Ruling {
	world: World;
	told: string;
	/** Something of the code changed. */
	committed: boolean;
}

/** Decisions, "Order of checks": 423 before the security lock's 429; an emitted code is past both. */
export function closedTo(code: Code, now: number): string | null {
	if (code.cancelled) return "423 LOCKED";
	if (code.serial !== null) return null;
	if (code.blocked) return "423 LOCKED";
	if (code.lockedUntil > now) return `429 ATTEMPT_LIMIT_REACHED ${(code.lockedUntil - now) / 1000}`;
	return null;
}

/** What a request that found its code taken is told: what the code's state says by itself, else that it is taken. */
export function besideRequest(code: Code, now: number): string {
	const refusal = closedTo(code, now);
	if (refusal) return refusal;
	return code.serial === null ? "406 OTHER_VALIDATION_IN_PROGRESS" : "406 CODE_ALREADY_USED";
}

export function besideClaim(code: Code, now: number): string {
	return closedTo(code, now) ?? (code.serial === null ? "202 VALIDATION_IN_PROGRESS" : "201 ALREADY_ISSUED");
}

/** What refuses a request before the registry is asked; null when it may be asked. */
export function refuseRequest(world: World, call: RequestCall): Ruling | null {
	const code = codeOf(world, call.code);
	const closed = closedTo(code, world.now);
	if (closed) return unchanged(world, closed);
	if (code.serial !== null) return unchanged(world, "406 CODE_ALREADY_USED");
	if (code.rut !== null && code.rut !== call.rut) return spendValidation(world, call.code, "RUT_MISMATCH");
	if (isOthersEmail(world, call)) return unchanged(world, "406 EMAIL_IN_USE");
	return null;
}

/** Decisions, "another validation running": another code of the same RUT. */
export function isRutBusy({ codes, now }: World, { code: own, rut }: RequestCall): boolean {
	return Object.entries(codes).some(
		([name, code]) => name !== own && isProcessing(code, now) && code.run?.processing?.rut === rut,
	);
}

/** The end of a request whose registry was asked. */
export function concludeRequest(world: World, call: RequestCall, serial: string): Ruling {
	if (call.registry === "is away") return unchanged(world, "503 REGISTRY_UNAVAILABLE");
	if (call.registry === "denies") return spendValidation(world, call.code, "ID_CARD_MISMATCH");
	if (isOthersEmail(world, call)) return unchanged(world, "406 EMAIL_IN_USE");
	const { rut, pin, reference, email } = call;
	const code = codeOf(world, call.code);
	const emitted = world.mode === "B2B";
	const change = {
		rut,
		pin,
		reference,
		lockedUntil: 0,
		validation: { ...code.validation, failures: 0 },
		claim: { ...code.claim, failures: 0 },
		serial: emitted ? serial : null,
	};
	return {
		world: { ...changeCode(world, call.code, change), emails: { ...world.emails, [email]: rut } },
		told: tellValidated(world.mode, call, serial),
		committed: true,
	};
}

export function tellValidated(
	mode: World["mode"],
	{ reference, rut, email }: Pick<RequestCall, "reference" | "rut" | "email">,
	serial: string | null,
): string {
	const validated = `${reference} ${rut} ${email}`;
	return mode === "B2B" ? `200 EMITTED ${validated} ${serial}` : `200 VALIDATED ${validated}`;
}

function isOthersEmail({ emails }: World, { email, rut }: RequestCall): boolean {
	return emails[email] !== undefined && emails[email] !== rut;
}

/** §4.2 and §7. */
export function ruleClaim(world: World, call: ClaimCall, serial: string): Ruling {
	const code = codeOf(world, call.code);
	if (code.rut === null) return unchanged(world, "404 NOT_FOUND");
	const closed = closedTo(code, world.now);
	if (closed) return unchanged(world, closed);
	if (code.serial !== null) return unchanged(world, "201 ALREADY_ISSUED");
	if (code.rut === call.rut && code.pin === call.pin) {
		const issued = changeCode(world, call.code, { serial, claim: { ...code.claim, failures: 0 } });
		return { world: issued, told: `200 issued ${serial}`, committed: true };
	}
	const spent = spend(code, code.claim, 5, world.now);
	const { attempts: claim, ...lock } = spent;
	return {
		world: changeCode(world, call.code, { claim, ...lock }),
		told: "406 CREDENTIALS_MISMATCH",
		committed: true,
	};
}

/** Decisions, "ID-validation attempts". */
export function spendValidation(world: World, name: string, rule: string): Ruling {
	const code = codeOf(world, name);
	const { attempts: validation, ...lock } = spend(code, code.validation, 3, world.now);
	return { world: changeCode(world, name, { validation, ...lock }), told: `406 ${rule}`, committed: true };
}

/** The last failure allowed locks for half an hour; the third lock is for good. */
function spend(code: Code, { failures, locks }: Attempts, allowed: number, now: number) {
	const { blocked, lockedUntil } = code;
	if (failures + 1 < allowed) return { attempts: { failures: failures + 1, locks }, blocked, lockedUntil };
	const attempts = { failures: 0, locks: locks + 1 };
	return locks + 1 < 3
		? { attempts, blocked, lockedUntil: now + SECURITY_LOCK }
		: { attempts, blocked: true, lockedUntil };
}

/** Ops (decisions, "who sets CANCELLED, a permanent block, and lifts them"): they wait for nobody. */
export function ruleOperation(world: World, { verb, code: name }: OperateCall): Ruling {
	const code = codeOf(world, name);
	if (code.cancelled && verb !== "cancel") return unchanged(world, "423 LOCKED");
	if (code.serial !== null && verb === "block") return unchanged(world, "406 CODE_ALREADY_USED");
	const change = { cancel: { cancelled: true }, block: { blocked: true }, unblock: UNCOUNTED }[verb];
	const changed = changeCode(world, name, change);
	if (JSON.stringify(changed) === JSON.stringify(world))
		return unchanged(world, `200 ${factsOf(world, name)}`);
	const disturbed = code.run ? changeRun(changed, name, { disturbed: true, processing: null }) : changed;
	return { world: disturbed, told: `200 ${factsOf(disturbed, name)}`, committed: true };
}

function unchanged(world: World, told: string): Ruling {
	return { world, told, committed: false };
}
