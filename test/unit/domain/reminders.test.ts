import { expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import {
	decideReminder,
	expiringBatches,
	lapsingValidations,
	reminderRanges,
	remindsHolder,
} from "../../../src/domain/reminders.ts";

const ISSUED = Date.UTC(2026, 0, 15);
const YEAR = { issuedAt: ISSUED, notAfter: ISSUED + 365 * DAY_MS };
const MONTH = { issuedAt: ISSUED, notAfter: ISSUED + 30 * DAY_MS };

test.each([
	["a day too early", YEAR, null, 61, { kind: "wait" }],
	["on day 60", YEAR, null, 60, { kind: "remind", days: 60 }],
	["once", YEAR, 60, 59, { kind: "wait" }],
	["on day 30", YEAR, 60, 30, { kind: "remind", days: 30 }],
	["on day 7", YEAR, 30, 7, { kind: "remind", days: 7 }],
	["the last one is said", YEAR, 7, 1, { kind: "wait" }],
	["what an outage swallowed is not made up for", YEAR, null, 6, { kind: "remind", days: 7 }],
	["a certificate of 30 days: days 60 and 30 began before it", MONTH, null, 29, { kind: "skip", days: 30 }],
	["a certificate of 30 days: day 7", MONTH, 30, 7, { kind: "remind", days: 7 }],
	["expired", YEAR, null, 0, { kind: "wait" }],
] as const)(
	'decision "The holder", reminders: %s',
	(_, { issuedAt, notAfter }, remindedDays, left, decision) => {
		expect(decideReminder({ issuedAt, notAfter, remindedDays }, notAfter - left * DAY_MS)).toEqual(decision);
	},
);

test("walked hour by hour, each certificate is reminded on its days, once each", () => {
	const daysOf = ({ issuedAt, notAfter }: typeof YEAR) => {
		let remindedDays: 60 | 30 | 7 | null = null;
		const said: number[] = [];
		for (let now = issuedAt; now < notAfter + DAY_MS; now += DAY_MS / 24) {
			const range = reminderRanges(now).find(({ done }) => done === remindedDays);
			if (!range || notAfter > range.endsBy) continue;
			const decision = decideReminder({ issuedAt, notAfter, remindedDays }, now);
			if (decision.kind === "wait") continue;
			if (decision.kind === "remind") said.push(decision.days);
			remindedDays = decision.days;
		}
		return said;
	};
	expect([daysOf(YEAR), daysOf(MONTH)]).toEqual([[60, 30, 7], [7]]);
	expect(daysOf({ issuedAt: ISSUED, notAfter: ISSUED + 60 * DAY_MS + 1 })).toEqual([60, 30, 7]);
	expect(daysOf({ issuedAt: ISSUED, notAfter: ISSUED + 6 * DAY_MS })).toEqual([]);
});

test("codes: on day 12 of 14, and not when the window is over", () => {
	const { createdAfter, createdBy } = expiringBatches(ISSUED);
	expect([ISSUED - createdBy, ISSUED - createdAfter]).toEqual([12 * DAY_MS, 14 * DAY_MS]);
});

test("the holder is reminded on the last two of the days; a validation lapses soon in its last 14", () => {
	expect(([60, 30, 7] as const).map(remindsHolder)).toEqual([false, true, true]);
	const now = ISSUED + 90 * DAY_MS;
	expect(lapsingValidations(now)).toEqual({ validatedAfter: ISSUED, validatedBy: ISSUED + 14 * DAY_MS });
});
