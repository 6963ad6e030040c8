import { parseArgs } from "node:util";
import type { Outcome } from "../proof.ts";
import { type Build, buildService } from "./build.ts";
import { planKills } from "./kill-plan.ts";
import { killThroughout } from "./kill-throughout.ts";
import { BREAKAGES, findBreakage } from "./self-check.ts";

const KILLS = 540;
/** Of one state: its files and its journal stay small enough to be looked at after every kill. */
const PER_WORLD = 25;
/** One kill in so many is followed by a real minute. */
const KILLS_PER_WAIT = 150;
const SIDE_BY_SIDE = 2;
const MINUTE_MS = 60_000;

/**
 * `npm run proof -- crash [--kills n] [--waits n] [--seed n] [--side-by-side n] [--minutes n]`: first services with a
 * defect, to show that they are found out, then the service itself. After so many minutes no kill begins.
 */
export async function proveCrashes(args: string[]): Promise<Outcome> {
	const { values } = parseArgs({
		args,
		options: {
			kills: { type: "string" },
			waits: { type: "string" },
			seed: { type: "string" },
			"side-by-side": { type: "string" },
			minutes: { type: "string" },
		},
	});
	const kills = Number(values.kills ?? KILLS);
	const realWaits = Number(values.waits ?? Math.floor(kills / KILLS_PER_WAIT));
	const seed = Number(values.seed ?? Date.now() % 2 ** 31);
	const sideBySide = Number(values["side-by-side"] ?? SIDE_BY_SIDE);
	const until = Date.now() + Number(values.minutes ?? Infinity) * MINUTE_MS;
	const build = await buildService();
	try {
		const passed = await findDefectsThatPass(build, seed);
		const plan = planKills(seed, { kills, perWorld: PER_WORLD, realWaits });
		const { figures, violations } = await killThroughout(build, seed, plan, {
			sideBySide,
			until,
			onWorld: (world, found) => {
				console.log(`world ${world} of ${plan.length}: violations ${found.length}`);
				for (const violation of found) console.log(`  ${violation}`);
			},
		});
		const caught = `${BREAKAGES.length - passed.length} of ${BREAKAGES.length}`;
		return {
			figures: { ...figures, "services broken on purpose and found out": caught },
			violations: [...violations, ...passed.map((breakage) => `a service with ${breakage} passed`)],
		};
	} finally {
		await build.remove();
	}
}

/** All at once: what each is killed for is a matter of a few calls. */
async function findDefectsThatPass(build: Build, seed: number): Promise<string[]> {
	const passed: string[] = [];
	await Promise.all(
		BREAKAGES.map(async (breakage) => {
			const [first = null] = await findBreakage(build, breakage, seed);
			console.log(`with ${breakage}: ${first ?? "nothing found"}`);
			if (first === null) passed.push(breakage);
		}),
	);
	return passed;
}
