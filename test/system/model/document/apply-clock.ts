import { DAY_MS, HOUR_MS } from "../../../../src/domain/durations.ts";
import { authenticate, type Reading, unauthorized } from "./authenticate.ts";
import type { CallOf } from "./calls.ts";
import { badShape, COUNT, type Outcome, type Shape, success, time } from "./expected.ts";
import { changePartner, changeSession, type Ledger } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";
import { eraseClosed, lapse } from "./retention.ts";
import { endOf } from "./session-ends.ts";

/* Decisions, "partner's clock"; decision 18: a partner moves its own time on, and what is due by then is done. */

const KIND = "advance";
const UNITS: Record<string, number> = { Y: 365 * DAY_MS, D: DAY_MS, H: HOUR_MS, M: 60_000, S: 1_000 };

export function applyAdvance(ledger: Ledger, call: CallOf<"advance">, at: number, reading: Reading): Outcome {
	const caller = authenticate(ledger, call.key, at, reading);
	if (!caller) return unauthorized(ledger, KIND);
	const { rules } = reading;
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
