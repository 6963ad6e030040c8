import { compare, interleave, type Measure, type Part } from "../measure.ts";
import { findTool } from "../peers/find-tool.ts";
import { prepareOpensslPfx } from "../peers/openssl-pfx.ts";
import type { BarChart } from "../plot/chart.ts";
import { type BenchService, startService } from "../service.ts";
import { bootstrapInterval, median } from "../statistics.ts";

const BATCH = 10;
/** In the order of the rows: each library against ours of the same profile. */
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
		await interleave(2, contenders);
		const samples = await interleave(quick ? 5 : 30, contenders);
		const measures = compareAll(samples);
		const skipped = openssl ? {} : { skipped: "the rows of openssl: it is not installed" };
		return { measures, charts: [draw(measures)], ...skipped };
	} finally {
		await openssl?.stop();
		await service.stop();
	}
};

function assemble({ client }: BenchService, name: string, n: number) {
	return client.expect(200, { path: `/bench/pfx?with=${name}&n=${n}` });
}

function compareAll(samples: readonly number[][]): Measure[] {
	const [ours, pkijs, forge, oursLegacy, forgeLegacy, start, openssl, opensslLegacy] = samples;
	const against = (name: string, own: number[], other: number[]) =>
		compare({
			name,
			unit: "ms",
			ours: median(own),
			base: median(other),
			interval: bootstrapInterval([own, other], ([a, b]) => median(a!) / median(b!)),
		});
	/** The process's start taken off openssl's side, as a median. */
	const without = (name: string, own: number[], other: number[]) => {
		const rest = ([a, b, s]: readonly (readonly number[])[]) => median(a!) / (median(b!) - median(s!));
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
		against("PFX modern / node-forge, 10,000 rounds", ours!, forge!),
		against("PFX legacy / node-forge, 2,048 rounds", oursLegacy!, forgeLegacy!),
		...(openssl && opensslLegacy
			? [
					against("PFX modern / openssl pkcs12 -export, a process", ours!, openssl),
					without("the same, less the start of openssl version", ours!, openssl),
					against("PFX legacy / openssl pkcs12 -export, a process", oursLegacy!, opensslLegacy),
					without("the same, less the start of openssl version", oursLegacy!, opensslLegacy),
				]
			: []),
	];
}

function draw(measures: readonly Measure[]): BarChart {
	const bars = measures.map(({ name, ratio, interval }) => ({
		name: name.startsWith("the same") ? "… less the process's start" : name.replace(" / ", " ÷ "),
		value: ratio,
		...(interval && { interval }),
		text: `${ratio.toFixed(2)} ×`,
	}));
	return {
		kind: "bars",
		file: "bench-pfx",
		title: "Assembling the PFX: our time divided by theirs",
		subtitle: "Key and certificates ready; left of the line we are faster; thin lines are 95 % intervals",
		x: { label: "ratio of times", log: true },
		reference: { at: 1, label: "equal" },
		groups: [{ name: "", bars }],
	};
}
