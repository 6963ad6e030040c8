import { parseArgs } from "node:util";
import { seededRandom } from "../../unit/domain/seeded-random.ts";
import type { Outcome } from "../proof.ts";
import { Coverage } from "./coverage.ts";
import { explore } from "./explore.ts";

/** More than enough for the fault that is there to be found; the exploration ends when it is. */
const PLANTED_SECONDS = 60;

/**
 * `--seconds n` of CPU for each reader and `--seed n`: every reader of ours on inputs that are changed again and again, those
 * kept that reach code which none before them reached.
 */
export async function exploreParsers(args: string[]): Promise<Outcome> {
	const { values } = parseArgs({ args, options: { seconds: { type: "string" }, seed: { type: "string" } } });
	const seconds = Number(values.seconds ?? 20);
	const seed = Number(values.seed ?? Date.now() % 2 ** 31);
	const coverage = new Coverage();
	// Node 22 lacks what workerd has; and what runs while the module loads counts, too.
	await import("./base64.ts");
	const { TARGETS } = await import("./targets.ts");
	const { PLANTED } = await import("./planted.ts");
	coverage.take();
	const figures: Outcome["figures"] = { seed, "seconds each": seconds };
	const violations: string[] = [];
	const planted = explore(PLANTED, coverage, { seconds: PLANTED_SECONDS, random: seededRandom(seed) });
	if (planted.faults.length === 0) violations.push("the planted fault was not found");
	figures["planted fault found after, runs"] = planted.runs;
	let runs = 0;
	for (const [name, target] of Object.entries(TARGETS)) {
		const found = explore(target, coverage, { seconds, random: seededRandom(seed) });
		const { characters, covered, missing } = coverage.of(target.files);
		runs += found.runs;
		figures[name] = [
			`${found.runs} runs`,
			`${found.corpus} inputs kept`,
			`${((100 * covered) / characters).toFixed(1)} % of its code ran`,
			`slowest ${found.slowestMs.toFixed(1)} ms`,
			...(missing.length > 0 ? [`not: ${missing.join(" ")}`] : []),
		].join(", ");
		violations.push(...found.faults.map((fault) => `${name}: ${fault}`));
	}
	coverage.stop();
	return { figures: { runs, ...figures }, violations };
}
