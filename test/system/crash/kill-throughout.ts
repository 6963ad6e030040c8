import { median } from "simple-statistics";
import { WebhookReceiver } from "../../support/webhook-receiver.ts";
import type { Build } from "./build.ts";
import type { Kill } from "./kill-plan.ts";
import { Random } from "./random.ts";
import type { Breakage } from "./settings.ts";
import { World } from "./world.ts";
import type { WorldFigures } from "./world-figures.ts";

interface Found {
	figures: Record<string, number | string>;
	/** A line for each promise found broken. */
	violations: string[];
}

interface Options {
	/** A defect to build in; then the first violation ends its world. */
	breakage?: Breakage | null;
	/** How many worlds run at a time. */
	atOnce?: number;
}

/**
 * Kills the service in one world after the other, and looks at what is left.
 * @param plan - the kills of each world.
 */
export async function killThroughout(
	build: Build,
	seed: number,
	plan: readonly Kill[][],
	{ breakage = null, atOnce = 1 }: Options = {},
): Promise<Found> {
	const worlds = plan.entries();
	const violations: string[] = [];
	const figures: WorldFigures[] = [];
	const work = async () => {
		for (const [n, kills] of worlds) {
			const world = await runWorld(build, new Random(seed + n), kills, breakage);
			violations.push(...world.violations.map((violation) => `world ${n + 1}: ${violation}`));
			figures.push(world.figures);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return { figures: sumUp(seed, figures), violations };
}

async function runWorld(
	build: Build,
	random: Random,
	kills: Kill[],
	breakage: Breakage | null,
): Promise<World> {
	const receiver = new WebhookReceiver();
	const url = await receiver.listen();
	try {
		const world = new World({ build, receiver, url, random, breakage }, await build.createWorld());
		await world.run(kills);
		return world;
	} finally {
		await receiver.close();
	}
}

function sumUp(seed: number, worlds: readonly WorldFigures[]): Found["figures"] {
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const kills = new Map<string, number>();
	for (const world of worlds)
		for (const [step, n] of world.kills) kills.set(step, (kills.get(step) ?? 0) + n);
	const restarts = worlds.flatMap((world) => world.restarts);
	const named = [...kills].filter(([step]) => !step.startsWith("random"));
	const counts = Object.keys(worlds[0]?.counts ?? {}) as (keyof WorldFigures["counts"])[];
	return {
		seed,
		worlds: worlds.length,
		kills: sum([...kills.values()]),
		"kills at a named step": sum(named.map(([, n]) => n)),
		"fewest kills at a step": Math.min(...named.map(([, n]) => n)),
		"steps not reached in time": sum(worlds.map(({ missed }) => missed)),
		...Object.fromEntries([...kills].sort().map(([step, n]) => [`kills: ${step}`, n])),
		...Object.fromEntries(counts.map((name) => [name, sum(worlds.map((world) => world.counts[name]))])),
		"leases settled by their alarm after a real minute": sum(
			worlds.map(({ settledAfterMinute }) => settledAfterMinute),
		),
		"restart, median ms": Math.round(median(restarts)),
	};
}
