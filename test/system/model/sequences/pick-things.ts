import { OUR_RANGE, permits, scopeOf } from "../document/authenticate.ts";
import type { Call, CallKind, CodeName } from "../document/calls.ts";
import type { CodeState, KeyState, Ledger } from "../document/ledger.ts";
import type { Who } from "./who.ts";

/* Numbers of commands stand for one of the things there are, modulo how many. */

export function pick<T>(things: readonly T[], n: number): T | undefined {
	return things[n % Math.max(1, things.length)];
}

/** Few enough that a sequence comes back to each; two of the numbers mean no code at all. */
export function codeAt(ledger: Ledger, n: number): [CodeName, CodeState | null] {
	if (n === 11) return [{ code: "unknown" }, null];
	if (n === 10) return [{ code: "impossible" }, null];
	const names = Object.keys(ledger.codes);
	const name = pick(names, n);
	if (name === undefined) return [{ code: "unknown" }, null];
	return [{ code: name, ...(n === 9 && { spelling: "loose" }) }, ledger.codes[name]!];
}

/** Mostly a code that a caller has validated. */
export function claimableAt(ledger: Ledger, n: number): [CodeName, CodeState | null] {
	const validated = Object.keys(ledger.codes).filter((name) => ledger.codes[name]!.validation);
	const name = n < 9 ? pick(validated, n) : undefined;
	return name === undefined ? codeAt(ledger, n) : [{ code: name }, ledger.codes[name]!];
}

export function issuedAt(ledger: Ledger, n: number): [CodeName, CodeState | null] {
	const issued = Object.keys(ledger.codes).filter((name) => ledger.codes[name]!.certificate);
	const name = n === 11 ? undefined : pick(issued, n);
	return name === undefined ? codeAt(ledger, 11) : [{ code: name }, ledger.codes[name]!];
}

export function partnerAt(ledger: Ledger, n: number): string {
	return pick(Object.keys(ledger.partners), n)!;
}

/** `limited`: the owner's, but not for such a call; `elsewhere`: for other addresses. */
export function keyOf(
	ledger: Ledger,
	who: Who,
	owner: string | undefined,
	now: number,
	kind: CallKind,
): string {
	if (who === "unknown" || who === "none") return who;
	const needs = scopeOf({ kind } as Call)!;
	const keys = Object.entries(ledger.keys);
	const isOver = ([, { revokedAt, expiresAt }]: Entry) =>
		[revokedAt, expiresAt].some((end) => end !== null && end <= now);
	const living = keys.filter((entry) => !isOver(entry));
	const partner = owner ?? "p1";
	const isHere = ([, { cidrs }]: Entry) => cidrs === null || cidrs.includes(OUR_RANGE);
	const own = living.filter((entry) => entry[1].partner === partner);
	const found = {
		owner: own.findLast((entry) => isHere(entry) && permits(entry[1], needs)),
		limited: own.find((entry) => isHere(entry) && !permits(entry[1], needs)),
		elsewhere: own.find((entry) => !isHere(entry)),
		stranger: living.find((entry) => entry[1].partner !== partner && permits(entry[1], needs)),
		ended: keys.find((entry) => isOver(entry) && entry[1].partner === partner) ?? keys.find(isOver),
	}[who];
	return (found ?? keys.find((entry) => entry[1].partner === partner)!)[0];
}

type Entry = [string, KeyState];
