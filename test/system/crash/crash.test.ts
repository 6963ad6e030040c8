import { afterAll, beforeAll, expect, test } from "vitest";
import { type Build, buildService } from "./build.ts";
import { planOneEach } from "./kill-plan.ts";
import { killThroughout } from "./kill-throughout.ts";
import { findBreakage } from "./self-check.ts";
import { OF_RECOVERY, type Step } from "./steps.ts";

/* The crash run (`npm run proof -- crash`) in little: the service as a process of its own, killed by SIGKILL. */

const SEED = 20_261_121;
const TIMEOUT_MS = 300_000;

const STEPS: Step[] = [
	"partner-counted",
	"lease-written",
	"registry-answered",
	"evidence-stored",
	"before-signing",
	"after-signing",
	"answer-drafted",
	"before-commit",
	"during-commit",
	"after-commit",
	"webhook-received",
	"after-email",
	"before-answer",
	"after-bulk",
	"before-settling",
	"after-settling",
];

let build: Build;

beforeAll(async () => {
	build = await buildService();
}, TIMEOUT_MS);
afterAll(() => build.remove());

test(
	"architecture, invariants: a service killed at named steps, while it recovers and at random moments loses nothing and issues nothing twice",
	async () => {
		const plan = [planOneEach(SEED, STEPS.slice(0, 7), 1), planOneEach(SEED + 1, STEPS.slice(7), 0)];
		const { figures, violations } = await killThroughout(build, SEED, plan, { sideBySide: 2 });
		expect(violations).toEqual([]);
		expect(figures["steps not reached in time"]).toBe(0);
		// A random one, and one before each kill of a recovery: it leaves what there is to recover from.
		expect(figures.kills).toBe(STEPS.length + 1 + OF_RECOVERY.length);
	},
	TIMEOUT_MS,
);

test(
	"architecture, invariant 2: a service that signs before it writes down is found out",
	async () => {
		expect(await findBreakage(build, "serial-not-written", SEED)).not.toEqual([]);
	},
	TIMEOUT_MS,
);
