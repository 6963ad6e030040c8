import { type Chart, lineChart } from "../chart.ts";
import { compareSamples, type Measure, type Part, type Table } from "../measure.ts";
import { figure } from "../table.ts";
import { type Load, loadByClients, rateOf } from "./growth-by-clients.ts";
import { compareSizes, describeSeries, type Series, type Size } from "./growth-by-size.ts";

const byCodes = (codes: number): Size => ({
	x: codes,
	label: `${codes.toLocaleString("en")} codes`,
	partners: 1,
	codesEach: codes,
});

const byPartners =
	(total: number) =>
	(partners: number): Size => ({
		x: partners,
		label: partners === 1 ? "1 partner" : `${partners} partners`,
		partners,
		codesEach: total / partners,
	});

/** Measures growth with the codes, with the number of partners at a constant total, and with clients at once. */
export const measureGrowth: Part = async ({ quick }) => {
	const rounds = quick ? 8 : 60;
	const codes = (quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]).map(byCodes);
	const partners = (quick ? [1, 10] : [1, 10, 50, 200]).map(byPartners(quick ? 10_000 : 100_000));
	const levels = quick ? [1, 4, 16] : [1, 2, 4, 8, 16, 32, 64];
	const ofCodes = await compareSizes(codes, rounds);
	const ofPartners = await compareSizes(partners, rounds);
	const loads = await loadByClients({ levels, rounds: quick ? 1 : 5, turnMs: quick ? 500 : 1_500 });
	return {
		measures: [
			...lastOf(ofCodes),
			...lastOf(ofPartners),
			rates("status", loads.status),
			rates("request → claim", loads.mix),
		],
		tables: [
			describeSeries("One partner's codes, medians", codes, ofCodes),
			describeSeries("The same number of codes, spread over partners, medians", partners, ofPartners),
			describeLoads("status, clients at once", loads.status),
			describeLoads(
				"certificate_request and its certificate_claim (P-256) in turn, clients at once",
				loads.mix,
			),
		],
		charts: [
			drawGrowth("bench-codes", "Latency as codes are added", codes, ofCodes, "codes in the database"),
			drawGrowth("bench-partners", "Latency as partners share a database", partners, ofPartners, "partners"),
			drawRates(loads),
			drawLatency("bench-latency-status", "Latency of status under load", loads.status),
			drawLatency("bench-latency-mix", "Latency of request and claim under load", loads.mix),
		],
	};
};

/** The largest database against the smallest. */
function lastOf(series: readonly Series[]): Measure[] {
	return series.map(({ ratios }) => ratios.at(-1)!);
}

function rates(what: string, loads: readonly Load[]): Measure {
	const [one, most] = [loads[0]!, loads.at(-1)!];
	const name = `${what}: ${most.clients} clients / 1 client, answers a second`;
	return compareSamples(name, "/s", [most.rates, one.rates]);
}

function describeLoads(heading: string, loads: readonly Load[]): Table {
	const first = rateOf(loads[0]!);
	return {
		heading,
		columns: ["clients", "answers a second", "to one client", "p50, ms", "p95, ms", "p99, ms"],
		rows: loads.map((load) => [
			String(load.clients),
			figure(rateOf(load)),
			(rateOf(load) / first).toFixed(2),
			...[load.ms.p50, load.ms.p95, load.ms.p99].map(figure),
		]),
	};
}

function drawGrowth(
	file: string,
	title: string,
	sizes: readonly Size[],
	series: readonly Series[],
	label: string,
): Chart {
	return lineChart({
		file,
		title,
		subtitle: `Median of each call divided by its median at ${sizes[0]!.label}; one run, taking turns`,
		x: { label, log: true },
		y: { label: `× of ${sizes[0]!.label}` },
		series: series.map(({ call, ratios }) => ({
			name: call,
			points: ratios.map(({ ratio }, i) => [sizes[i]!.x, ratio]),
		})),
	});
}

function drawRates({ status, mix }: { status: Load[]; mix: Load[] }): Chart {
	return lineChart({
		file: "bench-clients",
		title: "Answers a second as clients are added",
		subtitle:
			"Two cores shared by workerd, its database and the clients; objects and Worker run on one thread",
		x: { label: "clients at once", log: true },
		y: { label: "answers a second", log: true },
		series: [
			{ name: "status", points: status.map((load) => [load.clients, rateOf(load)]) },
			{ name: "request → claim (P-256)", points: mix.map((load) => [load.clients, rateOf(load)]) },
		],
	});
}

function drawLatency(file: string, title: string, loads: readonly Load[]): Chart {
	const line = (name: "p50" | "p95" | "p99") => ({
		name,
		points: loads.map(({ clients, ms }): [number, number] => [clients, ms[name]]),
	});
	return lineChart({
		file,
		title,
		subtitle: "Closed loop: each client asks again as soon as it is answered",
		x: { label: "clients at once", log: true },
		y: { label: "milliseconds", log: true },
		series: [line("p99"), line("p95"), line("p50")],
	});
}
