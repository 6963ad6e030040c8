import { mean, median, quantile } from "simple-statistics";
import type { Timing } from "../http.ts";
import type { Part } from "../measure.ts";
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
import { drawCodes, SHARED_REFERENCE, seedStock } from "../stock.ts";
import { figure } from "../table.ts";
import { liftEmissionLimit, startRecording, type TracedCall, traceCall } from "../trace.ts";
import type { RoundTrip } from "../worker/round-trips.ts";

const WARM_UP = 10;
const BULK = 500;
const COLUMNS = [
	"ms",
	"p50",
	"p95",
	"p99",
	"D1 trips",
	"in D1",
	"in SQLite",
	"rows read",
	"rows written",
	"in objects",
	"CPU",
];

/** Measures each call alone on the machine: whole, in D1, in its objects; and the growth of the database. */
export const measureTimes: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const codes = quick ? 10_000 : 100_000;
		const partner = await createPartner(service);
		await seedStock(service.db, partner.id, codes, Date.now());
		await liftEmissionLimit(service);
		const calls = await traceCalls(service, partner, codes, quick ? 30 : 300);
		const perCode = grownBy(calls.bulk) / ((calls.bulk.length - 1) * BULK);
		const perCertificate = [calls.request, calls.claim].reduce(
			(sum, traced) => sum + grownBy(traced) / (traced.length - 1),
			0,
		);
		const growth = `${perCode.toFixed(0)} bytes a code, ${perCertificate.toFixed(0)} more a certificate`;
		const heading = `One call at a time, ${codes.toLocaleString("en")} codes; ${growth}`;
		const rows = Object.entries(calls).map(([name, traced]) => [name, ...describeCalls(traced)]);
		return { measures: [], tables: [{ heading, columns: COLUMNS, rows }] };
	} finally {
		await service.stop();
	}
};

async function traceCalls(service: BenchService, partner: BenchPartner, stock: number, n: number) {
	const repeat = async (times: number, act: (i: number) => Promise<Timing>) => {
		const traced: TracedCall[] = [];
		for (let i = 0; i < times + WARM_UP; i++) traced.push(await traceCall(service, () => act(i)));
		return traced.slice(WARM_UP);
	};
	await startRecording(service);
	const drawn = await drawCodes(service.db, partner.id, stock, n + WARM_UP);
	const status = await repeat(n, (i) => readStatus(service, partner, drawn[i % drawn.length]!));
	const list = await repeat(n, () => readPage(service, partner));
	const filters = { status: "validado" as const, external_reference_id: SHARED_REFERENCE };
	const listFiltered = await repeat(n, () => readPage(service, partner, filters));
	const bulks = await repeat(Math.ceil(n / 5), () => bulk(service, partner, BULK));

	const own = await createCodes(service, partner, n + WARM_UP);
	const request = await repeat(n, (i) => requestCertificate(service, partner, own[i]!, i));
	const claims = await repeat(n, (i) => claim(service, claimOf(partner, own[i]!, i)));
	return { status, list, listFiltered, bulk: bulks, request, claim: claims };
}

/** Bytes between the first call's end and the last one's. */
function grownBy(calls: readonly TracedCall[]): number {
	const size = (call: TracedCall) => call.trips.at(-1)!.sizeAfter;
	return size(calls.at(-1)!) - size(calls[0]!);
}

/** workerd's clock has whole milliseconds: means of times taken inside are right, percentiles are coarse. */
function describeCalls(calls: readonly TracedCall[]): string[] {
	const total = calls.map(({ ms }) => ms);
	const perCall = (of: (trip: RoundTrip) => number) =>
		calls.map(({ trips }) => trips.reduce((sum, trip) => sum + of(trip), 0));
	const hundredths = (values: number[]) => String(Math.round(mean(values) * 100) / 100);
	return [
		...[0.5, 0.95, 0.99].map((share) => figure(quantile(total, share))),
		mean(calls.map(({ trips }) => trips.length)).toFixed(0),
		figure(median(perCall(({ ms }) => ms))),
		figure(median(perCall(({ sqlMs }) => sqlMs))),
		hundredths(perCall(({ rowsRead }) => rowsRead)),
		hundredths(perCall(({ rowsWritten }) => rowsWritten)),
		figure(mean(calls.map(({ objectMs }) => objectMs))),
		figure(mean(calls.map(({ cpuMs }) => cpuMs))),
	];
}
