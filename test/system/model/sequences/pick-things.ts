import type { Call, CodeName } from "../document/calls.ts";
import type { CodeState, Ledger } from "../document/ledger.ts";
import type { Who } from "./commands.ts";

/** Ends what the registry lets wait. */
export function finishAll({ codes }: Ledger): Call[] {
	const running = Object.keys(codes).filter((name) => codes[name]!.running);
	return running.map((code) => ({ kind: "finish", code }));
}

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

export function keyOf(ledger: Ledger, who: Who, owner = "p1"): string {
	if (who === "unknown" || who === "none") return who;
	const others = Object.keys(ledger.partners).filter((name) => name !== owner);
	return who === "stranger" ? (others[0] ?? owner) : owner;
}
