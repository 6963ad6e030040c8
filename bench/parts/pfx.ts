import { median } from "simple-statistics";
import { barChart, type Chart } from "../chart.ts";
import { findTool } from "../machine.ts";
import {
	bootstrapInterval,
	compare,
	compareSamples,
	interleaveWarm,
	type Measure,
	type Part,
} from "../measure.ts";
import { prepareOpensslPfx } from "../peers/openssl-pfx.ts";
import { type BenchService, startService } from "../service.ts";

const BATCH = 10;
/** Ordered as the rows: each library against ours of the same profile. */
const IN_WORKERD = ["ours", "pkijs", "forge", "ours-legacy", "forge-legacy"];

/** PFX assembly alone, key and certificates ready: against PKI.js and node-forge in workerd, and openssl's process. */
export const measurePfx: Part = async ({ quick }) => {
	const service = await startService();
	const parts = JSON.parse((await assemble(service, "ours", 1)).text);
	const openssl = findTool("openssl", "version") === null ? null : await prepareOpensslPfx(parts);
	try {
		const inWorkerd = IN_WORKERD.map((name) => async () => (await assemble(service, name, BATCH)).ms / BATCH);
		const byOpenssl = openssl
			? [openssl.start, () => openssl.assemble("modern"), () => openssl.assemble("legacy")]
			: [];
		const contenders = [...inWorkerd, ...byOpenssl.map((run) => async () => run())];
		const samples = await interleaveWarm(2, quick ? 5 : 30, contenders);
		const measures = compareAll(samples);
		const skipped = openssl ? {} : { skipped: "the rows of openssl: it is not installed" };
		return { measures, charts: [draw(measures)], ...skipped };
	} finally {
		await openssl?.stop();
		await service.stop();
	}
};

function assemble({ http }: BenchService, name: string, n: number) {
	return http.expect(200, { path: `/bench/pfx?with=${name}&n=${n}` });
}

function compareAll(samples: readonly number[][]): Measure[] {
	const [ours, pkijs, forge, oursLegacy, forgeLegacy, start, openssl, opensslLegacy] = samples;
	const against = (name: string, own: number[], other: number[]) => compareSamples(name, "ms", [own, other]);
	/** The process's start taken off openssl's side, as a median. */
	const without = (name: string, own: number[], other: number[]) => {
		const rest = ([a, b, s]: number[][]) => median(a!) / (median(b!) - median(s!));
		return compare({
			name,
			unit: "ms",
			ours: median(own),
			base: median(other) - median(start!),
			interval: bootstrapInterval([own, other, start!], rest),
		});
	};
	return [
		against("PFX modern / PKI.js", ours!, pkijs!),
		against("PFX modern / node-forge, 2,048 rounds", ours!, forge!),
		against("PFX legacy / node-forge, 2,048 rounds", oursLegacy!, forgeLegacy!),
		...(openssl && opensslLegacy
			? [
					against("PFX modern / openssl pkcs12 -export, a process", ours!, openssl),
					without("PFX modern / openssl pkcs12 -export, less its start", ours!, openssl),
					against("PFX legacy / openssl pkcs12 -export, a process", oursLegacy!, opensslLegacy),
					without("PFX legacy / openssl pkcs12 -export, less its start", oursLegacy!, opensslLegacy),
				]
			: []),
	];
}

function draw(measures: readonly Measure[]): Chart {
	const bars = measures.map(({ name, ratio, interval }) => ({
		name: name.replace(" / ", " ÷ "),
		value: ratio,
		...(interval && { interval }),
		text: `${ratio.toFixed(2)} ×`,
	}));
	return barChart({
		file: "bench-pfx",
		title: "Assembling the PFX: our time divided by theirs",
		subtitle: "Key and certificates ready; left of the line we are faster; thin lines are 95 % intervals",
		x: { label: "ratio of times", log: true },
		reference: { at: 1, label: "equal" },
		groups: [{ name: "", bars }],
	});
}
