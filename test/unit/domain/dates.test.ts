import { expect, test } from "vitest";
import { chileMonth, readChileDay } from "../../../src/domain/dates.ts";

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

test("each day of 2022 to 2026 begins when the one before it ends, on its own date in Chile", () => {
	const day = new Intl.DateTimeFormat("sv", { timeZone: "America/Santiago", dateStyle: "short" });
	let end = Date.parse("2022-01-01T00:00:00-03:00") - 1;
	for (let time = Date.UTC(2022, 0, 1); time < Date.UTC(2027, 0, 1); time += 86_400_000) {
		const [date, ...dayFirst] = [new Date(time).toISOString().slice(0, 10)].flatMap((iso) => [
			iso,
			...iso.split("-").toReversed(),
		]);
		const { first, last } = readChileDay(dayFirst.join("-"))!;
		expect([date, first - end, day.format(first), day.format(last)]).toEqual([date, 1, date, date]);
		end = last;
	}
	expect(["2026-11-30", "31-02-2026", "1-1-2026", "30-11/2026"].map(readChileDay)).toEqual([
		null,
		null,
		null,
		null,
	]);
});
