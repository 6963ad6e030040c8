import { barChart, type Chart } from "../chart.ts";
import type { Table } from "../measure.ts";
import { OBJECT_GIGABYTES, PRICES } from "../price-list.ts";

/** Platform use of one certificate, its share of a bulk included. */
export interface CertificateUse {
	name: string;
	requests: number;
	/** CPU of the whole process: an upper bound, since the platform bills no CPU for objects and SQLite. */
	cpuMs: number;
	d1RowsRead: number;
	d1RowsWritten: number;
	/** Growth of the database, its code's own row not included. */
	bytes: number;
	objectRequests: number;
	objectMs: number;
	objectRowsRead: number;
	objectRowsWritten: number;
	queueOperations: number;
	emails: number;
}

interface Line {
	what: string;
	price: number;
	/** The price as text: US$ and the unit. */
	priceText: string;
	of(use: CertificateUse): number;
}

const YEAR_MONTHS = 12;
const GIGABYTE = 1e9;

const LINES: Line[] = [
	line("requests to the Worker", PRICES.workerRequest, (use) => use.requests),
	line("CPU, ms", PRICES.workerCpuMs, (use) => use.cpuMs),
	line("D1 rows read", PRICES.d1RowRead, (use) => use.d1RowsRead),
	line("D1 rows written", PRICES.d1RowWritten, (use) => use.d1RowsWritten),
	line("object requests, alarms among them", PRICES.objectRequest, (use) => use.objectRequests),
	line(
		"object duration, GB-s",
		PRICES.objectGigabyteSecond,
		(use) => (use.objectMs / 1000) * OBJECT_GIGABYTES,
	),
	line("object storage, rows read", PRICES.objectRowRead, (use) => use.objectRowsRead),
	line("object storage, rows written", PRICES.objectRowWritten, (use) => use.objectRowsWritten),
	line("queue operations", PRICES.queueOperation, (use) => use.queueOperations),
	line("log lines", PRICES.logEvent, (use) => use.requests),
	line("data points", PRICES.dataPoint, (use) => use.requests),
	{
		what: "e-mails",
		price: PRICES.email,
		priceText: "0.35 a thousand",
		of: (use) => use.emails,
	},
	{
		what: "D1 storage for a year, GB-months",
		price: PRICES.d1GigabyteMonth,
		priceText: "0.75",
		of: (use) => (use.bytes / GIGABYTE) * YEAR_MONTHS,
	},
];

function line(what: string, price: number, of: Line["of"]): Line {
	return { what, price, priceText: `${Number((price * 1e6).toPrecision(6))} a million`, of };
}

/** US$ for 1,000 certificates. */
function cost({ price, of }: Line, use: CertificateUse): number {
	return price * of(use) * 1000;
}

function total(use: CertificateUse): number {
	return LINES.reduce((sum, line) => sum + cost(line, use), 0);
}

/** One row a line of the bill, a certificate's use and US$ per 1,000 certificates for each way. */
export function costTable(uses: readonly CertificateUse[]): Table {
	return {
		heading: "US$ per 1,000 certificates at list prices, nothing deducted",
		columns: ["", "US$", ...uses.flatMap(({ name }) => [name, "US$ per 1,000"])],
		rows: [
			...LINES.map((line) => [
				line.what,
				line.priceText,
				...uses.flatMap((use) => [amount(line.of(use)), dollars(cost(line, use))]),
			]),
			["together", "", ...uses.flatMap((use) => ["", dollars(total(use))])],
		],
	};
}

export function costChart(uses: readonly CertificateUse[]): Chart {
	const worth = (line: Line) => Math.max(...uses.map((use) => cost(line, use)));
	const bars = (of: (use: CertificateUse) => number) =>
		uses.map((use) => {
			const value = of(use);
			return { name: use.name, value, text: value === 0 ? "none" : `$${dollars(value)}` };
		});
	const shown = LINES.filter((line) => worth(line) >= 0.001).toSorted((a, b) => worth(b) - worth(a));
	return barChart({
		file: "bench-cost",
		title: "What 1,000 certificates cost",
		subtitle:
			"US$ at list prices, from measured use; bulk share, request, claim, three status calls, a page of the list",
		x: { label: "US$ per 1,000 certificates", log: true },
		groups: [
			{ name: "together", bars: bars(total) },
			...shown.map((line) => ({ name: line.what.split(",")[0]!, bars: bars((use) => cost(line, use)) })),
		],
	});
}

export function costSummary(uses: readonly CertificateUse[]): string {
	const totals = uses.map((use) => `${use.name} ${dollars(total(use))}`);
	return `US$ per 1,000 certificates at the platform's list prices: ${totals.join("; ")}.`;
}

function amount(value: number): string {
	if (value === 0) return "0";
	return value < 1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 1 : 0);
}

function dollars(value: number): string {
	return value === 0 ? "0" : value < 0.01 ? value.toFixed(5) : value.toFixed(3);
}
