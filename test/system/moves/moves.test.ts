import { expect, test } from "vitest";
import { isLongRun } from "../../support/run-size.ts";
import { explore, SIZES } from "./move-model.ts";

/* Decision 9: how a partner moves. Every interleaving of two movers, a writer and a reader, at a small size. */

const SIZE = isLongRun ? SIZES.large : SIZES.small;

test("no interleaving loses a write, reads what is old, has two writers, or leaves a partner stuck", {
	timeout: 1_800_000,
}, () => {
	const { states, broken } = explore(null, SIZE);
	expect(broken).toBe(null);
	expect(states).toBeGreaterThan(20_000);
});

test.each([
	["no triggers", "lost write"],
	["no drain", "stale read"],
	["no announcement", "stale read"],
	["no epoch", "stuck"],
	["no comparison", "lost write"],
	["no last notes", "lost write"],
	["closes at once", "unseen"],
] as const)("a mover with %s is told apart: %s", (fault, fails) => {
	expect(explore(fault, SIZES.small).broken).toBe(fails);
});
