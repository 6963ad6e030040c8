import { afterAll, beforeAll, expect, test } from "vitest";
import { count, isLongRun, runSize } from "../../support/run-size.ts";
import { type Build, buildService } from "./build.ts";
import { planKills, planOneEach } from "./kill-plan.ts";
import { killThroughout } from "./kill-throughout.ts";
import { BREAKAGES, findBreakage } from "./self-check.ts";
import { STEPS as ALL_STEPS, type Step } from "./steps.ts";

/* The service as a process of its own, killed by SIGKILL. A run is a kill. */

const TIMEOUT_MS = 300_000;
/** Kills in one state: its files and its journal stay small enough to be checked after every kill. */
const PER_STATE = 25;
/** One kill in so many is followed by a real minute. */
const KILLS_PER_WAIT = 150;
const AT_ONCE = 2;

const STEPS: Step[] = ["during-commit", "after-submission", "after-download", "move away: open"];
/** Steps of the widget: a run that does not reach them proves nothing about it. */
const REACHED = [
	"widget submissions",
	"widget downloads",
	"widget sessions gone on with after a crash",
	"calls refused while the partner moved",
	/* CI's size yields one or two, or none when the machine is busy. */
	...(isLongRun ? ["widget downloads repeated"] : []),
];
/** A random one, and one at each of these steps: none of a recovery, which a kill of its own comes before. */
const IN_CI = 1 + STEPS.length;
/** Kills with which each step is planned some times. */
const ENOUGH = 200;

const { runs, seed } = runSize({ runs: IN_CI, seed: 20_261_121 });

let build: Build;

beforeAll(async () => {
	build = await buildService();
}, TIMEOUT_MS);
afterAll(() => build.remove());

test(
	"architecture, invariants: a service killed at named steps, while it recovers and at random moments loses nothing and issues nothing twice",
	async ({ task }) => {
		const plan = isLongRun
			? planKills(seed, { kills: runs, perState: PER_STATE, realWaits: Math.floor(runs / KILLS_PER_WAIT) })
			: [planOneEach(seed, STEPS)];
		const { figures, violations } = await killThroughout(build, seed, plan, { atOnce: AT_ONCE });
		count(task, figures);
		expect(violations).toEqual([]);
		for (const figure of REACHED) expect(figures[figure], figure).toBeGreaterThan(0);
		if (isLongRun) {
			const missed = Object.keys(ALL_STEPS).filter((step) => !figures[`kills: ${step}`]);
			if (runs >= ENOUGH) expect(missed).toEqual([]);
			return;
		}
		expect(figures["steps not reached in time"]).toBe(0);
		expect(figures.kills).toBe(IN_CI);
	},
	TIMEOUT_MS + runs * 20_000,
);

test.skipIf(!isLongRun).each(BREAKAGES)(
	"architecture, invariants: a service broken on purpose is found out: %s",
	async (breakage) => {
		expect(await findBreakage(build, breakage, seed)).not.toEqual([]);
	},
	TIMEOUT_MS,
);
