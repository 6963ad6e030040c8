import { expect } from "vitest";
import { testsAtNight } from "../../interop/tool-test.ts";
import { count, runSize } from "../../support/run-size.ts";
import { buildService } from "../crash/build.ts";
import type { Kill } from "../crash/kill-plan.ts";
import { killThroughout } from "../crash/kill-throughout.ts";
import { Random } from "../crash/random.ts";
import type { Step } from "../crash/steps.ts";
import { KilledSigner } from "./killed-signer.ts";

/* The signer over SoftHSM, killed by SIGKILL under load: alone, and together with the service. A run is a kill of each kind. */

const TIMEOUT_MS = 300_000;
const { runs, seed } = runSize({ runs: 1, seed: 20_261_123 });

/** Load towards certificates; both sides also die before and after a signature that is on its way. */
function plan(steps: readonly (Step | null)[]): Kill[] {
	const random = new Random(seed);
	return Array.from({ length: runs }, (_, n) => ({
		step: steps[n % steps.length]!,
		nth: 1 + random.below(3),
		manner: "held",
		towards: n % 2 === 0 ? "b2b" : "b2c",
		during: "load",
		afterMs: 300 + random.below(1_500),
		recoveredBy: n % 2 === 0 ? "call" : "alarm",
	}));
}

testsAtNight("softhsm2-util")(
	"architecture, invariants: whoever of service and signer is killed, no serial is signed twice or unknown, and no code is stuck",
	async ({ task }) => {
		const kills = [
			["both sides", "service", ["after-signing", "before-signing", null]],
			["the signer", "nobody", [null]],
		] as const;
		const found: string[] = [];
		for (const [who, diesWith, steps] of kills) {
			await using own = await KilledSigner.prepare();
			own.diesWith = diesWith;
			const service = await buildService({ secrets: await own.secrets() });
			const { figures, violations } = await killThroughout(service, seed, [plan(steps)], { signer: own });
			await service.remove();
			count(task, {
				[`kills of ${who}`]: figures.kills!,
				[`serials signed, kills of ${who}`]: figures["serials signed"]!,
			});
			found.push(...violations.map((violation) => `${who}: ${violation}`));
			expect(figures["serials signed"], who).toBeGreaterThan(runs);
			if (violations.length === 0) expect(figures.kills, who).toBe(runs);
		}
		expect(found).toEqual([]);
	},
	TIMEOUT_MS + runs * 60_000,
);
