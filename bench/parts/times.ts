import type { Reply } from "../http.ts";
import { describeMachine } from "../machine.ts";
import type { Part } from "../measure.ts";
import {
	type BenchPartner,
	bulk,
	claim,
	createCodes,
	createPartner,
	dniOf,
	PIN,
	readPage,
	readStatus,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { type CallTimes, NOTES, type ServiceTimes, summarise, type TracedCall } from "../service-times.ts";
import { drawCodes, SHARED_REFERENCE, seedStock } from "../stock.ts";
import { figure, type Table } from "../table.ts";
import { liftEmissionLimit, startRecording, traceCall } from "../trace.ts";

const WARM_UP = 10;

/** What each call takes, alone on the machine: whole, in D1, in its objects; and how the database grows. */
export const measureTimes: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const codes = quick ? 10_000 : 100_000;
		const partner = await createPartner(service);
		await seedStock(service.db, partner.id, codes, Date.now());
		await liftEmissionLimit(service);
		const serviceTimes: ServiceTimes = {
			at: new Date().toISOString(),
			machine: describeMachine().text,
			codes,
			notes: NOTES,
			...(await timeCalls(service, partner, codes, quick ? 30 : 300)),
		};
		return { measures: [], tables: [tell(serviceTimes)], serviceTimes };
	} finally {
		await service.stop();
	}
};

async function timeCalls(service: BenchService, partner: BenchPartner, stock: number, n: number) {
	const repeat = async (times: number, act: (i: number) => Promise<Reply>) => {
		const traced: TracedCall[] = [];
		for (let i = 0; i < times + WARM_UP; i++) traced.push(await traceCall(service, () => act(i)));
		return traced.slice(WARM_UP);
	};
	await startRecording(service);
	const drawn = await drawCodes(service.db, partner.id, stock, n + WARM_UP);
	const status = await repeat(n, (i) => readStatus(service, partner, drawn[i % drawn.length]!));
	const list = await repeat(n, () => readPage(service, partner));
	const filters = { status: "validado", external_reference_id: SHARED_REFERENCE };
	const listFiltered = await repeat(n, () => readPage(service, partner, filters));
	const bulks = await repeat(Math.ceil(n / 5), () => bulk(service, partner, 500));

	const own = await createCodes(service, partner, n + WARM_UP);
	const request = await repeat(n, (i) => requestCertificate(service, partner, own[i]!, i));
	const claims = await repeat(n, (i) =>
		claim(service, { partner, claim: { p_code: own[i]!, dni: dniOf(i), pin: PIN } }),
	);
	return {
		calls: {
			status: summarise(status),
			list: summarise(list),
			listFiltered: summarise(listFiltered),
			bulk: summarise(bulks),
			request: summarise(request),
			claim: summarise(claims),
		},
		bytesPerCode: Math.round(grownBy(bulks) / ((bulks.length - 1) * 500)),
		bytesPerCertificate: Math.round(
			grownBy(request) / (request.length - 1) + grownBy(claims) / (claims.length - 1),
		),
	};
}

/** Octets between the first call's end and the last one's. */
function grownBy(calls: readonly TracedCall[]): number {
	const size = (call: TracedCall) => call.trips.at(-1)!.sizeAfter;
	return size(calls.at(-1)!) - size(calls[0]!);
}

function tell({ calls, codes, bytesPerCode, bytesPerCertificate }: ServiceTimes): Table {
	const row = (name: string, { total, d1, objectMs, cpuMs }: CallTimes) => [
		name,
		...[total.p50, total.p95, total.p99].map(figure),
		String(d1.roundTrips),
		...[d1.msPerCall.p50, d1.sqlMs.p50].map(figure),
		String(d1.rowsRead),
		String(d1.rowsWritten),
		figure(objectMs),
		figure(cpuMs),
	];
	return {
		heading: `One call at a time, ${codes.toLocaleString("en")} codes; ${bytesPerCode} octets a code, ${bytesPerCertificate} more a certificate`,
		columns: [
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
		],
		rows: Object.entries(calls).map(([name, times]) => row(name, times)),
	};
}
