import { compare, interleave, type Part } from "../measure.ts";
import { claim, type ValidatedCode, validateCodes } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { bootstrapInterval, mean, median } from "../statistics.ts";
import type { Table } from "../table.ts";
import type { Waits } from "../worker/waits.ts";

const AIM = { atMost: 1.15 };
const WARM_UP = 20;

/** A call's whole time and what of it went into making the RSA key. */
interface Timed {
	ms: number;
	keyMs: number;
	waits: Waits;
}

/**
 * certificate_claim against a route that makes an RSA-2048 key and nothing else. Times of key generation scatter
 * by a factor of five, so the ratio that decides gives both sides the same keys: the claims' own, timed inside.
 */
export const measureClaim: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const rounds = quick ? 40 : 250;
		await service.client.expect(200, { path: "/bench/watch" });
		const codes = await validateCodes(service, rounds + WARM_UP);
		for (const code of codes.splice(0, WARM_UP)) {
			await timeClaim(service, code);
			await timeKey(service);
		}
		const claims: Timed[] = [];
		const keys: Timed[] = [];
		await interleave(rounds, [
			async (round) => record(claims, await timeClaim(service, codes[round]!)),
			async () => record(keys, await timeKey(service)),
		]);
		return { measures: compareClaims(claims, keys), tables: [tell(claims)] };
	} finally {
		await service.stop();
	}
};

function record(samples: Timed[], sample: Timed): number {
	samples.push(sample);
	return sample.ms;
}

async function timeClaim(service: BenchService, code: ValidatedCode): Promise<Timed> {
	await takeWaits(service);
	const { ms } = await claim(service, code);
	return withWaits(service, ms);
}

async function timeKey(service: BenchService): Promise<Timed> {
	await takeWaits(service);
	const { ms } = await service.client.expect(200, { path: "/bench/rsa" });
	return withWaits(service, ms);
}

async function withWaits(service: BenchService, ms: number): Promise<Timed> {
	const waits = await takeWaits(service);
	return { ms, waits, keyMs: waits["crypto.generateKey"]?.ms ?? 0 };
}

async function takeWaits({ client }: BenchService): Promise<Waits> {
	return JSON.parse((await client.expect(200, { path: "/bench/waits" })).text);
}

function compareClaims(claims: readonly Timed[], keys: readonly Timed[]) {
	const whole = claims.map(({ ms }) => ms);
	const ownKey = claims.map(({ keyMs }) => keyMs);
	const beside = claims.map(({ ms, keyMs }) => ms - keyMs);
	const bare = keys.map(({ ms }) => ms);
	const route = mean(keys.map(({ ms, keyMs }) => ms - keyMs));
	const pooledKey = mean([...ownKey, ...keys.map(({ keyMs }) => keyMs)]);
	const sameKeys = (others: readonly number[]) => (mean(others) + pooledKey) / (route + pooledKey);
	return [
		compare({
			name: "certificate_claim / RSA-2048 key, same keys",
			unit: "ms",
			ours: mean(beside) + pooledKey,
			base: route + pooledKey,
			interval: bootstrapInterval([beside], ([others]) => sameKeys(others!)),
			aim: AIM,
			note: `means, n=${claims.length}`,
		}),
		compare({
			name: "certificate_claim / RSA-2048 key, as sampled",
			unit: "ms",
			ours: mean(whole),
			base: mean(bare),
			interval: bootstrapInterval([whole, bare], ([ours, base]) => mean(ours!) / mean(base!)),
			note: "means",
		}),
		compare({
			name: "the same, medians",
			unit: "ms",
			ours: median(whole),
			base: median(bare),
			interval: bootstrapInterval([whole, bare], ([ours, base]) => median(ours!) / median(base!)),
		}),
	];
}

function tell(claims: readonly Timed[]): Table {
	const names = new Set(claims.flatMap(({ waits }) => Object.keys(waits)));
	const rows = [...names].map((name) => {
		const calls = mean(claims.map(({ waits }) => waits[name]?.calls ?? 0));
		return { name, calls, ms: mean(claims.map(({ waits }) => waits[name]?.ms ?? 0)) };
	});
	const whole = mean(claims.map(({ ms }) => ms));
	const waited = rows.reduce((sum, { ms }) => sum + ms, 0);
	rows.push({ name: "the rest: JavaScript, calls between objects, HTTP", calls: 1, ms: whole - waited });
	rows.sort((a, b) => b.ms - a.ms);
	return {
		heading: "Where a claim's time goes, means",
		columns: ["", "calls", "ms"],
		rows: [
			...rows
				.filter(({ ms }) => ms >= 0.05)
				.map(({ name, calls, ms }) => [name, calls.toFixed(0), ms.toFixed(2)]),
			["whole", "", whole.toFixed(2)],
		],
	};
}
