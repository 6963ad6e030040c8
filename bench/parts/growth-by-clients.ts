import { median, quantile } from "simple-statistics";
import { HttpClient } from "../http.ts";
import { interleave } from "../measure.ts";
import {
	type BenchPartner,
	claim,
	claimOf,
	createCodes,
	createPartner,
	readStatus,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { seedStock } from "../stock.ts";
import { liftEmissionLimit } from "../trace.ts";

/** Result of so many clients at once, each calling again as soon as it is answered. */
export interface Load {
	clients: number;
	/** Answers a second, by turn. */
	rates: number[];
	/** Latency of an answer, milliseconds. */
	ms: { p50: number; p95: number; p99: number };
}

interface Options {
	levels: readonly number[];
	rounds: number;
	turnMs: number;
}

/** Asks for one answer after another; returns the latency of each. */
type Ask = (http: HttpClient) => Promise<number[]>;

/** `status`, and certificate_request followed by its certificate_claim (P-256), by 1 to 64 clients. */
export async function loadByClients(options: Options): Promise<{ status: Load[]; mix: Load[] }> {
	const service = await startService();
	try {
		await liftEmissionLimit(service);
		const partner = await createPartner(service, { key_algorithm: "ec-p256" });
		await seedStock(service.db, partner.id, 10_000, Date.now());
		const [code] = await createCodes(service, partner, 1);
		const status: Ask = async (http) => [(await readStatus({ ...service, http }, partner, code!)).ms];
		const stock = { codes: [] as string[], holder: 0 };
		const mix: Ask = (http) => issueNext({ ...service, http }, partner, stock);
		return {
			status: await load(service, options, status, async () => undefined),
			mix: await load(service, options, mix, () => fill(service, partner, stock)),
		};
	} finally {
		await service.stop();
	}
}

type Stock = { codes: string[]; holder: number };

/** Creates more codes than any turn uses. */
async function fill(service: BenchService, partner: BenchPartner, stock: Stock): Promise<void> {
	while (stock.codes.length < 1_000) stock.codes.push(...(await createCodes(service, partner, 500)));
}

async function issueNext(service: BenchService, partner: BenchPartner, stock: Stock): Promise<number[]> {
	const code = stock.codes.pop()!;
	const holder = stock.holder++;
	const request = await requestCertificate(service, partner, code, holder);
	return [request.ms, (await claim(service, claimOf(partner, code, holder))).ms];
}

async function load(
	service: BenchService,
	{ levels, rounds, turnMs }: Options,
	ask: Ask,
	prepare: () => Promise<void>,
): Promise<Load[]> {
	const latencies = new Map(levels.map((clients) => [clients, [] as number[]]));
	const turns = levels.map((clients) => async () => {
		await prepare();
		const http = new HttpClient(service.url, clients);
		const started = performance.now();
		const answered: number[] = [];
		const connection = async () => {
			while (performance.now() - started < turnMs) answered.push(...(await ask(http)));
		};
		await Promise.all(Array.from({ length: clients }, connection));
		const seconds = (performance.now() - started) / 1000;
		await http.close();
		latencies.get(clients)!.push(...answered);
		return answered.length / seconds;
	});
	await interleave(1, turns);
	for (const values of latencies.values()) values.length = 0;
	const rates = await interleave(rounds, turns);
	return levels.map((clients, i) => {
		const ms = latencies.get(clients)!;
		return {
			clients,
			rates: rates[i]!,
			ms: { p50: median(ms), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) },
		};
	});
}

export function rateOf({ rates }: Load): number {
	return median(rates);
}
