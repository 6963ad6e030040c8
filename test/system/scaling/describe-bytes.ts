import type { LineChart } from "../../../bench/plot/chart.ts";
import { DATABASE_BYTES, databasesFor, FILL, GIGABYTE, type Weights } from "./capacity.ts";
import type { Bytes } from "./measure-bytes.ts";
import { figure, markdownTable } from "./tables.ts";

const MONTH_CODES = [1e5, 1e6, 1e7, 1e8] as const;
const UNUSED_SHARE = 0.15;

/** Of each table the octets that a code takes in it. */
export function bytesTable({ unused, issued, withoutLeaf }: Bytes): string {
	const tables = Object.keys(issued).sort((a, b) => issued[b]! - issued[a]!);
	const cell = (bytes: Record<string, number>, table: string) => bytes[table] ?? 0;
	const sum = (bytes: Record<string, number>) => Object.values(bytes).reduce((total, n) => total + n, 0);
	return markdownTable(
		["octets a code, indexes included", "unused", "with its certificate", "the same, leaf in R2"],
		[
			...tables.map((table) => [
				`\`${table}\``,
				cell(unused, table),
				cell(issued, table),
				cell(withoutLeaf, table),
			]),
			["all", sum(unused), sum(issued), sum(withoutLeaf)],
		],
	);
}

/** When 10 GB are full, and how many databases so many codes need. */
export function capacityTable(weights: Weights): string {
	const { issued, withoutLeaf } = weights;
	const months = (codesAYear: number, each: number) => figure((12 * DATABASE_BYTES) / each / codesAYear);
	const databases = (codes: number, each: number) => databasesFor(codes, weights, each, UNUSED_SHARE);
	return markdownTable(
		[
			"codes",
			"10 GB are full after, at so many certificates a year",
			"the same, leaf in R2",
			`databases for so many codes, ${100 * FILL} % full`,
			"the same, leaf in R2",
		],
		MONTH_CODES.map((codes) => [
			codes.toLocaleString("en-GB"),
			`${months(codes, issued)} months`,
			`${months(codes, withoutLeaf)} months`,
			databases(codes, issued),
			databases(codes, withoutLeaf),
		]),
	);
}

export function bytesChart({ unused, issued, withoutLeaf }: Weights): LineChart {
	const line = (name: string, each: number): LineChart["series"][number] => ({
		name,
		points: [1e5, 1e6, 1e7, 1e8].map((codes) => [codes, (codes * each) / GIGABYTE]),
	});
	return {
		kind: "lines",
		file: "scaling-bytes",
		title: "Where 10 GB bind",
		subtitle: "GB of D1 over codes in the register, measured octets a code",
		x: { label: "codes", log: true },
		y: { label: "GB", log: true },
		series: [
			line("with certificate", issued),
			line("with certificate, leaf in R2", withoutLeaf),
			line("unused", unused),
			{
				name: "one database",
				points: [
					[1e5, 10],
					[1e8, 10],
				],
			},
		],
	};
}
