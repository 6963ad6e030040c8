import { setTimeout as pause } from "node:timers/promises";
import { mean, quantile } from "simple-statistics";
import { HttpClient } from "../http.ts";
import { withCpuOf } from "../machine.ts";
import { bootstrapInterval, compare, interleave, type Measure, type Part } from "../measure.ts";
import { type BenchPartner, createCodes, createPartner } from "../partner.ts";
import { type BenchService, startService } from "../service.ts";
import { figure } from "../table.ts";
import { liftEmissionLimit } from "../trace.ts";
import { type Answered, CALLS, Traffic } from "../traffic.ts";
import { MANNERS, type Manner } from "../worker/databases-away.ts";

/** Milliseconds between two calls of the partner whose database is gone, answered or not. */
const ASKS_MS = 50;
const PAUSE_MS = 20;
const AIM = { atMost: 1.05 };

/** `answers, once more`: what two equal states differ by. */
const STATES = ["answers", "answers, once more", ...MANNERS] as const;
type State = (typeof STATES)[number];

/**
 * Calls of a partner in `DB` while `DB_2` answers, and while it throws, hangs and answers late, in turn. A partner of `DB_2` calls as
 * often in each turn. Calls of one turn are alike, so that the intervals come from the turns' own quantiles.
 */
export const measureGone: Part = async ({ quick }) => {
	const service = await startService();
	await liftEmissionLimit(service);
	const other = await createPartner(service, { key_algorithm: "ec-p256", database: 1 });
	const theirs = await startCalls(service, await createPartner(service));
	const traffic = new Traffic(service, other, 0);
	try {
		const taken = new Map<State, Answered[][]>(STATES.map((state) => [state, []]));
		const turns = STATES.map((state) => async () => {
			await setTo(service, theirs, state);
			const from = traffic.answered.length;
			const began = performance.now();
			const { cpuMs } = await withCpuOf(service.workerd, async () => {
				traffic.start(PAUSE_MS);
				await pause(quick ? 6_000 : 12_000);
				await traffic.stop();
			});
			taken.get(state)!.push(traffic.answered.slice(from));
			return (1_000 * cpuMs) / (performance.now() - began);
		});
		await interleave(1, turns);
		for (const answers of taken.values()) answers.length = 0;
		const cpu = await interleave(quick ? 2 : 12, turns);
		await setTo(service, theirs, "answers");
		const refused = traffic.answered.filter(({ status }) => status >= 500);
		if (refused.length > 0) throw new Error(`another partner was refused: ${JSON.stringify(refused[0])}`);
		const quantiles = (state: State, p: number) =>
			taken.get(state)!.map((turn) =>
				quantile(
					turn.map(({ ms }) => ms),
					p,
				),
			);
		const measures = STATES.slice(1).flatMap((state) =>
			[0.5, 0.99].map((p) =>
				compareTurns(`other partners' calls, p${p * 100}: DB_2 ${state} / it answers`, {
					ours: quantiles(state, p),
					base: quantiles("answers", p),
					...(state !== "answers, once more" && { aim: AIM }),
				}),
			),
		);
		const rows = CALLS.map((call) => [
			call,
			...STATES.flatMap((state) => {
				const its = taken
					.get(state)!
					.flat()
					.filter((one) => one.call === call);
				const ms = its.map((one) => one.ms);
				return [0.5, 0.99].map((p) => figure(quantile(ms, p)));
			}),
		]);
		return {
			measures,
			tables: [
				{
					heading: "Calls of a partner in DB, milliseconds",
					columns: ["", ...STATES.flatMap((state) => [`DB_2 ${state}, p50`, "p99"])],
					rows,
				},
				{
					heading: "Answers to the partner in DB_2",
					columns: [
						"",
						"answers",
						"503",
						"others",
						"longest, s",
						"calls of the other",
						"workerd's CPU, ms a second",
					],
					rows: STATES.map((state, i) => [
						`DB_2 ${state}`,
						...theirs.counted(state),
						String(taken.get(state)!.flat().length),
						figure(mean(cpu[i]!)),
					]),
				},
			],
		};
	} finally {
		await theirs.stop();
		await traffic.close();
		await service.stop();
	}
};

/** The mean of the turns' ratios, each to the turn of the same round. */
function compareTurns(
	name: string,
	{ ours, base, aim }: { ours: number[]; base: number[]; aim?: Measure["aim"] },
): Measure {
	const ratios = ours.map((value, round) => value / base[round]!);
	return compare({
		name,
		unit: "ms",
		ours: mean(ours),
		base: mean(base),
		ratio: mean(ratios),
		interval: bootstrapInterval([ratios], ([resampled]) => mean(resampled!)),
		note: `n=${ratios.length} turns`,
		...(aim && { aim }),
	});
}

async function setTo(service: BenchService, theirs: Calls, state: State): Promise<void> {
	await theirs.pauseFor(async () => {
		await service.http.expect(200, {
			path: `/bench/gone?manner=${isManner(state) ? encodeURIComponent(state) : ""}`,
		});
	}, state);
}

function isManner(state: State): state is Manner {
	return (MANNERS as readonly State[]).includes(state);
}

type Calls = Awaited<ReturnType<typeof startCalls>>;

/** Status and bulks of a partner in turn, at a fixed rate, however many wait. */
async function startCalls(service: BenchService, partner: BenchPartner) {
	const http = new HttpClient(service.url, 1_000);
	const [code] = await createCodes(service, partner, 1);
	const headers = { "x-gw": partner.apiKey };
	const body = { productCode: "FV01", quantity: 5 };
	const counts = new Map<State, { all: number; refused: number; others: number; longestMs: number }>();
	const waiting = new Set<Promise<void>>();
	let state: State | null = null;
	let n = 0;
	const ask = async (asked: State): Promise<void> => {
		const call =
			n++ % 2 === 0
				? { path: `/api/partners/v1/status?p_code=${code}`, headers }
				: { method: "POST" as const, path: "/api/partner/v1/pcode/bulk", headers, body };
		const { status, ms } = await http.send(call);
		const count = counts.get(asked) ?? { all: 0, refused: 0, others: 0, longestMs: 0 };
		counts.set(asked, count);
		count.all++;
		count.longestMs = Math.max(count.longestMs, ms);
		if (status === 503) count.refused++;
		else if (status >= 300) count.others++;
	};
	const timer = setInterval(() => {
		if (state === null) return;
		const call: Promise<void> = ask(state).finally(() => waiting.delete(call));
		waiting.add(call);
	}, ASKS_MS);
	return {
		/** Waits for the calls that are under way, and goes on in another state. */
		async pauseFor(change: () => Promise<void>, next: State): Promise<void> {
			state = null;
			await Promise.all(waiting);
			await change();
			state = next;
		},
		counted(of: State): string[] {
			const { all = 0, refused = 0, others = 0, longestMs = 0 } = counts.get(of) ?? {};
			return [...[all, refused, others].map(String), (longestMs / 1_000).toFixed(1)];
		},
		async stop(): Promise<void> {
			clearInterval(timer);
			await Promise.allSettled(waiting);
			await http.close();
		},
	};
}
