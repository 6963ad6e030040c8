import type { LineChart } from "../../../bench/plot/chart.ts";
import type { ceilings } from "./capacity.ts";
import type { CallName } from "./service-times.ts";
import type { Queueing } from "./simulate.ts";
import { DATABASES, enough, type SpreadRun, VARIANTS } from "./spread-load.ts";
import { figure, markdownTable } from "./tables.ts";

const percent = (share: number) => `${figure(100 * share)} %`;

export function ceilingTable(rows: ReturnType<typeof ceilings>, shares: Record<CallName, number>): string {
	const all = Object.values(shares).reduce((sum, share) => sum + share, 0);
	return markdownTable(
		[
			"call",
			"ms of its database",
			"rows read / written",
			"a second, at most",
			"share of one database's time at the peak of 10⁸ codes a year",
		],
		[
			...rows.map(({ call, ms, rows, most }) => [
				`\`${call}\``,
				figure(ms),
				rows,
				figure(most),
				percent(shares[call]),
			]),
			["all", "", "", "", percent(all)],
		],
	);
}

export function databasesTable(runs: readonly SpreadRun[]): string {
	const p99 = (variant: string, databases: number) => {
		const run = runs.find((run) => run.variant === variant && run.queueing.databases === databases)!;
		const { all, utilisation } = run.queueing;
		return utilisation.busiest > 0.97 ? "does not keep up" : figure(all.p99);
	};
	const least = (variant: string, budget: number) =>
		enough(
			runs.filter((run) => run.variant === variant),
			budget,
		) ?? `> ${DATABASES.at(-1)}`;
	return markdownTable(
		["p99 in queues a call, ms", ...VARIANTS.map(({ name }) => name)],
		[
			...DATABASES.map((databases) => [
				`${databases} database${databases > 1 ? "s" : ""}`,
				...VARIANTS.map(({ name }) => p99(name, databases)),
			]),
			...[50, 10].map((budget) => [
				`enough for ≤ ${budget} ms`,
				...VARIANTS.map(({ name }) => least(name, budget)),
			]),
		],
	);
}

/** @param run - of the size that bytes ask for. */
export function callsTable({ queueing }: SpreadRun): string {
	const row = (name: string, { p50, p99, p999 }: Queueing["byKind"][string]) => [
		name,
		figure(p50),
		figure(p99),
		figure(p999),
	];
	return markdownTable(
		[`ms in queues, ${queueing.databases} databases`, "p50", "p99", "p99.9"],
		[
			...Object.entries(queueing.byKind).map(([kind, waits]) => row(`\`${kind}\``, waits)),
			row("all calls", queueing.all),
		],
	);
}

export function policiesTable(runs: readonly SpreadRun[]): string {
	const sizes = [...new Set(runs.map(({ queueing }) => queueing.databases))];
	const policies = [...new Set(runs.map(({ policy }) => policy))];
	const cell = (policy: string, size: number) => {
		const run = runs.find((run) => run.policy === policy && run.queueing.databases === size)!;
		return `${run.imbalance.toFixed(2)} / ${figure(run.queueing.worstP99)} ms`;
	};
	return markdownTable(
		["fullest database over the mean / its p99", ...sizes.map((size) => `${size} databases`)],
		policies.map((policy) => [policy, ...sizes.map((size) => cell(policy, size))]),
	);
}

/** A logarithmic axis has no zero. */
const shown = (ms: number) => Math.max(ms, 0.05);

export function databasesChart(runs: readonly SpreadRun[]): LineChart {
	const kept = runs.filter(({ queueing }) => queueing.utilisation.busiest <= 0.97);
	return {
		kind: "lines",
		file: "scaling-databases",
		title: "How many databases the queues ask for",
		subtitle: "10⁸ codes a year of 10,000 partners, busiest hour; 99th percentile of a call's time in queues",
		x: { label: "databases", log: true },
		y: { label: "p99 in queues, ms", log: true },
		series: VARIANTS.map(({ name }) => ({
			name,
			points: kept
				.filter(({ variant }) => variant === name)
				.map(({ queueing }): [number, number] => [queueing.databases, shown(queueing.all.p99)]),
		})).filter(({ points }) => points.length > 0),
	};
}

export function utilisationChart(runs: readonly Queueing[]): LineChart {
	const line = (name: string, of: (run: Queueing) => number) => ({
		name,
		points: runs.map((run): [number, number] => [100 * run.utilisation.mean, shown(of(run))]),
	});
	return {
		kind: "lines",
		file: "scaling-utilisation",
		title: "One database under a growing load",
		subtitle: "time in queues a call, over the share of the time that the database works",
		x: { label: "utilisation, %" },
		y: { label: "time in queues, ms", log: true },
		series: [
			line("p99.9", ({ all }) => all.p999),
			line("p99", ({ all }) => all.p99),
			line("mean", ({ all }) => all.mean),
		],
	};
}

export function policiesChart(runs: readonly SpreadRun[]): LineChart {
	const policies = [...new Set(runs.map(({ policy }) => policy))];
	return {
		kind: "lines",
		file: "scaling-policies",
		title: "How even the spread is",
		subtitle: "load of the fullest database over the mean, 10,000 partners",
		x: { label: "databases", log: true },
		y: { label: "fullest / mean" },
		series: policies.map((policy) => ({
			name: policy,
			points: runs
				.filter((run) => run.policy === policy)
				.map((run): [number, number] => [run.queueing.databases, run.imbalance]),
		})),
	};
}
