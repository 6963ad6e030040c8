import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { median, quantile, sampleWithReplacement } from "simple-statistics";
import type { Chart } from "./chart.ts";

/** One figure of the service and its base line of the same run. */
export interface Measure {
	name: string;
	unit: "ms" | "/s" | "KiB";
	ours: number;
	base: number;
	ratio: number;
	/** 95 % interval of the ratio. */
	interval?: [number, number];
	aim?: { atMost: number } | { atLeast: number } | { below: number };
	/** Null without an aim. */
	passed: boolean | null;
	note?: string;
}

/** Rows below the ratios: the first column is text, the others are figures. */
export interface Table {
	heading: string;
	columns: string[];
	rows: string[][];
}

export interface PartResult {
	measures: Measure[];
	/** Shown below the ratios. */
	tables?: Table[];
	/** Charts that `--keep` draws. */
	charts?: Chart[];
	/** A sentence for the page's summary. */
	summary?: string;
	/** Why the part, or a contender of it, was left out: a tool that is not installed. */
	skipped?: string;
}

/** A group of measures with its own start of the service. `quick` takes fewer samples and a smaller stock. */
export type Part = (options: { quick: boolean }) => Promise<PartResult>;

type Statistic = (values: number[]) => number;
type Extra = Partial<Pick<Measure, "aim" | "note">>;

/** The ratio is ours to base unless another estimate of it is given. */
export function compare(
	figures: Pick<Measure, "name" | "unit" | "ours" | "base"> &
		Partial<Pick<Measure, "ratio" | "interval">> &
		Extra,
): Measure {
	const ratio = figures.ratio ?? figures.ours / figures.base;
	return { ...figures, ratio, passed: figures.aim ? meets(ratio, figures.aim) : null };
}

/** Both sides by the same statistic, with the interval of their ratio. */
export function compareSamples(
	name: string,
	unit: Measure["unit"],
	samples: number[][],
	statistic: Statistic = median,
	extra: Extra = {},
): Measure {
	const [ours, base] = samples.map(statistic) as [number, number];
	const interval = bootstrapInterval(samples, (sets) => statistic(sets[0]!) / statistic(sets[1]!));
	return compare({ name, unit, ours, base, interval, ...extra });
}

function meets(ratio: number, aim: NonNullable<Measure["aim"]>): boolean {
	if ("atMost" in aim) return ratio <= aim.atMost;
	return "below" in aim ? ratio < aim.below : ratio >= aim.atLeast;
}

/** Runs the contenders in turn, `rounds` times, every other round in reverse. @returns each one's samples */
export async function interleave(
	rounds: number,
	contenders: readonly ((round: number) => Promise<number>)[],
): Promise<number[][]> {
	const samples: number[][] = contenders.map(() => []);
	for (let round = 0; round < rounds; round++) {
		const order = [...contenders.keys()];
		if (round % 2 === 1) order.reverse();
		for (const index of order) samples[index]!.push(await contenders[index]!(round));
	}
	return samples;
}

/** Runs the contenders for `warmUp` rounds whose samples are dropped, then for `rounds`. */
export async function interleaveWarm(
	warmUp: number,
	rounds: number,
	contenders: readonly ((round: number) => Promise<number>)[],
): Promise<number[][]> {
	const samples = await interleave(warmUp + rounds, contenders);
	return samples.map((values) => values.slice(warmUp));
}

const RESAMPLES = 2_000;
const SEED = 20261122;

/** 95 % percentile bootstrap of a statistic over several sets of samples, each resampled on its own. */
export function bootstrapInterval(
	samples: readonly number[][],
	statistic: (resampled: number[][]) => number,
): [number, number] {
	const generator = xoroshiro128plus(SEED);
	const random = () => uniformFloat64(generator);
	const values = Array.from({ length: RESAMPLES }, () =>
		statistic(samples.map((set) => sampleWithReplacement(set, set.length, random))),
	);
	return [quantile(values, 0.025), quantile(values, 0.975)];
}
