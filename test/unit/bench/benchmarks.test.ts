import { mean, median } from "simple-statistics";
import { expect, test } from "vitest";
import { refreshPage } from "../../../bench/keep.ts";
import { roundMeasure } from "../../../bench/kept-runs.ts";
import { bootstrapInterval, compareSamples } from "../../../bench/measure.ts";
import { type CertificateUse, costTable } from "../../../bench/parts/bill.ts";

/* Tests how `npm run bench -- --keep` turns figures into text, money and pictures. The figures are not judged here. */

const RUN = {
	at: "2026-11-21T20:00:00.000Z",
	commit: "abc1234",
	quick: true,
	machine: "two cores, load 0.1",
	seconds: 3,
};

test("the page's summary follows the kept runs, and names the aims that were missed", () => {
	const page = "before\n<!-- bench:summary -->\nold\n<!-- /bench -->\nafter";
	const samples = [
		[2, 2],
		[4, 4],
	];
	const met = compareSamples("PFX modern / PKI.js", "ms", samples, median, { aim: { below: 1 } });
	const missed = compareSamples("a / b", "ms", samples, median, { aim: { atMost: 0.4 } });
	const kept = { pfx: { run: { ...RUN, summary: "US$ 1." }, measures: [met, missed].map(roundMeasure) } };
	const refreshed = refreshPage(page, kept);
	expect(refreshed).toContain("| time of a PFX: ours ÷ PKI.js | **0.50** | 0.50–0.50 |");
	expect(refreshed).toContain("Aims met: 1 of 2. Missed: a / b (0.50, aim ≤ 0.4).");
	expect(refreshed).toContain("US$ 1.");
	expect(refreshed).not.toContain("old");
	expect(refreshed).toMatch(/^before\n[\s\S]*<!-- \/bench -->\nafter$/);
});

test("the interval of a statistic contains it, narrows with more samples, and is the same in every run", () => {
	const spread = (n: number) => Array.from({ length: n }, (_, i) => 10 + (i % 7));
	const [few, many] = [spread(14), spread(700)];
	const interval = bootstrapInterval([few], ([values]) => mean(values!));
	expect(interval[0]).toBeLessThan(mean(few));
	expect(interval[1]).toBeGreaterThan(mean(few));
	const narrow = bootstrapInterval([many], ([values]) => mean(values!));
	expect(narrow[1] - narrow[0]).toBeLessThan((interval[1] - interval[0]) / 2);
	expect(bootstrapInterval([few], ([values]) => mean(values!))).toEqual(interval);
});

test("1,000 certificates that write 40 rows of D1 and send one e-mail each cost 4 and 35 cents", () => {
	const nothing = { requests: 0, cpuMs: 0, d1RowsRead: 0, bytes: 0, objectRequests: 0, objectMs: 0 };
	const stored = { objectRowsRead: 0, objectRowsWritten: 0, queueOperations: 0 };
	const use: CertificateUse = { name: "B2C", ...nothing, ...stored, d1RowsWritten: 40, emails: 1 };
	const { rows } = costTable([use]);
	expect(rows.find(([what]) => what === "D1 rows written")).toEqual([
		"D1 rows written",
		"1 a million",
		"40.0",
		"0.040",
	]);
	expect(rows.at(-1)).toEqual(["together", "", "", "0.390"]);
});
