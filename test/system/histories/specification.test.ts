import { expect, test } from "vitest";
import { count, runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import type { Call, Operation } from "./calls.ts";
import { hasOrder } from "./every-order.ts";
import { checkLinearizability } from "./linearizability.ts";
import { PAIRS, readLines } from "./pairs.ts";
import { drawPlan, drawSmallPlan, type Plan, pick, type Random } from "./plan.ts";
import { simulateHistory } from "./simulate.ts";
import { specify } from "./specification.ts";
import { freshState } from "./state.ts";
import { explain, showHistory } from "./timeline.ts";

/* The checker and the specification of purchase codes on histories that no service made. */

const LIMITS = { states: 200_000, milliseconds: 30_000 };
const size = runSize({ runs: 40, seed: 3 });

function verdictOf(history: readonly Operation[], { mode, codes }: Pick<Plan, "mode" | "codes">) {
	return checkLinearizability(history, specify(freshState(mode, codes), history), LIMITS);
}

/* ---------------------------------------------------------------- written by hand */

test.each(PAIRS)("$what is refused, its good pair is not", ({ good, bad: [index, line] }) => {
	const check = (lines: typeof good) => {
		const history = readLines(lines);
		const verdict = verdictOf(history, { mode: "B2C", codes: ["A", "B"].slice(0, namesB(history) ? 2 : 1) });
		return [verdict.kind, explain(history, verdict)];
	};
	expect(check(good)).toEqual(["linearizable", ""]);
	expect(check(good.with(index, line))[0]).toBe("refused");
});

function namesB(history: readonly Operation[]): boolean {
	return history.some(({ call }) => "code" in call && call.code === "B");
}

/* ---------------------------------------------------------------- drawn at random */

test("random executions of the specification are accepted; one answer changed, most are refused", {
	timeout: 600_000,
}, ({ task }) => {
	const random = seededRandom(size.seed);
	const simulated = { accepted: 0, changed: 0, refused: 0, undecided: 0 };
	for (let run = 0; run < size.runs; run++) {
		const plan = drawPlan(random);
		const history = simulateHistory(plan, random, run % 2 === 0 ? 0 : 0.02);
		const verdict = verdictOf(history, plan);
		expect([verdict.kind, explain(history, verdict)]).toEqual(["linearizable", ""]);
		simulated.accepted += 1;
		const changed = changeOneAnswer(random, history);
		if (!changed) continue;
		const { kind } = verdictOf(changed, plan);
		simulated.changed += 1;
		simulated.undecided += Number(kind === "undecided");
		simulated.refused += Number(kind === "refused");
	}
	count(task, {
		simulatedHistories: simulated.accepted,
		simulatedWithOneAnswerChanged: simulated.changed,
		ofThoseRefused: simulated.refused,
		ofThoseUndecided: simulated.undecided,
	});
	expect(simulated.refused / simulated.changed).toBeGreaterThan(0.75);
});

test("on small histories, changed or not, the verdict is that of trying every order", { timeout: 600_000 }, ({
	task,
}) => {
	const random = seededRandom(size.seed);
	const found = { linearizable: 0, refused: 0, undecided: 0 };
	for (let run = 0; run < size.runs * 5; run++) {
		const plan = drawSmallPlan(random);
		const history = simulateHistory(plan, random, 0);
		const tried = random() < 0.3 ? history : (changeOneAnswer(random, history) ?? history);
		const { kind } = verdictOf(tried, plan);
		const plainly = specify(freshState(plan.mode, plan.codes), tried, { shortcut: false });
		const expected = hasOrder(tried, plainly) ? "linearizable" : "refused";
		expect(kind, showHistory(tried)).toBe(expected);
		found[kind] += 1;
	}
	count(task, { comparedWithEveryOrder: found.linearizable + found.refused });
	expect(Math.min(found.linearizable, found.refused)).toBeGreaterThan(size.runs / 2);
});

/** Another answer to such a call than its own, of this history or of those that any call may get. */
function changeOneAnswer(random: Random, history: readonly Operation[]): Operation[] | null {
	const chosen = pick(
		random,
		history.filter(({ call, answer }) => call.verb !== "pass" && answer !== null),
	);
	if (!chosen) return null;
	const known = history.flatMap(({ call, answer }) => (call.verb === chosen.call.verb ? [answer!] : []));
	const others = [...known, ...(COMMON[chosen.call.verb] ?? [])];
	const different = others.filter((answer) => answer !== null && answer !== chosen.answer);
	if (different.length === 0) return null;
	const answer = pick(random, different);
	return history.map((operation) => (operation === chosen ? { ...operation, answer } : operation));
}

const COMMON: Partial<Record<Call["verb"], string[]>> = {
	status: ["ACTIVE", "VALIDATED", "EMITTED", "LOCKED", "CANCELLED"],
	claim: [
		`200 issued ${"1".repeat(32)}`,
		"201 ALREADY_ISSUED",
		"202 VALIDATION_IN_PROGRESS",
		"404 NOT_FOUND",
		"406 CREDENTIALS_MISMATCH",
		"423 LOCKED",
	],
	request: [
		"406 ID_CARD_MISMATCH",
		"406 RUT_MISMATCH",
		"406 OTHER_VALIDATION_IN_PROGRESS",
		"406 CODE_ALREADY_USED",
		"423 LOCKED",
	],
};
