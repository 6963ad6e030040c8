import { median } from "simple-statistics";
import { compare, interleaveWarm, type Part } from "../measure.ts";
import { type BenchService, startService } from "../service.ts";

const AIM = { below: 1 };
const BATCH = 10;
const WARM_UP = 2;
const LIBRARIES = ["ours", "pkijs", "forge", "ours-legacy", "forge-legacy"];

/** Leaf and PFX around a ready key pair, ours with its lint, in workerd: against PKI.js and node-forge. */
export const measureIssue: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const rounds = quick ? 3 : 12;
		const samples = await interleaveWarm(
			WARM_UP,
			rounds,
			LIBRARIES.map((name) => () => time(service, name)),
		);
		const [ours, pkijs, forge, oursLegacy, forgeLegacy] = samples.map(median) as [
			number,
			number,
			number,
			number,
			number,
		];
		const against = (name: string, own: number, base: number, note?: string) =>
			compare({ name, unit: "ms", ours: own, base, aim: AIM, ...(note && { note }) });
		return {
			measures: [
				against("leaf + PFX / PKI.js", ours, pkijs, `medians of ${rounds} x ${BATCH}`),
				against("leaf + PFX / node-forge", ours, forge),
				against("leaf + PFX legacy / node-forge", oursLegacy, forgeLegacy),
			],
		};
	} finally {
		await service.stop();
	}
};

async function time({ http }: BenchService, name: string): Promise<number> {
	const { ms } = await http.expect(200, { path: `/bench/issue?with=${name}&n=${BATCH}` });
	return ms / BATCH;
}
