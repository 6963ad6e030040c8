import { expect, test } from "vitest";
import { chileMonth } from "../../../src/domain/dates.ts";

test("a month of Chile begins and ends by the clocks of those moments", () => {
	expect(["2026-11", "2026-04", "2026-06", "2028-02"].map(chileMonth)).toEqual([
		{ first: "2026-11-01T00:00:00-03:00", last: "2026-11-30T23:59:59.999-03:00" },
		// The clocks go back on the 5th.
		{ first: "2026-04-01T00:00:00-03:00", last: "2026-04-30T23:59:59.999-04:00" },
		{ first: "2026-06-01T00:00:00-04:00", last: "2026-06-30T23:59:59.999-04:00" },
		{ first: "2028-02-01T00:00:00-03:00", last: "2028-02-29T23:59:59.999-03:00" },
	]);
});

test("each month of 2000 to 2059 begins a millisecond after the one before it ends, and on its first day in Chile", () => {
	const day = new Intl.DateTimeFormat("sv", { timeZone: "America/Santiago", dateStyle: "short" });
	let end = chileMonth("1999-12").last;
	for (let index = 0; index < 720; index++) {
		const month = new Date(Date.UTC(2000, index)).toISOString().slice(0, 7);
		const { first, last } = chileMonth(month);
		expect([month, Date.parse(first) - Date.parse(end)]).toEqual([month, 1]);
		expect(day.format(Date.parse(first))).toBe(`${month}-01`);
		end = last;
	}
});
