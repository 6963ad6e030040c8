import { WebhookReceiver } from "../../support/webhook-receiver.ts";
import type { KilledSigner } from "../signer/killed-signer.ts";
import type { Build } from "./build.ts";
import type { Figures } from "./figures.ts";
import { Fixture, type Surroundings } from "./fixture.ts";
import type { Kill } from "./kill-plan.ts";
import { Random } from "./random.ts";
import type { Breakage } from "./settings.ts";

interface Found {
	figures: Record<string, number | string>;
	/** A line for each promise found broken. */
	violations: string[];
}

interface Options {
	/** A defect to build in; then the first violation ends its fixture. */
	breakage?: Breakage | null;
	/** Number of fixtures at a time. */
	atOnce?: number;
	/** Signer of the one fixture. */
	signer?: KilledSigner;
}

/**
 * Kills the service in one fixture after the other, and looks at what is left.
 * @param plan - the kills of each fixture.
 */
export async function killThroughout(
	build: Build,
	seed: number,
	plan: readonly Kill[][],
	{ breakage = null, atOnce = 1, signer }: Options = {},
): Promise<Found> {
	const fixtures = plan.entries();
	const violations: string[] = [];
	const figures: Figures[] = [];
	const work = async () => {
		for (const [n, kills] of fixtures) {
			const fixture = await runFixture(kills, {
				build,
				random: new Random(seed + n),
				breakage,
				...(signer && { signer }),
			});
			violations.push(...fixture.violations.map((violation) => `fixture ${n + 1}: ${violation}`));
			figures.push(fixture.figures);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return { figures: sumUp(seed, figures), violations };
}

async function runFixture(
	kills: Kill[],
	surroundings: Omit<Surroundings, "receiver" | "url">,
): Promise<Fixture> {
	const receiver = new WebhookReceiver();
	const url = await receiver.listen();
	try {
		const fixture = new Fixture({ ...surroundings, receiver, url }, await surroundings.build.createFixture());
		await fixture.run(kills);
		return fixture;
	} finally {
		await receiver.close();
	}
}

function sumUp(seed: number, fixtures: readonly Figures[]): Found["figures"] {
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const kills = new Map<string, number>();
	for (const fixture of fixtures)
		for (const [step, n] of fixture.kills) kills.set(step, (kills.get(step) ?? 0) + n);
	const named = [...kills].filter(([step]) => !step.startsWith("random"));
	const counts = Object.keys(fixtures[0]?.counts ?? {}) as (keyof Figures["counts"])[];
	return {
		seed,
		kills: sum([...kills.values()]),
		"kills at a named step": sum(named.map(([, n]) => n)),
		"steps not reached in time": sum(fixtures.map(({ missed }) => missed)),
		...Object.fromEntries([...kills].sort().map(([step, n]) => [`kills: ${step}`, n])),
		...Object.fromEntries(counts.map((name) => [name, sum(fixtures.map((fixture) => fixture.counts[name]))])),
	};
}
