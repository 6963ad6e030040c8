import { expect, test } from "vitest";
import type { KeptPart } from "../../../bench/keep.ts";
import { compare } from "../../../bench/measure.ts";
import { type CertificateUse, costTable } from "../../../bench/parts/bill.ts";
import { drawChart } from "../../../bench/plot/draw-chart.ts";
import { linearScale, logScale } from "../../../bench/plot/scale.ts";
import { refreshText } from "../../../bench/refresh-text.ts";

/* What `npm run bench -- --keep` makes of figures: text, money and pictures. The figures themselves are not judged here. */

test("a kept part replaces its own section of the text and nothing else", () => {
	const text =
		"before\n<!-- bench:pfx -->\nold\n<!-- /bench -->\nbetween\n<!-- bench:cost -->\nkept\n<!-- /bench -->\nafter";
	const part: KeptPart = {
		at: "2026-11-21T20:00:00.000Z",
		commit: "abc1234",
		quick: true,
		machine: "two cores, load 0.1",
		seconds: 3,
		measures: [compare({ name: "ours / theirs", unit: "ms", ours: 2, base: 4 })],
	};
	const refreshed = refreshText(text, { pfx: part });
	expect(refreshed).toContain("| ours / theirs | 2.00 ms | 4.00 ms | 0.50 |");
	expect(refreshed).toContain("commit abc1234, **quick run**, 3 s; two cores, load 0.1");
	expect(refreshed).not.toContain("old");
	expect(refreshed).toMatch(
		/^before\n<!-- bench:pfx -->[\s\S]*between\n<!-- bench:cost -->\nkept\n<!-- \/bench -->\nafter$/,
	);
	expect(refreshText(refreshed, { pfx: part })).toBe(refreshed);
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

test("scales put the ends of an axis at its ends and mark round figures between", () => {
	const linear = linearScale(87, [0, 100]);
	expect(linear.ticks).toEqual([0, 25, 50, 75, 100]);
	expect(linear.at(100)).toBe(100);
	const log = logScale([2, 40_000], [0, 100]);
	expect([log.at(1), log.at(100_000)]).toEqual([0, 100]);
	expect(log.at(1000)).toBeCloseTo(60);
	const both = logScale([0.5, 30], [0, 100]);
	expect(both.ticks.map((tick) => Number(tick.toPrecision(3)))).toEqual([0.3, 1, 3, 10, 30]);
});

test("a chart becomes SVG with every name in it, escaped, and a mark for every figure", () => {
	const svg = drawChart({
		kind: "lines",
		file: "x",
		title: "a < b & c",
		subtitle: "s",
		x: { label: "clients", log: true },
		y: { label: "ms", log: true },
		series: [
			{
				name: "one",
				points: [
					[1, 5],
					[2, 9],
					[64, 300],
				],
			},
			{
				name: "two",
				points: [
					[1, 5],
					[64, 301],
				],
			},
		],
	});
	expect(svg).toContain("a &lt; b &amp; c");
	expect(svg.match(/<circle/g)).toHaveLength(5);
	expect(svg).not.toMatch(/NaN|Infinity|undefined/);
	const ends = ["one", "two"].map((name) => Number(new RegExp(`y="([0-9.]+)"[^>]*>${name}<`).exec(svg)?.[1]));
	expect(Math.abs(ends[0]! - ends[1]!)).toBeGreaterThanOrEqual(15);
});
