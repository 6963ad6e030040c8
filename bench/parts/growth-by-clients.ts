import { HttpClient } from "../http.ts";
import { interleave } from "../measure.ts";
import {
	type BenchPartner,
	claim,
	createCodes,
	createPartner,
	dniOf,
	PIN,
	readStatus,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { median, type Spread, spread } from "../statistics.ts";
import { seedStock } from "../stock.ts";
import { liftEmissionLimit } from "../trace.ts";

/** What so many clients at once get, each asking again as soon as it is answered. */
export interface Load {
	clients: number;
	/** Answers a second, by turn. */
	rates: number[];
	/** Latency of an answer, milliseconds. */
	ms: Spread;
}

interface Options {
	levels: readonly number[];
	rounds: number;
	turnMs: number;
}

/** Asks for one answer after another; returns the latency of each. */
type Ask = (client: HttpClient) => Promise<number[]>;

/** `status`, and certificate_request followed by its certificate_claim (P-256), by 1 to 64 clients. */
export async function loadByClients(options: Options): Promise<{ status: Load[]; mix: Load[] }> {
	const service = await startService();
	try {
		await liftEmissionLimit(service);
		const partner = await createPartner(service, { key_algorithm: "ec-p256" });
		await seedStock(service.db, partner.id, 10_000, Date.now());
		const [code] = await createCodes(service, partner, 1);
		const status: Ask = async (client) => [(await readStatus({ ...service, client }, partner, code!)).ms];
		const stock = { codes: [] as string[], holder: 0 };
		const mix: Ask = (client) => issueNext({ ...service, client }, partner, stock);
		return {
			status: await load(service, options, status, async () => undefined),
			mix: await load(service, options, mix, () => fill(service, partner, stock)),
		};
	} finally {
		await service.stop();
	}
}

type Stock = { codes: string[]; holder: number };

/** More codes than any turn uses. */
async function fill(service: BenchService, partner: BenchPartner, stock: Stock): Promise<void> {
	while (stock.codes.length < 1_000) stock.codes.push(...(await createCodes(service, partner, 500)));
}

async function issueNext(service: BenchService, partner: BenchPartner, stock: Stock): Promise<number[]> {
	const code = stock.codes.pop()!;
	const holder = stock.holder++;
	const request = await requestCertificate(service, partner, code, holder);
	const body = { p_code: code, dni: dniOf(holder), pin: PIN };
	return [request.ms, (await claim(service, { partner, claim: body })).ms];
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
		const client = new HttpClient(service.url, clients);
		const started = performance.now();
		const answered: number[] = [];
		const connection = async () => {
			while (performance.now() - started < turnMs) answered.push(...(await ask(client)));
		};
		await Promise.all(Array.from({ length: clients }, connection));
		const seconds = (performance.now() - started) / 1000;
		client.close();
		latencies.get(clients)!.push(...answered);
		return answered.length / seconds;
	});
	await interleave(1, turns);
	for (const values of latencies.values()) values.length = 0;
	const rates = await interleave(rounds, turns);
	return levels.map((clients, i) => ({ clients, rates: rates[i]!, ms: spread(latencies.get(clients)!) }));
}

export function rateOf({ rates }: Load): number {
	return median(rates);
}
