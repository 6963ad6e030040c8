import type { Chart } from "./plot/chart.ts";
import type { ServiceTimes } from "./service-times.ts";
import type { Table } from "./table.ts";

/** One figure of the service beside its base line of the same run. */
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

export interface PartResult {
	measures: Measure[];
	/** What is told below the ratios. */
	tables?: Table[];
	/** What `--keep` draws. */
	charts?: Chart[];
	/** What docs/figures/service-times.json holds. */
	serviceTimes?: ServiceTimes;
	/** Why the part, or a contender of it, was left out: a tool that is not installed. */
	skipped?: string;
}

/** A group of measures with its own start of the service. `quick` takes fewer samples and a smaller stock. */
export type Part = (options: { quick: boolean }) => Promise<PartResult>;

/** The ratio is ours to base unless another estimate of it is given. */
export function compare(
	figures: Pick<Measure, "name" | "unit" | "ours" | "base"> &
		Partial<Pick<Measure, "ratio" | "interval" | "aim" | "note">>,
): Measure {
	const ratio = figures.ratio ?? figures.ours / figures.base;
	return { ...figures, ratio, passed: figures.aim ? meets(ratio, figures.aim) : null };
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
