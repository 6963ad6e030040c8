import type { Build } from "./build.ts";
import type { Kill } from "./kill-plan.ts";
import { killThroughout } from "./kill-throughout.ts";
import type { Breakage } from "./settings.ts";
import type { Direction, Scenario, Step } from "./steps.ts";

/** Step at which a service with each defect is killed, and start of the line that reports it. */
const SIGNS: Record<Breakage, { step: Step | null; towards: Scenario; sign: string; moves?: Direction }> = {
	"serial-not-written": { step: "after-signing", towards: "b2b", sign: "2: " },
	"onboarding-left": { step: "session-ended", towards: "withdraw", sign: "4: " },
	"attempt-not-reserved": { step: "registry-answered", towards: "guess", sign: "4: " },
	"answer-before-commit": { step: "answer-received", towards: "b2c", sign: "3: " },
	"outbox-dropped": { step: "after-commit", towards: "b2b", sign: "outbox: " },
	"pin-logged": { step: null, towards: "b2b", sign: "5: " },
	"token-logged": { step: "session-opened", towards: "widget", sign: "5: a session's token" },
	"mark-left": { step: "code-marked", towards: "b2c", sign: "4: " },
	"list-shared": { step: null, towards: "list", sign: "6: " },
	"old-place-open": { step: "move away: finish", towards: "bulk", sign: "3: ", moves: "away" },
};

export const BREAKAGES = Object.keys(SIGNS) as Breakage[];

const KILLS = 5;
/** Time until a kill at no step. */
const LOAD_MS = 2_500;

/** Kills a service with the defect until something is found. @returns what was found, by its sign; empty: the defect passed. */
export async function findBreakage(build: Build, breakage: Breakage, seed: number): Promise<string[]> {
	const { step, towards, sign, moves } = SIGNS[breakage];
	const kill: Kill = {
		step,
		nth: 2,
		manner: "held",
		towards,
		during: "load",
		afterMs: LOAD_MS,
		recoveredBy: "alarm",
		...(moves && { moves }),
	};
	const { violations } = await killThroughout(build, seed, [Array<Kill>(KILLS).fill(kill)], { breakage });
	return violations.filter((violation) => violation.includes(`: ${sign}`));
}
