import { mean, median, quantile } from "simple-statistics";
import type { Timing } from "../http.ts";
import { bootstrapInterval, compare, interleaveWarm, type Part, type Table } from "../measure.ts";
import {
	type BenchPartner,
	claim,
	claimOf,
	createCodes,
	createPartner,
	requestCertificate,
} from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { type StandIn, startRegistry, startSigner } from "../stand-ins.ts";
import { liftEmissionLimit } from "../trace.ts";
import { createB2bPartner, startReceiver } from "../webhook-partner.ts";

const WARM_UP = 5;
/** A signer in another data centre, and the registry as production knows it. */
const SIGNER_MS = 30;
const REGISTRY_MS = 300;
/** Chosen beforehand: what a claim may add to a signer elsewhere, and B2B's request to the registry. */
const SIGNER_EXTRA_MS = 5;
const REGISTRY_EXTRA_MS = 60;

/**
 * A certificate whose RSA key was made while the registry was asked: a claim that follows its request at once, with the
 * issuing key in the isolate and behind a signer, and B2B's request. Registry and signer are in another process.
 */
export const measureAhead: Part = async ({ quick }) => {
	const [registry, signer, receiver] = await Promise.all([startRegistry(), startSigner(), startReceiver()]);
	const service = await startService({ registryUrl: registry.url });
	await liftEmissionLimit(service);
	try {
		const rounds = quick ? 12 : 100;
		const b2c = await createPartner(service);
		const b2b = await createB2bPartner(service, receiver);
		const codes = await createCodes(service, b2c, 2 * (rounds + WARM_UP));
		const b2bCodes = await createCodes(service, b2b, rounds + WARM_UP);
		const claimAt = (place: 0 | 1) => async (round: number) => {
			await askRegistryAfter(registry, 0);
			await signAt(service, place === 0 ? "" : signer.url);
			return (await claimPromptly(service, b2c, codes[2 * round + place]!, 2 * round + place)).ms;
		};
		signer.delayMs = SIGNER_MS;
		const samples = await interleaveWarm(WARM_UP, rounds, [
			claimAt(0),
			claimAt(1),
			async () => (await service.http.expect(200, { path: "/bench/rsa" })).ms,
			async (round) => {
				await askRegistryAfter(registry, REGISTRY_MS);
				await signAt(service, "");
				return (await requestCertificate(service, b2b, b2bCodes[round]!, 500_000 + round)).ms;
			},
			async () => {
				await askRegistryAfter(registry, REGISTRY_MS);
				return (
					await service.http.expect(200, { path: `/bench/fetch?url=${registry.url}/v1/identity-checks` })
				).ms;
			},
		]);
		return { measures: compareAll(samples, median(signer.ownMs)), tables: [leastDisturbed(samples)] };
	} finally {
		await service.stop();
		await Promise.all([registry.stop(), signer.stop(), receiver.stop()]);
	}
};

function compareAll(samples: number[][], signerMs: number) {
	const [here, elsewhere, keys, b2b, registry] = samples as [
		number[],
		number[],
		number[],
		number[],
		number[],
	];
	const note = `medians, n=${here.length}`;
	const against = (name: string, [ours, base]: [number[], number[]], extraMs: number) => {
		const ratio = ([a, b]: number[][]) => median(a!) / (median(b!) + extraMs);
		return compare({
			...{ name, unit: "ms", ours: median(ours), base: median(base) + extraMs },
			...{ interval: bootstrapInterval([ours, base], ratio), aim: { atMost: 1 }, note },
		});
	};
	const withSigner = SIGNER_MS + signerMs + SIGNER_EXTRA_MS;
	return [
		compare({
			name: "certificate_claim that finds its key / RSA-2048 key",
			unit: "ms",
			ours: median(here),
			base: mean(keys),
			interval: bootstrapInterval([here, keys], ([a, b]) => median(a!) / mean(b!)),
			aim: { atMost: 0.5 },
			note: `median / mean of the keys, n=${here.length}`,
		}),
		against(
			`the same, signer ${SIGNER_MS} ms away / signer here + ${SIGNER_MS} ms + its own time + ${SIGNER_EXTRA_MS} ms`,
			[elsewhere, here],
			withSigner,
		),
		against(
			`certificate_request B2B, registry ${REGISTRY_MS} ms away / the registry + ${REGISTRY_EXTRA_MS} ms`,
			[b2b, registry],
			REGISTRY_EXTRA_MS,
		),
	];
}

function leastDisturbed(samples: number[][]): Table {
	const names = [
		"claim, signer here",
		`claim, signer ${SIGNER_MS} ms away`,
		"key alone",
		"B2B request",
		"registry",
	];
	return {
		heading: "Tenth percentiles, which other load on the machine changes least",
		columns: ["", "ms"],
		rows: names.map((name, i) => [name, quantile(samples[i]!, 0.1).toFixed(1)]),
	};
}

/** Validates, and claims at once. */
async function claimPromptly(
	service: BenchService,
	partner: BenchPartner,
	code: string,
	n: number,
): Promise<Timing> {
	await requestCertificate(service, partner, code, n);
	return claim(service, claimOf(partner, code, n));
}

async function signAt({ http }: BenchService, url: string): Promise<void> {
	await http.expect(200, { path: `/bench/sign-at?url=${url}` });
}

async function askRegistryAfter(registry: StandIn, milliseconds: number): Promise<void> {
	registry.delayMs = milliseconds;
}
