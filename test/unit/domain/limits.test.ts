import { describe, expect, test } from "vitest";
import { isSellable, validityOf } from "../../../src/domain/certificate-dates.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { admitEmission, giveBack } from "../../../src/domain/emission-window.ts";
import { pfxFileName } from "../../../src/domain/pfx-file-name.ts";
import { categoryOf, PRODUCT_CODES } from "../../../src/domain/products.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
/** An authority that is valid whenever a test issues. */
const ISSUER = { notBefore: new Date(0), notAfter: new Date(Date.UTC(2200, 0)) };

describe('decision "product": FV00 30 days, FV01 1 year, FV02 2 years, FV03 3 years, calendar years in UTC', () => {
	test.each([
		["FV00", "2026-11-21T12:00:00Z", "2026-12-21T12:00:00Z"],
		["FV00", "2026-02-10T00:00:00Z", "2026-03-12T00:00:00Z"],
		["FV00", "2028-02-10T00:00:00Z", "2028-03-11T00:00:00Z"],
		["FV01", "2026-11-21T12:00:00Z", "2027-11-21T12:00:00Z"],
		["FV01", "2027-03-01T00:00:00Z", "2028-03-01T00:00:00Z"],
		["FV02", "2026-11-21T12:00:00Z", "2028-11-21T12:00:00Z"],
		["FV03", "2026-11-21T12:00:00Z", "2029-11-21T12:00:00Z"],
		["FV01", "2028-02-29T23:59:59Z", "2029-02-28T23:59:59Z"],
		["FV02", "2028-02-29T10:00:00Z", "2030-02-28T10:00:00Z"],
		["FV03", "2028-02-29T10:00:00Z", "2031-02-28T10:00:00Z"],
		["FV01", "2027-02-28T10:00:00Z", "2028-02-28T10:00:00Z"],
		["FV03", "2097-02-28T10:00:00Z", "2100-02-28T10:00:00Z"],
		["FV01", "2026-12-31T23:59:59Z", "2027-12-31T23:59:59Z"],
	] as const)("%s issued %s is valid to %s", (product, issued, notAfter) => {
		expect(validityOf(product, Date.parse(issued), ISSUER)).toEqual({
			notBefore: Date.parse(issued) - 5 * MINUTE_MS,
			notAfter: Date.parse(notAfter),
		});
	});

	test("never from before its issuer's start, and never beyond its end", () => {
		const [start, end] = [Date.parse("2026-11-21T12:00:00Z"), Date.parse("2029-11-21T12:00:00Z")];
		const issuer = { notBefore: new Date(start), notAfter: new Date(end) };
		expect(validityOf("FV03", start, issuer)).toEqual({ notBefore: start, notAfter: end });
		expect(validityOf("FV03", start + 1_000, issuer)).toBeNull();
		expect(validityOf("FV00", start - 1, issuer)).toBeNull();
		expect(validityOf("FV00", end + 1, issuer)).toBeNull();
	});

	test("a code is sold while its certificate can be issued for 44 days more", () => {
		const sold = (days: number) =>
			isSellable("FV00", NOW, { notBefore: new Date(NOW), notAfter: new Date(NOW + days * DAY_MS) });
		expect([sold(74), sold(73)]).toEqual([true, false]);
		const early = { notBefore: new Date(NOW + 1_000), notAfter: ISSUER.notAfter };
		expect(isSellable("FV00", NOW, early)).toBe(false);
	});

	test("both ends are whole seconds, as X.509 keeps them", () => {
		const { notBefore, notAfter } = validityOf("FV01", NOW + 999, ISSUER)!;
		expect([notBefore % 1000, notAfter]).toEqual([0, Date.UTC(2027, 10, 21, 12)]);
	});

	test('decision "category": the product\'s number', () => {
		expect(PRODUCT_CODES.map((code) => [code, categoryOf(code)])).toEqual([
			["FV00", 0],
			["FV01", 1],
			["FV02", 2],
			["FV03", 3],
		]);
	});

	test("§2.3 the PFX file is named after its holder's RUT", () => {
		expect(pfxFileName("10000013-K")).toBe("certificado-10000013-K.pfx");
	});
});

describe("§8 emission rate: 10 requests per minute per partner, never more than 10 in any 60 s", {
	tags: ["emission-rate-window", "emission-rate-refused-not-counted"],
}, () => {
	const full = Array.from({ length: 10 }, (_, i) => NOW + i * 1000);

	test("the tenth is admitted, the eleventh is not, and the refusal does not count", () => {
		const tenth = admitEmission(full.slice(0, 9), NOW + 9000);
		expect(tenth).toMatchObject({ admitted: true, remaining: 0, times: full });
		const eleventh = admitEmission(tenth.times, NOW + 9000);
		expect(eleventh).toEqual({ admitted: false, times: full, remaining: 0, resetMs: MINUTE_MS - 9000 });
	});

	test("a millisecond before the oldest is a minute old there is no place, at the minute there is one", () => {
		expect(admitEmission(full, NOW + MINUTE_MS - 1)).toMatchObject({ admitted: false, resetMs: 1 });
		const admitted = admitEmission(full, NOW + MINUTE_MS);
		expect(admitted).toMatchObject({ admitted: true, remaining: 0, resetMs: 1000 });
		expect(admitted.times).toEqual([...full.slice(1), NOW + MINUTE_MS]);
	});

	test("one of two admissions at one instant is given back", () => {
		expect(giveBack([...full, full[3]!], full[3]!)).toHaveLength(10);
		expect(giveBack(full, NOW - 1)).toEqual(full);
	});

	test.each([1, 2, 3, 4, 5, 6, 7, 8])(
		"in no 60 s of a random sequence are more than ten admitted (seed %i)",
		(seed) => {
			const random = seededRandom(seed);
			const admitted: number[] = [];
			let times: readonly number[] = [];
			for (let now = NOW, i = 0; i < 3000; i++) {
				now += Math.floor(random() ** 4 * 20_000);
				const recent = admitted.filter((time) => now - time < MINUTE_MS).length;
				const decision = admitEmission(times, now);
				expect(decision.admitted).toBe(recent < 10);
				expect(decision.remaining).toBe(10 - recent - (decision.admitted ? 1 : 0));
				expect(decision.resetMs).toBeGreaterThan(0);
				expect(decision.resetMs).toBeLessThanOrEqual(MINUTE_MS);
				expect(decision.times.length).toBeLessThanOrEqual(10);
				if (decision.admitted) admitted.push(now);
				times = decision.times;
			}
			const crowded = admitted.filter((time, i) => i >= 10 && time - admitted[i - 10]! < MINUTE_MS);
			expect(crowded).toEqual([]);
			expect(admitted.length).toBeLessThan(3000);
		},
	);
});
