import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { seededRandom } from "../../unit/domain/seeded-random.ts";
import type { Outcome } from "../proof.ts";
import { lookAfter } from "./after.ts";
import { ask } from "./ask.ts";
import { Canary } from "./canary.ts";
import { chooseMutations } from "./choose.ts";
import { Described } from "./described.ts";
import { readAnswer } from "./exchange.ts";
import { Generator } from "./generate.ts";
import { type Bench, judge } from "./judge.ts";
import { learn } from "./learn.ts";
import { describeFault, minimise } from "./minimise.ts";
import { makeOcspRequests } from "./ocsp-requests.ts";
import { populate } from "./populate.ts";
import { startReceiver } from "./receiver.ts";
import { sendDraft } from "./send-draft.ts";
import { startTarget } from "./start-target.ts";
import { Tally } from "./tally.ts";
import { WireClient } from "./wire-client.ts";

/** Calls on their way at once. */
const CLIENTS = 12;
/** How many calls are sent twice at the same moment. */
const TWINS = 0.03;
/** The share of the calls that meets the rate limits of wrangler.toml. */
const LIMITED = 0.06;
const SHOWN_MAX = 25;
/** A line each. */
const PROGRESS = 1_000;
/** What the last calls left running, a validation or a delivery, ends in this time. Milliseconds. */
const SETTLE_MS = 3_000;

/**
 * `--requests n`, `--seed n`, `--services n` side by side, each with a share of the requests, `--minutes n` at most:
 * calls of everything there is, valid and broken, each answer held to its promises.
 */
export async function fuzz(args: string[]): Promise<Outcome> {
	const text = { type: "string" } as const;
	const { values } = parseArgs({
		args,
		options: { requests: text, seed: text, services: text, minutes: text },
	});
	const requests = Number(values.requests ?? 50_000);
	const seed = Number(values.seed ?? Date.now() % 2 ** 31);
	const services = Number(values.services ?? availableParallelism());
	const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
	console.log(`seed ${seed}`);
	const tally = new Tally();
	const few = Math.round(requests * LIMITED);
	const size = { tally, until, limited: false, partners: partnersFor(requests / services) };
	const found = await Promise.all([
		...split(requests - few, services).map((part, i) => fuzzOne({ ...size, requests: part, seed: seed + i })),
		fuzzOne({ ...size, limited: true, partners: 3, requests: few, seed: seed - 1 }),
	]);
	return {
		figures: { seed, services, ...tally.figures(), ...added(found.map(({ after }) => after)) },
		violations: found.flatMap(({ violations }) => violations),
	};
}

function split(whole: number, parts: number): number[] {
	const part = Math.floor(whole / parts);
	return Array.from({ length: parts }, (_, i) => (i === 0 ? whole - part * (parts - 1) : part));
}

/** Ten certificate_requests a minute each: enough of them that most are not refused for the rate. */
function partnersFor(requests: number): number {
	return Math.min(60, Math.max(14, Math.round(requests / 400)));
}

interface Size {
	requests: number;
	seed: number;
	partners: number;
	limited: boolean;
	/** By `performance.now()`: no call is begun after it. */
	until: number;
	tally: Tally;
}

type Counts = Record<string, number>;

/** Fuzzes a service of its own, and looks after it. */
async function fuzzOne(size: Size): Promise<{ violations: string[]; after: Counts }> {
	const target = await startTarget(size);
	const receiver = await startReceiver();
	const client = new WireClient(target);
	try {
		const setUp = { client, opsToken: target.opsToken, db: target.db, hook: receiver.url };
		const world = await populate(setUp, size.partners, seededRandom(size.seed));
		const { body } = await ask(client, { path: "/openapi.json", credentials: "Accept: */*" });
		const canary = new Canary(client);
		const described = new Described(body);
		const { secrets, logs } = target;
		const bench: Bench = { described, world, secrets, logs, room: () => canary.room };
		const faults = await callAll(client, bench, size);
		faults.push(...(await canary.stop()));
		await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
		const { faults: afterwards, ...after } = await lookAfter(client, target);
		return {
			violations: [...faults, ...receiver.faults.slice(0, SHOWN_MAX), ...afterwards],
			after: { "webhooks received": receiver.received(), ...after },
		};
	} finally {
		client.close();
		receiver.stop();
		await target.stop();
	}
}

async function callAll(client: WireClient, bench: Bench, size: Size): Promise<string[]> {
	const { requests, seed, tally, limited, until } = size;
	const generator = new Generator(bench.described, bench.world, await makeOcspRequests(client, bench.world));
	const faults = new Map<string, string>();
	let sent = 0;
	const callOn = async () => {
		while (sent < requests && faults.size < SHOWN_MAX && performance.now() < until) {
			const random = seededRandom(seed * 1_000_003 + sent);
			const base = generator.next(random);
			const chosen = chooseMutations(bench.world, random);
			const twice = random() < TWINS && sent + 1 < requests;
			sent += twice ? 2 : 1;
			if (sent % PROGRESS === 0) console.log(`${sent} of ${requests}`);
			const calls = Array.from({ length: twice ? 2 : 1 }, () => sendDraft(client, base, chosen));
			for (const exchange of await Promise.all(calls)) {
				tally.add(exchange, bench.described, limited);
				const judged = readAnswer(exchange);
				if (judged) learn(judged, bench.world);
				const found = judge(exchange, bench);
				if (found.length === 0 || faults.has(kindOf(found))) continue;
				faults.set(kindOf(found), "");
				const smallest = await minimise(client, base, chosen, bench, exchange);
				faults.set(kindOf(found), describeFault(smallest, bench));
				console.log(`BROKEN ${faults.get(kindOf(found))}`);
			}
		}
	};
	await Promise.all(Array.from({ length: CLIENTS }, callOn));
	return [...faults.values()];
}

/** One fault that many calls show is told once. */
function kindOf(faults: readonly string[]): string {
	return faults.join("; ").replaceAll(/\d+ ms|[0-9A-Z]{4}(-[0-9A-Z]{4}){3}|mk\w{8}zz|\d{5,}/g, "…");
}

function added(counts: readonly Counts[]): Counts {
	const sums: Counts = {};
	for (const one of counts)
		for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
	return sums;
}
