import type { CallOf } from "./calls.ts";
import { type Outcome, success } from "./expected.ts";
import { type CodeState, changeCode, type Ledger } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";

/* Closing and erasing of what has reached its time (retention.md). */

/** `only`: of this partner, by its own clock; of all, by the real one, which is never ahead of a partner's. */
interface Run {
	at: number;
	rules: Rules;
	only?: string;
}

/** The job's report counts other sequences' rows too. */
export function applyRunJob(ledger: Ledger, { job }: CallOf<"run job">, at: number, rules: Rules): Outcome {
	const run = { "lapse-validations": lapse, "erase-holders": eraseClosed }[job];
	const expected = success(`run job ${job}`, 200, { $: "with", fields: { job } });
	return { ledger: run(ledger, { at, rules }), expected };
}

/** Decisions, "life of a validation": a code that nobody claims by then is blocked for good. */
export function lapse(ledger: Ledger, run: Run): Ledger {
	const isDue = ({ certificate, cancelledAt, blockedAt, validation }: CodeState, now: number) =>
		!certificate &&
		cancelledAt === null &&
		blockedAt === null &&
		validation!.at + run.rules.validationLife <= now;
	return eraseHolders(ledger, run, isDue, (now) => ({ blockedAt: now }));
}

/** The holders of codes that were closed before a certificate was issued. */
export function eraseClosed(ledger: Ledger, run: Run): Ledger {
	return eraseHolders(ledger, run, ({ certificate, cancelledAt, blockedAt }, now) => {
		const closedAt = Math.min(cancelledAt ?? NEVER, blockedAt ?? NEVER);
		return certificate === null && closedAt + run.rules.closedHolder <= now;
	});
}

const NEVER = Number.POSITIVE_INFINITY;

/** The e-mail is anybody's again. */
function eraseHolders(
	ledger: Ledger,
	{ at, rules, only }: Run,
	isDue: (code: CodeState, now: number) => boolean,
	closing: (now: number) => Partial<CodeState> = () => ({}),
): Ledger {
	const clock = only === undefined ? at : momentOf(ledger, only, at, rules).now;
	const due = Object.entries(ledger.codes)
		.filter(([, { partner }]) => only === undefined || partner === only)
		.filter(([, code]) => code.validation && !code.validation.erased && isDue(code, clock));
	return due.reduce((changed, [name, { partner, validation }]) => {
		const { now } = momentOf(ledger, partner, at, rules);
		const erased = { ...validation!, email: null, erased: true };
		return changeCode(changed, name, { validation: erased, updatedAt: now, ...closing(now) });
	}, ledger);
}
