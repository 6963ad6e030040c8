import type { Timed } from "./linearizability.ts";

/* Calls of concurrent clients on a few codes of one partner, and their answers. Codes have names: A, B, C. */

export type RunCall = RequestCall | ClaimCall;

export interface RequestCall {
	verb: "request";
	code: string;
	rut: string;
	cardSerial: string;
	email: string;
	pin: string;
	reference: string;
	/** Answer of the registry for RUT and card serial. */
	registry: "confirms" | "denies" | "is away";
	/** Idempotency-Key; used on one code alone. */
	key: string | null;
}

export interface ClaimCall {
	verb: "claim";
	code: string;
	rut: string;
	pin: string;
	key: string | null;
}

export type ReadCall =
	| { verb: "status"; code: string }
	| { verb: "list"; status: string | null }
	/** The stored facts, as ops see them. */
	| { verb: "facts"; code: string };

export interface OperateCall {
	verb: "cancel" | "block" | "unblock";
	code: string;
}

/** The clock moves while nothing is called. */
interface PassCall {
	verb: "pass";
	milliseconds: number;
}

export type Call = RunCall | ReadCall | OperateCall | PassCall;

export interface Operation extends Timed {
	/** Different for each of a history, from 1. */
	id: number;
	client: string;
	call: Call;
	/** Answer in `describe-answer.ts`'s words; null when the call was cut off: whether it happened is not known. */
	answer: string | null;
	/** Whether a request that was cut off had asked the registry; null where that is unknown. */
	registryAsked: boolean | null;
	/** The ops verb may have given up: so many other changes of the code ran at the same time. */
	contended: boolean;
	/** Cut off while the partner moved: its writes may have been refused, and its run ended before its lease. */
	isRefused: boolean;
}

export function isRun(call: Call): call is RunCall {
	return call.verb === "request" || call.verb === "claim";
}

export function isReadCall(call: Call): call is ReadCall {
	return call.verb === "status" || call.verb === "list" || call.verb === "facts";
}

/** One line for a reader. */
export function showCall(call: Call): string {
	switch (call.verb) {
		case "request": {
			const { code, rut, email, pin, reference, registry, key } = call;
			const says = registry === "confirms" ? "" : ` registry ${registry}`;
			return `request ${code} ${rut} ${email} pin ${pin} ${reference}${says}${showKey(key)}`;
		}
		case "claim":
			return `claim ${call.code} ${call.rut} pin ${call.pin}${showKey(call.key)}`;
		case "list":
			return `list ${call.status ?? ""}`;
		case "pass":
			return `${call.milliseconds / 1000} s pass`;
		default:
			return `${call.verb} ${call.code}`;
	}
}

function showKey(key: string | null): string {
	return key === null ? "" : ` key ${key}`;
}
