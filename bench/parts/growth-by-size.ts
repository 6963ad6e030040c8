import { median, quantile } from "simple-statistics";
import type { Timing } from "../http.ts";
import { compareSamples, interleaveWarm, type Measure, type Table } from "../measure.ts";
import {
	type BenchPartner,
	bulk,
	claim,
	claimOf,
	createCodes,
	createPartner,
	readPage,
	readStatus,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { drawCodes, seedStock } from "../stock.ts";
import { figure } from "../table.ts";
import { liftEmissionLimit, startRecording, stopRecording, traceCall } from "../trace.ts";

const WARM_UP = 4;

/** A database of its own, in a workerd of its own: so many partners with as many codes each. */
export interface Size {
	/** Number that sizes are compared by. */
	x: number;
	label: string;
	partners: number;
	codesEach: number;
}

/** One call at every size. */
export interface Series {
	call: string;
	/** Medians by size, milliseconds. */
	medians: number[];
	p95: number[];
	rowsRead: number[];
	/** Ratio of each size's median to the first one's, with its 95 % interval. */
	ratios: Measure[];
}

interface Stand {
	size: Size;
	service: BenchService;
	/** The first of them are warm: their keys are cached. */
	partners: BenchPartner[];
	/** A code to be read and one to be redeemed, by round. */
	read: string[];
	fresh: string[];
}

/** Makes the calls at all sizes in turn and compares each size with the first. */
export async function compareSizes(sizes: readonly Size[], rounds: number): Promise<Series[]> {
	const stands: Stand[] = [];
	try {
		for (const size of sizes) stands.push(await setUp(size, rounds + WARM_UP + 1));
		const series: Series[] = [];
		for (const [call, act] of Object.entries(CALLS))
			series.push(await compareCall(stands, call, act, rounds));
		return series;
	} finally {
		await Promise.all(stands.map(({ service }) => service.stop()));
	}
}

type Act = (stand: Stand, partner: BenchPartner, round: number) => Promise<Timing>;

const CALLS: Record<string, Act> = {
	status: ({ service, read }, partner, i) => readStatus(service, partner, read[i]!),
	"pcodes, page 1": ({ service }, partner) => readPage(service, partner),
	"pcodes, validado": ({ service }, partner) => readPage(service, partner, { status: "validado" }),
	"pcode/bulk, 10": ({ service }, partner) => bulk(service, partner, 10),
	certificate_request: ({ service, fresh }, partner, i) => requestCertificate(service, partner, fresh[i]!, i),
	"certificate_claim, P-256": ({ service, fresh }, partner, i) =>
		claim(service, claimOf(partner, fresh[i]!, i)),
};

async function setUp(size: Size, rounds: number): Promise<Stand> {
	const service = await startService();
	await liftEmissionLimit(service);
	const stand: Stand = { size, service, partners: [], read: [], fresh: [] };
	for (let i = 0; i < size.partners; i++) {
		const partner = await createPartner(service, { key_algorithm: "ec-p256" });
		await seedStock(service.db, partner.id, size.codesEach, Date.now());
		stand.partners.push(partner);
	}
	const used = stand.partners.slice(0, rounds);
	const each = Math.ceil(rounds / used.length);
	const drawn = await Promise.all(used.map(({ id }) => drawCodes(service.db, id, size.codesEach, each)));
	const made: string[][] = [];
	for (const partner of used) made.push(await createCodes(service, partner, each));
	for (let i = 0; i < rounds; i++) {
		const nth = Math.floor(i / used.length);
		stand.read.push(drawn[i % used.length]![nth]!);
		stand.fresh.push(made[i % used.length]![nth]!);
	}
	return stand;
}

async function compareCall(
	stands: readonly Stand[],
	call: string,
	act: Act,
	rounds: number,
): Promise<Series> {
	for (const { service, partners, read } of stands)
		for (const [i, partner] of partners.slice(0, rounds + WARM_UP + 1).entries())
			await readStatus(service, partner, read[i]!);
	const actOf = (stand: Stand, round: number) =>
		act(stand, stand.partners[round % stand.partners.length]!, round);
	const contenders = stands.map((stand) => async (round: number) => (await actOf(stand, round)).ms);
	const samples = await interleaveWarm(WARM_UP, rounds, contenders);
	const rowsRead: number[] = [];
	for (const stand of stands) {
		await startRecording(stand.service);
		const { trips } = await traceCall(stand.service, () => actOf(stand, rounds + WARM_UP));
		rowsRead.push(trips.reduce((sum, trip) => sum + trip.rowsRead, 0));
		await stopRecording(stand.service);
	}
	return {
		call,
		medians: samples.map(median),
		p95: samples.map((values) => quantile(values, 0.95)),
		rowsRead,
		ratios: stands.map(({ size }, i) =>
			compareSamples(`${call}: ${size.label} / ${stands[0]!.size.label}`, "ms", [samples[i]!, samples[0]!]),
		),
	};
}

/** Medians by size, the 95th percentile in brackets, and the rows read where they differ. */
export function describeSeries(heading: string, sizes: readonly Size[], series: readonly Series[]): Table {
	return {
		heading,
		columns: ["ms: median (p95)", ...sizes.map(({ label }) => label), "rows read"],
		rows: series.map(({ call, medians, p95, rowsRead }) => [
			call,
			...medians.map((ms, i) => `${figure(ms)} (${figure(p95[i]!)})`),
			[...new Set(rowsRead)].length === 1 ? String(rowsRead[0]) : rowsRead.join(", "),
		]),
	};
}
