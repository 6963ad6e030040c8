import { authenticate, type Caller, type Moment, momentOf, unauthorized } from "./authenticate.ts";
import { type CodeName, type Fields, malformed, type Post } from "./calls.ts";
import { badShape, type Expected, error, type Outcome, unavailable } from "./expected.ts";
import type { KeptCall, Ledger } from "./ledger.ts";
import { isFrozen } from "./moves.ts";
import type { Rules } from "./rules.ts";

/** A POST as it stands in decisions, "Idempotency": whose it is, and what makes it the same call again. */
export interface Repeatable {
	kind: string;
	partner: string;
	/** The header as sent. */
	header: string | undefined;
	fingerprint: string;
}

/** Route and body. */
export function fingerprintOf(call: { kind: string; code?: CodeName; fields: Fields }): string {
	return JSON.stringify([call.kind, call.code, call.fields]);
}

/** A partner's POST: 401 for its key, 400 for its form, then {@link once}. */
export function post(
	ledger: Ledger,
	call: Post,
	{ now: at, rules }: { now: number; rules: Rules },
	run: (ledger: Ledger, caller: Caller, moment: Moment) => Outcome,
	problems = malformed(call.fields),
): Outcome {
	const { kind, idempotency: header } = call;
	const caller = authenticate(ledger, call.key);
	if (!caller) return unauthorized(ledger, kind);
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const repeatable = { kind, partner: caller.id, header, fingerprint: fingerprintOf(call) };
	return once(ledger, repeatable, at, rules, (known) =>
		run(known, caller, momentOf(known, caller.id, at, rules)),
	);
}

/**
 * The first answer again for the same key and body within 24 hours; 422 for another body, 409 while the first runs.
 * Otherwise `run`, whose answer is kept if it is final. The documents do not place this among the checks: it is
 * after key, rate and shape, which say nothing of a code, and before all that looks at one.
 */
export function once(
	ledger: Ledger,
	call: Repeatable,
	now: number,
	rules: Rules,
	run: (ledger: Ledger) => Outcome,
): Outcome {
	const { kind, header } = call;
	if (header === undefined) return run(ledger);
	const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
	if (!/^[\x21-\x7e]{1,255}$/.test(key)) return { ledger, expected: badShape(kind, ["Idempotency-Key"]) };
	const place = `${call.partner}/${key}`;
	const first = ledger.kept[place];
	const again = first && now < first.until ? repeat(kind, first, call.fingerprint) : null;
	if (again && first?.answer !== undefined) return { ledger, expected: again };
	// A call on a code notes its key before it looks at the code, or for a key whose answer was forgotten.
	if (kind !== "bulk" && isFrozen(ledger.partners[call.partner], rules))
		return { ledger, expected: unavailable(kind, "moving") };
	if (again) return { ledger, expected: again };
	const outcome = run(ledger);
	return keep(outcome, place, call.fingerprint, { now, rules });
}

/** @returns null for the same body where the answer was forgotten: the call runs again. */
function repeat(kind: string, first: KeptCall, fingerprint: string): Expected | null {
	if (first.fingerprint !== fingerprint) return error(kind, "IDEMPOTENCY_MISMATCH");
	if (first.answer === undefined) return null;
	if (first.answer === null) return error(kind, "IDEMPOTENCY_IN_PROGRESS");
	const answer = first.answer as Expected;
	// The lock that the first answer opened may be over.
	const headers = { ...answer.headers, "Retry-After": undefined, "Idempotency-Replayed": "true" };
	return { ...answer, outcome: `${kind} replay of ${answer.status}`, headers };
}

/** Notes a final answer under its key; frees the key of any other. A held call has no answer yet. */
export function keep(
	{ ledger, expected }: Outcome,
	place: string,
	fingerprint: string,
	{ now, rules }: { now: number; rules: Rules },
): Outcome {
	if (expected.status === 0) return { ledger, expected };
	const { [place]: _, ...others } = ledger.kept;
	if (!isFinal(expected)) return { ledger: { ...ledger, kept: others }, expected };
	const named = { ...expected, bytes: `${place} of ${now}` };
	const record: KeptCall = { fingerprint, answer: named, until: now + rules.idempotency };
	return { ledger: { ...ledger, kept: { ...others, [place]: record } }, expected: named };
}

/** Forgets the answers of a code's calls, which have its holder's name. Their keys stay taken for their day. */
export function forgetAnswersOf(ledger: Ledger, code: string): Ledger {
	const forget = (call: KeptCall) =>
		JSON.parse(call.fingerprint)[1]?.code === code ? { ...call, answer: undefined } : call;
	const kept = Object.entries(ledger.kept).map(([place, call]) => [place, forget(call)]);
	return { ...ledger, kept: Object.fromEntries(kept) };
}

/** 200, 201, and 406 other than OTHER_VALIDATION_IN_PROGRESS. */
function isFinal({ status, outcome }: Expected): boolean {
	if (status === 406) return !outcome.endsWith("OTHER_VALIDATION_IN_PROGRESS");
	return status === 200 || status === 201;
}
