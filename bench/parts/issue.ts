import { compare, interleave, type Part } from "../measure.ts";
import { type BenchService, startService } from "../service.ts";
import { median } from "../statistics.ts";

const AIM = { below: 1 };
const BATCH = 10;

/** Leaf and PFX around a ready key pair, ours with its lint, in workerd: against PKI.js and node-forge. */
export const measureIssue: Part = async ({ quick }) => {
	const service = await startService();
	try {
		const rounds = quick ? 3 : 12;
		const names = ["ours", "pkijs", "forge", "ours-legacy", "forge-legacy"];
		for (const name of names) for (let i = 0; i < 2; i++) await time(service, name);
		const samples = await interleave(
			rounds,
			names.map((name) => () => time(service, name)),
		);
		const [ours, pkijs, forge, oursLegacy, forgeLegacy] = samples.map(median) as [
			number,
			number,
			number,
			number,
			number,
		];
		const note = `medians of ${rounds} x ${BATCH}`;
		return {
			measures: [
				compare({ name: "leaf + PFX / PKI.js", unit: "ms", ours, base: pkijs, aim: AIM, note }),
				compare({ name: "leaf + PFX / node-forge", unit: "ms", ours, base: forge, aim: AIM }),
				compare({
					name: "leaf + PFX legacy / node-forge",
					unit: "ms",
					ours: oursLegacy,
					base: forgeLegacy,
					aim: AIM,
				}),
			],
		};
	} finally {
		await service.stop();
	}
};

async function time({ client }: BenchService, name: string): Promise<number> {
	const { ms } = await client.expect(200, { path: `/bench/issue?with=${name}&n=${BATCH}` });
	return ms / BATCH;
}
