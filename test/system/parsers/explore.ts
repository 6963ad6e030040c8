import type { Coverage } from "./coverage.ts";
import { mutateOctets, mutateText, type Random } from "./mutate-input.ts";
import type { Target } from "./targets.ts";

type Input = string | Uint8Array;

export interface Found {
	runs: number;
	/** Inputs kept, the seeds among them. */
	corpus: number;
	slowestMs: number;
	faults: string[];
}

/** Inputs of one take of the coverage. */
const BATCH = 100;
const FAULTS_MAX = 1;
/** No input of a few thousand octets may take longer. */
const SLOW_MS = 250;

/** Changes inputs, runs them, and keeps those that reached new code, until the time is over. */
export function explore(
	target: Target,
	coverage: Coverage,
	{ seconds, random }: { seconds: number; random: Random },
): Found {
	const found: Found = { runs: 0, corpus: 0, slowestMs: 0, faults: [] };
	const corpus: Input[] = [...target.seeds];
	for (const seed of corpus) run(target, seed, found);
	coverage.take();
	const end = cpuSeconds() + seconds;
	while (cpuSeconds() < end && found.faults.length < FAULTS_MAX) {
		const batch = Array.from({ length: BATCH }, () => change(corpus, target, random));
		for (const input of batch) run(target, input, found);
		if (coverage.take(false) > 0) corpus.push(...findFresh(target, batch, coverage, found));
	}
	return { ...found, corpus: corpus.length };
}

/** The inputs of a batch that reach new code, by halves: a take costs more than a run. */
function findFresh(target: Target, batch: readonly Input[], coverage: Coverage, found: Found): Input[] {
	const [only] = batch;
	for (const input of batch) run(target, input, found);
	const isFresh = coverage.take(batch.length === 1) > 0;
	if (!isFresh || only === undefined) return [];
	if (batch.length === 1) return [only];
	const half = batch.length >> 1;
	const first = findFresh(target, batch.slice(0, half), coverage, found);
	return [...first, ...findFresh(target, batch.slice(half), coverage, found)];
}

/** What this process has computed: on a busy machine the clock goes on without it. */
function cpuSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6;
}

function change(corpus: readonly Input[], { tokens = ["x"] }: Target, random: Random): Input {
	const pick = () => corpus[Math.floor(random() * corpus.length)]!;
	const [input, other] = [pick(), pick()];
	return typeof input === "string"
		? mutateText(input, other as string, tokens, random)
		: mutateOctets(input, other as Uint8Array, random);
}

function run(target: Target, input: Input, found: Found): void {
	let { fault, ms } = attempt(target, input);
	// Another process may have had the machine meanwhile.
	for (let again = 0; again < 3 && ms > SLOW_MS; again++) ms = Math.min(ms, attempt(target, input).ms);
	found.runs++;
	found.slowestMs = Math.max(found.slowestMs, ms);
	if (ms > SLOW_MS) fault ??= `took ${Math.round(ms)} ms`;
	if (fault !== null)
		found.faults.push(
			`${fault}: ${typeof input === "string" ? JSON.stringify(input) : Buffer.from(input).toString("hex")}`,
		);
}

function attempt(target: Target, input: Input): { fault: string | null; ms: number } {
	const started = performance.now();
	let fault: string | null;
	try {
		fault = target.read(input as never);
	} catch (error) {
		fault = `threw ${error}`;
	}
	return { fault, ms: performance.now() - started };
}
