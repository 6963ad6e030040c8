import { expect, test } from "vitest";
import { chileDayOf, type InstantRange, readChileDay } from "../../../src/domain/dates.ts";

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
		expect([readChileDay(date!), chileDayOf(last)]).toEqual([{ first, last }, date]);
		end = last;
	}
	const hours = ({ first, last }: InstantRange) => (last + 1 - first) / 3_600_000;
	expect(["2026-04-04", "2026-04-05", "2026-09-06"].map((day) => hours(readChileDay(day)!))).toEqual([
		25, 24, 23,
	]);
	for (const text of ["31-02-2026", "1-1-2026", "30-11/2026", "2026-11-30T00:00:00Z"])
		expect([text, readChileDay(text)]).toEqual([text, null]);
});
