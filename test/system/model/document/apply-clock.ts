import { attempt, ROUND } from "./attempt-delivery.ts";
import type { CallOf } from "./calls.ts";
import { changeDeliveries } from "./deliveries.ts";
import type { Desk } from "./desk.ts";
import { tellOfChanges } from "./events.ts";
import { badShape, type Outcome, type Shape, success, time } from "./expected.ts";
import { changePartner, changeSession, type Ledger, record } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";
import { remind } from "./reminders.ts";
import { eraseClosed, eraseDetails, lapse } from "./retention.ts";
import { endOf } from "./session-ends.ts";

/* Decisions, "partner's clock"; decision 18: a partner moves its own time on, and what is due by then is done. */

const DAY = 86_400_000;
const UNITS: Record<string, number> = { Y: 365 * DAY, D: DAY, H: 3_600_000, M: 60_000, S: 1_000 };

export function applyAdvance(ledger: Ledger, { advance }: CallOf<"advance">, desk: Desk): Outcome {
	const { id, partner, key, kind, at, now: before, rules } = desk;
	const length = lengthOf(advance);
	if (length === null) return { ledger, expected: badShape(kind, ["advance"]) };
	const clockOffset = partner.clockOffset + length;
	if (clockOffset > rules.clockMaximum)
		return { ledger, expected: { ...badShape(kind, ["advance"]), outcome: `${kind} 400 too far` } };
	const moved = record(changePartner(ledger, id, { clockOffset, updatedAt: at }), `partner ${id}`, {
		...{ at, by: "partner", key },
		action: "clock_advanced",
	});
	const moment = momentOf(moved, id, at, rules);
	const { ledger: after, done } = doDueWork(moved, id, { ...moment, before });
	const data = { now: time(moment.now), offset_seconds: Math.floor(clockOffset / 1000), done };
	const isIdle = [done.validations_lapsed, done.reminders, done.deliveries_tried].every((n) => n === 0);
	return { ledger: after, expected: success(isIdle ? kind : `${kind} to what is due`, 200, data) };
}

/** ISO 8601, of one unit as far as these sequences go; null for what is none. */
function lengthOf(duration: string): number | null {
	const [, number, unit = ""] = /^P(?:(?=\d+[DY])|T(?=\d+[HMS]))(\d+)([A-Z])$/.exec(duration) ?? [];
	return number === undefined ? null : Number(number) * UNITS[unit]!;
}

/** The crons' work of this partner, by its clock: each due delivery is tried once. */
function doDueWork(moved: Ledger, partner: string, moment: Moment & { before: number }) {
	const { now, at, rules } = moment;
	const run = { at, rules, by: "job", only: partner } as const;
	const [ended, sessions_ended] = endDue(moved, partner, moment);
	const lapsed = lapse(ended, run);
	const erased = eraseClosed(lapsed, run);
	const told = tellOfChanges(moved, erased, moment);
	const reminded = remind(told, partner, moment);
	const due = Object.entries(reminded.deliveries)
		.filter(([, one]) => one.partner === partner && one.dueAt !== null && one.dueAt <= now)
		.map(([name]) => name);
	const { settings } = reminded.partners[partner]!;
	const tried = due.reduce((changed, name) => attempt(changed, name, settings, moment), reminded);
	const delivered = due.filter((name) => tried.deliveries[name]!.deliveredAt !== null).length;
	const done = {
		sessions_ended,
		validations_lapsed: changedCodes(ended, lapsed),
		holders_erased: changedCodes(lapsed, erased),
		reminders: Object.keys(reminded.deliveries).length - Object.keys(told.deliveries).length,
		deliveries_tried: due.length,
		delivered,
	};
	return { ledger: forget(tried, partner, moment), done };
}

function changedCodes(before: Ledger, after: Ledger): number {
	return Object.keys(after.codes).filter((name) => after.codes[name] !== before.codes[name]).length;
}

/** How many: those that the clock has passed now, and maybe some whose end nobody has noted yet. */
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

/** retention.md: of this partner, by its clock. */
function forget(ledger: Ledger, partner: string, { now, rules }: Moment): Ledger {
	const forgotten = Object.entries(ledger.sessions)
		.filter(([, { code }]) => ledger.codes[code]!.partner === partner)
		.filter(([, { end }]) => end !== null && end.at + rules.endedSession <= now)
		.reduce((changed, [name]) => changeSession(changed, name, { forgotten: true }), ledger);
	const untried = changeDeliveries(forgotten, (delivery) => {
		const { createdAt, resentAt, deadAt, kept, tries } = delivery;
		const over = Math.max(deadAt ?? now, (resentAt ?? createdAt) + ROUND);
		const isLeft = deadAt !== null && over + rules.undelivered <= now;
		const recent = tries.filter(({ at }) => at + rules.deliveryDetails > now);
		return delivery.partner === partner ? { tries: recent, kept: kept && !isLeft } : null;
	});
	return eraseDetails(untried, (delivery) => delivery.partner === partner, { now, rules });
}
