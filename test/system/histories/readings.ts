import { type Code, codeOf, isLocked, isProcessing, type ModelState } from "./state.ts";

/* State that a read shows at one moment, in the words of describe-answer.ts. */

/** §3.1, the first that applies; certificates outlive every history, and no widget is open. */
export function statusOf(code: Code, now: number): string {
	if (code.cancelled) return "CANCELLED";
	if (code.serial !== null) return "EMITTED";
	if (isLocked(code, now)) return "LOCKED";
	return code.rut === null ? "ACTIVE" : "VALIDATED";
}

/** Decisions, "list statuses, first that applies"; histories end within the 14 days. */
function listStatusOf(code: Code, now: number): string {
	if (code.cancelled) return "anulado";
	if (code.serial !== null) return "emitido";
	if (isLocked(code, now)) return "bloqueado";
	if (isProcessing(code, now)) return "en_proceso";
	return code.rut === null ? "sin_utilizar" : "validado";
}

/** One `GET /pcodes`: all codes, or those of one list status. */
export function listingOf({ codes, now }: ModelState, status: string | null): string {
	const items = Object.entries(codes)
		.map(([name, code]) => ({
			name,
			status: listStatusOf(code, now),
			processing: Number(isProcessing(code, now)),
			reference: code.reference,
		}))
		.filter((item) => status === null || item.status === status);
	return tellListing(items);
}

export interface ListedItem {
	name: string;
	status: string;
	processing: number;
	reference: string | null;
}

export function tellListing(items: readonly ListedItem[]): string {
	const reported = items.map(
		({ name, status, processing, reference }) => `${name} ${status} ${processing} ${reference ?? "-"}`,
	);
	return `${items.length} listed: ${reported.sort().join(", ")}`;
}

/** A code's facts, for ops. */
export function factsOf(state: ModelState, name: string): string {
	const { now } = state;
	const code = codeOf(state, name);
	return tellFacts({
		status: statusOf(code, now),
		listStatus: listStatusOf(code, now),
		processing: Number(isProcessing(code, now)),
		reference: code.reference,
		serial: code.serial,
		blocked: code.blocked,
		requestBlocked: code.requestBlocked,
		requestLockedFor: Math.max(0, code.requestLockedUntil - now),
		claimLockedFor: Math.max(0, code.claimLockedUntil - now),
		validation: [code.validation.failures, code.validation.locks],
		claim: [code.claim.failures, code.claim.locks],
	});
}

export interface ToldFacts {
	status: string;
	listStatus: string;
	processing: number;
	reference: string | null;
	serial: string | null;
	blocked: boolean;
	requestBlocked: boolean;
	/** Milliseconds. */
	requestLockedFor: number;
	claimLockedFor: number;
	/** Failures, locks. */
	validation: [number, number];
	claim: [number, number];
}

export function tellFacts(facts: ToldFacts): string {
	const { status, listStatus, processing, reference, serial, blocked, requestBlocked } = facts;
	const { validation, claim, requestLockedFor, claimLockedFor } = facts;
	return [
		status,
		listStatus,
		processing,
		reference ?? "-",
		`validation ${validation.join("/")}`,
		`claim ${claim.join("/")}`,
		...(blocked ? ["blocked"] : []),
		...(requestBlocked ? ["requests blocked"] : []),
		...(requestLockedFor > 0 ? [`requests locked ${requestLockedFor / 1000} s`] : []),
		...(claimLockedFor > 0 ? [`claims locked ${claimLockedFor / 1000} s`] : []),
		...(serial === null ? [] : [`serial ${serial}`]),
	].join(" ");
}
