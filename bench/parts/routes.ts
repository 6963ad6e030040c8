import { median } from "simple-statistics";
import { barChart, type Chart } from "../chart.ts";
import type { Timing } from "../http.ts";
import { withCpuOf } from "../machine.ts";
import { compareSamples, interleaveWarm, type Measure, type Part } from "../measure.ts";
import {
	bulk,
	claim,
	createCodes,
	createPartner,
	readPage,
	readStatus,
	requestCertificate,
	validateCodes,
} from "../partner.ts";
import { bareBulk, bareFor, CLAIMING, READING, REQUESTING, recordCall, type Shape } from "../record-calls.ts";
import { type BenchService, startService } from "../service.ts";
import { liftEmissionLimit } from "../trace.ts";
import { createB2bPartner, type Receiver, startReceiver } from "../webhook-partner.ts";
import type { BareCall } from "../worker/bare-calls.ts";

const BULK = 500;
const WARM_UP = 5;

/** A call of the API and the same without everything but its remote steps. */
interface Pair {
	name: string;
	ours: (round: number) => Promise<Timing>;
	bare: (round: number) => Promise<Timing>;
}

/** Each call of the API against a route that only makes its round trips to D1 and objects (bare-calls.ts). */
export const measureRoutes: Part = async ({ quick }) => {
	const service = await startService();
	await liftEmissionLimit(service);
	const receiver = await startReceiver();
	try {
		const rounds = quick ? 10 : 120;
		const measures: Measure[] = [];
		for (const pair of await preparePairs(service, receiver, rounds + WARM_UP))
			measures.push(...(await comparePair(service, pair, rounds)));
		return { measures, charts: [draw(measures)] };
	} finally {
		await receiver.stop();
		await service.stop();
	}
};

async function comparePair(
	service: BenchService,
	{ name, ours, bare }: Pair,
	rounds: number,
): Promise<Measure[]> {
	const cpu: number[][] = [[], []];
	const contenders = [ours, bare].map((act, side) => async (round: number) => {
		const { result, cpuMs } = await withCpuOf(service.workerd, () => act(round));
		cpu[side]!.push(cpuMs);
		return result.ms;
	});
	const ms = await interleaveWarm(WARM_UP, rounds, contenders);
	return [
		compareSamples(`${name} / its round trips alone`, "ms", ms),
		compareSamples(
			`${name} / its round trips alone, workerd's CPU`,
			"ms",
			cpu.map((values) => values.slice(WARM_UP)),
			median,
		),
	];
}

async function preparePairs(service: BenchService, receiver: Receiver, n: number): Promise<Pair[]> {
	const partner = await createPartner(service, { key_algorithm: "ec-p256" });
	const send = (call: string, body: BareCall) =>
		service.http.expect(200, { method: "POST", path: `/bench/bare?call=${call}`, body });
	const record = (name: string, shape: Shape, act: () => Promise<unknown>) =>
		recordCall(service, name, shape, act);

	const codes = await createCodes(service, partner, 2 * n + 1);
	const nothing: BareCall = { partner: partner.id, code: "", replace: [] };
	await record("status", READING, () => readStatus(service, partner, codes[0]!));
	await record("list", READING, () => readPage(service, partner));
	const bulkTrips = await record("bulk", READING, () => bulk(service, partner, BULK));

	const requestOne = (i: number) => requestCertificate(service, partner, codes[i]!, i);
	const requestTrips = await record("request", REQUESTING, () => requestOne(2 * n));
	const validated = await validateCodes(service, partner, 2 * n + 1);
	const codeOf = (i: number) => validated[i]!.claim.p_code;
	const claimTrips = await record("claim", CLAIMING, () => claim(service, validated[2 * n]!));

	const b2bPartner = await createB2bPartner(service, receiver, { key_algorithm: "ec-p256" });
	const b2b = await createCodes(service, b2bPartner, 2 * n + 2);
	const requestB2b = (i: number) => requestCertificate(service, b2bPartner, b2b[i]!, 5_000 + i);
	await requestB2b(2 * n + 1);
	const delivery = { url: receiver.url, bytes: receiver.lastBytes() };
	const b2bShape = { ...REQUESTING, syncs: true, webhook: delivery };
	const b2bTrips = await record("request-b2b", b2bShape, () => requestB2b(2 * n));

	return [
		{
			name: "status",
			ours: () => readStatus(service, partner, codes[0]!),
			bare: () => send("status", nothing),
		},
		{ name: "pcodes, 50", ours: () => readPage(service, partner), bare: () => send("list", nothing) },
		{
			name: "pcode/bulk, 500",
			ours: () => bulk(service, partner, BULK),
			bare: () => send("bulk", bareBulk(partner, bulkTrips, BULK)),
		},
		{
			name: "certificate_request",
			ours: requestOne,
			bare: (i) => send("request", bareFor(partner, requestTrips, codes[2 * n]!, codes[n + i]!)),
		},
		{
			name: "certificate_claim, P-256",
			ours: (i) => claim(service, validated[i]!),
			bare: (i) => send("claim", bareFor(partner, claimTrips, codeOf(2 * n), codeOf(n + i))),
		},
		{
			name: "certificate_request B2B, P-256",
			ours: requestB2b,
			bare: (i) => send("request-b2b", bareFor(b2bPartner, b2bTrips, b2b[2 * n]!, b2b[n + i]!)),
		},
	];
}

function draw(measures: readonly Measure[]): Chart {
	const bars = (of: (name: string) => boolean) => measures.filter(({ name }) => of(name));
	const isCpu = (name: string) => name.endsWith("CPU");
	const times = bars((name) => !isCpu(name));
	const cpu = bars(isCpu);
	return barChart({
		file: "bench-routes",
		title: "A call divided by its round trips alone",
		subtitle:
			"The base line sends the same statements in the same batches through the same objects, and does nothing else",
		x: { label: "ratio" },
		reference: { at: 1, label: "nothing but round trips" },
		groups: times.map(({ name, ratio, interval }, i) => ({
			name: name.split(" / ")[0]!,
			bars: [
				{ name: "time", value: ratio, ...(interval && { interval }), text: `${ratio.toFixed(1)} ×` },
				{ name: "CPU", value: cpu[i]!.ratio, text: `${cpu[i]!.ratio.toFixed(1)} ×` },
			],
		})),
	});
}
