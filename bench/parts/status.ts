import { HttpClient } from "../http.ts";
import { compare, interleave, type Part } from "../measure.ts";
import { createCodes, createPartner } from "../partner.ts";
import { startService } from "../service.ts";
import { bootstrapInterval, median } from "../statistics.ts";
import { cpuOf } from "../workerd-process.ts";

const AIM = { atLeast: 0.7 };
const CONNECTIONS = 8;
const TURN_MS = 500;

/** status against a route without a router that reads the same row, both as fast as eight connections ask. */
export const measureStatus: Part = async ({ quick }) => {
	const service = await startService();
	const { workerd } = service;
	const client = new HttpClient(service.url, CONNECTIONS);
	const cpu: Record<string, number[]> = {};
	try {
		const partner = await createPartner(service);
		const [code] = await createCodes(service, partner, 1);
		/** Answers a second; notes workerd's CPU time an answer. */
		const turn = (path: string, headers: Record<string, string>) => async () => {
			const cpuBefore = workerd === null ? Number.NaN : await cpuOf(workerd);
			const started = performance.now();
			let answered = 0;
			const connection = async () => {
				for (; performance.now() - started < TURN_MS; answered++) await client.expect(200, { path, headers });
			};
			await Promise.all(Array.from({ length: CONNECTIONS }, connection));
			const ms = performance.now() - started;
			const key = path + JSON.stringify(headers);
			cpu[key] = cpu[key] ?? [];
			cpu[key].push(((workerd === null ? Number.NaN : await cpuOf(workerd)) - cpuBefore) / answered);
			return (answered * 1000) / ms;
		};
		const path = `/api/partners/v1/status?p_code=${code}`;
		const contenders = [
			turn(path, partner.headers),
			turn(`/bench/read?partner=${partner.id}&p_code=${code}`, {}),
			turn(path, { ...partner.headers, "x-bench-rate-limit": "simulated" }),
			turn("/bench/waits", {}),
		];
		await interleave(2, contenders);
		for (const samples of Object.values(cpu)) samples.length = 0;
		const rounds = quick ? 3 : 24;
		const rates = await interleave(rounds, contenders);
		const [ours, base, simulated, empty] = rates.map(median) as [number, number, number, number];
		const [oursCpu, baseCpu] = Object.values(cpu).map(median) as [number, number];
		const interval = bootstrapInterval(rates.slice(0, 2), ([a, b]) => median(a!) / median(b!));
		const note = `medians of ${rounds} turns, ${CONNECTIONS} connections`;
		return {
			measures: [
				compare({
					name: "status / bare route, one D1 read",
					unit: "/s",
					ours,
					base,
					interval,
					aim: AIM,
					note,
				}),
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
		client.close();
		await service.stop();
	}
};
