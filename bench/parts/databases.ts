import type { Timing } from "../http.ts";
import { withCpuOf } from "../machine.ts";
import { compareSamples, interleaveWarm, type Measure, type Part } from "../measure.ts";
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
import { seedStock } from "../stock.ts";
import { liftEmissionLimit } from "../trace.ts";

const AIM = { atMost: 1.05 };
const WARM_UP = 8;
const BULK = 100;
const STOCK = 10_000;

interface Stand {
	service: BenchService;
	partner: BenchPartner;
	/** A code for each round. */
	codes: string[];
}

const CALLS: Record<string, (stand: Stand, round: number) => Promise<Timing>> = {
	status: ({ service, partner, codes }) => readStatus(service, partner, codes[0]!),
	"pcodes, 50": ({ service, partner }) => readPage(service, partner),
	[`pcode/bulk, ${BULK}`]: ({ service, partner }) => bulk(service, partner, BULK),
	certificate_request: ({ service, partner, codes }, i) => requestCertificate(service, partner, codes[i]!, i),
	"certificate_claim, P-256": ({ service, partner, codes }, i) =>
		claim(service, claimOf(partner, codes[i]!, i)),
};

/**
 * Calls on a service with two databases, whose partner is in the second, and on one with `DB` alone: each in a workerd
 * of its own, in turn.
 */
export const measureDatabases: Part = async ({ quick }) => {
	const rounds = quick ? 20 : 200;
	const stands: Stand[] = [];
	try {
		for (const databases of [2, 1] as const)
			stands.push(await setUp(await startService({ databases }), WARM_UP + rounds));
		const measures: Measure[] = [];
		for (const [call, act] of Object.entries(CALLS)) {
			const cpu: number[][] = [[], []];
			const ms = await interleaveWarm(
				WARM_UP,
				rounds,
				stands.map((stand, side) => async (round: number) => {
					const { result, cpuMs } = await withCpuOf(stand.service.workerd, () => act(stand, round));
					cpu[side]!.push(cpuMs);
					return result.ms;
				}),
			);
			const name = `${call}: two databases / one`;
			const note = `medians, n=${rounds}`;
			const used = cpu.map((values) => values.slice(WARM_UP));
			measures.push(compareSamples(name, "ms", ms, undefined, { aim: AIM, note }));
			measures.push(compareSamples(`${name}, workerd's CPU`, "ms", used));
		}
		return { measures };
	} finally {
		await Promise.all(stands.map(({ service }) => service.stop()));
	}
};

async function setUp(service: BenchService, rounds: number): Promise<Stand> {
	await liftEmissionLimit(service);
	const partner = await createPartner(service, { key_algorithm: "ec-p256" });
	await seedStock(service.db, partner.id, STOCK, Date.now());
	const codes: string[] = [];
	while (codes.length < rounds) codes.push(...(await createCodes(service, partner, BULK)));
	return { service, partner, codes };
}
