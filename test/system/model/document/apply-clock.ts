import { DAY_MS, HOUR_MS } from "../../../../src/domain/durations.ts";
import { endOf } from "./apply-sessions.ts";
import { authenticate, type Moment, momentOf, unauthorized } from "./authenticate.ts";
import type { CallOf } from "./calls.ts";
import { badShape, COUNT, type Outcome, type Shape, success, time } from "./expected.ts";
import { forgetAnswersOf } from "./idempotency.ts";
import { type CodeState, changeCode, changePartner, changeSession, type Ledger } from "./ledger.ts";
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
function eraseClosed(ledger: Ledger, run: Run): Ledger {
	return eraseHolders(ledger, run, ({ certificate, cancelledAt, blockedAt }, now) => {
		const closedAt = Math.min(cancelledAt ?? NEVER, blockedAt ?? NEVER);
		return certificate === null && closedAt + run.rules.closedHolder <= now;
	});
}

const NEVER = Number.POSITIVE_INFINITY;

/** Erases holders: the e-mail is anybody's again, and answers that were kept for repeats of the code's calls go with them. */
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
		return changeCode(forgetAnswersOf(changed, name), name, {
			validation: erased,
			updatedAt: now,
			...closing(now),
		});
	}, ledger);
}

/* Decisions, "partner's clock"; decision 18: a partner moves its own time on, and what is due by then is done. */

const KIND = "advance";
const UNITS: Record<string, number> = { Y: 365 * DAY_MS, D: DAY_MS, H: HOUR_MS, M: 60_000, S: 1_000 };

export function applyAdvance(ledger: Ledger, call: CallOf<"advance">, at: number, rules: Rules): Outcome {
	const caller = authenticate(ledger, call.key);
	if (!caller) return unauthorized(ledger, KIND);
	const length = lengthOf(call.advance);
	if (length === null) return { ledger, expected: badShape(KIND, ["advance"]) };
	const { id, partner } = caller;
	const clockOffset = partner.clockOffset + length;
	if (clockOffset > rules.clockMaximum)
		return { ledger, expected: { ...badShape(KIND, ["advance"]), outcome: `${KIND} 400 too far` } };
	const moved = changePartner(ledger, id, { clockOffset });
	const moment = { ...momentOf(moved, id, at, rules), before: at + partner.clockOffset };
	const { ledger: after, done } = doDueWork(moved, id, moment);
	const data = { now: time(moment.now), offset_seconds: Math.floor(clockOffset / 1000), done };
	const kind = done.validations_lapsed + done.holders_erased === 0 ? KIND : `${KIND} to what is due`;
	return { ledger: after, expected: success(kind, 200, data) };
}

/** ISO 8601, of one unit as far as these sequences go; null for what is none. */
function lengthOf(duration: string): number | null {
	const [, number, unit = ""] = /^P(?:(?=\d+[DY])|T(?=\d+[HMS]))(\d+)([A-Z])$/.exec(duration) ?? [];
	return number === undefined ? null : Number(number) * UNITS[unit]!;
}

/** The crons' work of this partner, by its clock. What it has to deliver is no part of the model. */
function doDueWork(moved: Ledger, partner: string, moment: Moment & { before: number }) {
	const { at, rules } = moment;
	const run = { at, rules, only: partner };
	const [ended, sessions_ended] = endDue(moved, partner, moment);
	const lapsed = lapse(ended, run);
	const erased = eraseClosed(lapsed, run);
	const done = {
		sessions_ended,
		validations_lapsed: changedCodes(ended, lapsed),
		holders_erased: changedCodes(lapsed, erased),
		reminders: COUNT,
		deliveries_tried: COUNT,
		delivered: COUNT,
	};
	return { ledger: forget(erased, partner, moment), done };
}

function changedCodes(before: Ledger, after: Ledger): number {
	return Object.keys(after.codes).filter((name) => after.codes[name] !== before.codes[name]).length;
}

/** Number due: those that the clock has passed now, and maybe some whose end nobody has noted yet. */
function endDue(
	ledger: Ledger,
	partner: string,
	{ now, before }: Moment & { before: number },
): [Ledger, Shape] {
	const due = Object.entries(ledger.sessions).filter(
		([, { code, end, until }]) => ledger.codes[code]!.partner === partner && end === null && until <= now,
	);
	const least = due.filter(([, { until }]) => until > before).length;
	const ended = due.reduce(
		(changed, [name, session]) => changeSession(changed, name, { end: endOf(session, now) }),
		ledger,
	);
	return [ended, { $: "one of", of: Array.from({ length: due.length - least + 1 }, (_, i) => least + i) }];
}

/** retention.md: sessions of this partner, by its clock. */
function forget(ledger: Ledger, partner: string, { now, rules }: Moment): Ledger {
	return Object.entries(ledger.sessions)
		.filter(([, { code }]) => ledger.codes[code]!.partner === partner)
		.filter(([, { end }]) => end !== null && end.at + rules.endedSession <= now)
		.reduce((changed, [name]) => changeSession(changed, name, { forgotten: true }), ledger);
}
