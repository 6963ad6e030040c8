import { median } from "simple-statistics";
import { HttpClient } from "../http.ts";
import { withCpuOf } from "../machine.ts";
import { compare, compareSamples, interleave, type Part } from "../measure.ts";
import { createCodes, createPartner } from "../partner.ts";
import { startService } from "../service.ts";

const AIM = { atLeast: 0.7 };
const CONNECTIONS = 8;
const TURN_MS = 500;

/** status against a route without a router that sends the same statement, both as fast as eight connections ask. */
export const measureStatus: Part = async ({ quick }) => {
	const service = await startService();
	const http = new HttpClient(service.url, CONNECTIONS);
	const cpu: number[][] = [];
	try {
		const partner = await createPartner(service);
		const [code] = await createCodes(service, partner, 1);
		/** Answers a second; notes workerd's CPU time an answer. */
		const turn = (path: string, headers: Record<string, string>, index: number) => async () => {
			const started = performance.now();
			let answered = 0;
			const connection = async () => {
				for (; performance.now() - started < TURN_MS; answered++) await http.expect(200, { path, headers });
			};
			const { cpuMs } = await withCpuOf(service.workerd, () =>
				Promise.all(Array.from({ length: CONNECTIONS }, connection)),
			);
			cpu[index] = [...(cpu[index] ?? []), cpuMs / answered];
			return (answered * 1000) / (performance.now() - started);
		};
		const path = `/api/partners/v1/status?p_code=${code}`;
		const key = { "x-gw": partner.apiKey };
		const contenders = [
			turn(path, key, 0),
			turn(`/bench/read?partner=${partner.id}&p_code=${code}`, {}, 1),
			turn(path, { ...key, "x-bench-rate-limit": "simulated" }, 2),
			turn("/bench/waits", {}, 3),
		];
		await interleave(2, contenders);
		cpu.length = 0;
		const rounds = quick ? 3 : 24;
		const rates = await interleave(rounds, contenders);
		const [, base, simulated, empty] = rates.map(median) as [number, number, number, number];
		const [oursCpu, baseCpu] = cpu.map(median) as [number, number];
		const note = `medians of ${rounds} turns, ${CONNECTIONS} connections`;
		const both = rates.slice(0, 2);
		return {
			measures: [
				compareSamples("status / bare route, the same D1 read", "/s", both, median, { aim: AIM, note }),
				compare({
					name: "the same, workerd's CPU a call",
					unit: "ms",
					ours: oursCpu,
					base: baseCpu,
					ratio: baseCpu / oursCpu,
					note: "ratio turned round",
				}),
				compare({
					name: "the same, Miniflare simulating the rate limit",
					unit: "/s",
					ours: simulated,
					base,
				}),
			],
			tables: [
				{
					heading: "For scale",
					columns: ["", "/s"],
					rows: [["a route that does nothing", empty.toFixed(0)]],
				},
			],
		};
	} finally {
		await http.close();
		await service.stop();
	}
};
