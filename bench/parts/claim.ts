import { mean } from "simple-statistics";
import { bootstrapInterval, compare, compareSamples, interleave, type Part, type Table } from "../measure.ts";
import { claim, createPartner, type ValidatedCode, validateCodes } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { takeWaits } from "../trace.ts";
import type { Waits } from "../worker/waits.ts";

const AIM = { atMost: 1.2 };
const WARM_UP = 20;
const EMISSIONS_A_MINUTE = 10;

/** A call's whole time and what of it went into making the RSA key. */
interface Timed {
	ms: number;
	keyMs: number;
	waits: Waits;
}

/**
 * certificate_claim against a route that makes an RSA-2048 key and nothing else. Times of key generation scatter
 * by a factor of five, so the ratio that is judged gives both sides the same keys, timed inside the Worker. The e-mails
to the holders are queued and not sent: one claim's delivery would take its time from the next.
 */
export const measureClaim: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const rounds = quick ? 40 : 250;
		await service.http.expect(200, { path: "/bench/watch" });
		await service.http.expect(200, { path: "/bench/hold-deliveries" });
		await service.http.expect(200, { path: "/bench/forget-keys" });
		const codes = await validateAll(service, rounds + WARM_UP);
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
		return { measures: compareClaims(claims, keys), tables: [describeWaits(claims)] };
	} finally {
		await service.stop();
	}
};

/** Codes of as many partners as the emission limit asks for. */
async function validateAll(service: BenchService, count: number): Promise<ValidatedCode[]> {
	const codes: ValidatedCode[] = [];
	while (codes.length < count) {
		const size = Math.min(EMISSIONS_A_MINUTE, count - codes.length);
		codes.push(...(await validateCodes(service, await createPartner(service), size, codes.length)));
	}
	return codes;
}

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
	const { ms } = await service.http.expect(200, { path: "/bench/rsa" });
	return withWaits(service, ms);
}

async function withWaits(service: BenchService, ms: number): Promise<Timed> {
	const waits = await takeWaits(service);
	return { ms, waits, keyMs: waits["crypto.generateKey"]?.ms ?? 0 };
}

function compareClaims(claims: readonly Timed[], keys: readonly Timed[]) {
	const whole = claims.map(({ ms }) => ms);
	const others = claims.map(({ ms, keyMs }) => ms - keyMs);
	const bare = keys.map(({ ms }) => ms);
	const routes = keys.map(({ ms, keyMs }) => ms - keyMs);
	const made = [...claims, ...keys].map(({ keyMs }) => keyMs);
	/* Keys are drawn anew with the rest: another run would have other keys. */
	const sameKeys = ([rest, route, key]: number[][]) =>
		(mean(rest!) + mean(key!)) / (mean(route!) + mean(key!));
	return [
		compare({
			name: "certificate_claim / RSA-2048 key, same keys",
			unit: "ms",
			ours: mean(others) + mean(made),
			base: mean(routes) + mean(made),
			interval: bootstrapInterval([others, routes, made], sameKeys),
			aim: AIM,
			note: `means, n=${claims.length}`,
		}),
		compareSamples("certificate_claim / RSA-2048 key, as sampled", "ms", [whole, bare], mean, {
			note: "means",
		}),
		compareSamples("the same, medians", "ms", [whole, bare]),
	];
}

function describeWaits(claims: readonly Timed[]): Table {
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
