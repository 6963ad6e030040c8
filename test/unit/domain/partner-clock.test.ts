import { expect, test } from "vitest";
import { after, CLOCK_OFFSET_MAX_MS, partnerNow, realTime } from "../../../src/domain/partner-clock.ts";

const at = (iso: string) => Date.parse(`${iso}Z`);

test.for([
	["P15D", "2027-01-31T10:00:00", "2027-02-15T10:00:00"],
	["P1M", "2027-01-31T10:00:00", "2027-02-28T10:00:00"],
	["P1M", "2028-01-31T10:00:00", "2028-02-29T10:00:00"],
	["P1Y", "2028-02-29T10:00:00", "2029-02-28T10:00:00"],
	["P1Y2M3W4DT5H6M7S", "2027-01-01T00:00:00", "2028-03-26T05:06:07"],
	["PT90M", "2027-12-31T23:00:00", "2028-01-01T00:30:00"],
] as const)("ISO 8601 %s after %s is %s", { tags: ["partner-clock"] }, ([duration, from, to]) => {
	expect(after(at(from), duration)).toBe(at(to));
});

test.for([
	"",
	"P",
	"PT",
	"P0D",
	"PT0S",
	"-P1D",
	"P-1D",
	"P1.5D",
	"P1H",
	"PT1D",
	"P1DT",
	"p1d",
	" P1D",
	"15D",
])("%j is no duration that passes", { tags: ["partner-clock"] }, (text) => {
	expect(after(at("2027-01-01T00:00:00"), text)).toBeNull();
});

test("the partner's time is the clock's and its offset; three years fit", { tags: ["partner-clock"] }, () => {
	const clock = { clockOffset: 5_000 };
	expect(partnerNow({ clock: () => 1_000 }, clock)).toBe(6_000);
	expect(realTime(6_000, clock)).toBe(1_000);
	const now = at("2027-06-01T00:00:00");
	expect(after(now, "P3Y31D")! - now).toBeLessThan(CLOCK_OFFSET_MAX_MS);
	expect(after(now, "P4Y1D")! - now).toBeGreaterThan(CLOCK_OFFSET_MAX_MS);
});
