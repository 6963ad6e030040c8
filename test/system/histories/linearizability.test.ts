import { expect, test } from "vitest";
import { seededRandom } from "../../support/seeded-random.ts";
import { checkLinearizability, type Specification, type Timed } from "./linearizability.ts";
import { below, pick, type Random } from "./plan.ts";

const LIMITS = { states: 200_000, milliseconds: 30_000 };

/**
 * Tries every order of a small history step by step, with no memory and no shortcut: what the checker must agree with.
 * An operation goes on only when none that is not done was answered before it was called.
 */
function hasOrder(history: readonly Act[], { initial, step }: typeof NUMBER): boolean {
	function complete(state: number, left: readonly Act[]): boolean {
		if (left.every(({ returnedAt }) => returnedAt === Infinity)) return true;
		return left.some((operation) => {
			if (left.some(({ returnedAt }) => returnedAt < operation.invokedAt)) return false;
			return step(state, operation).some((next) =>
				complete(next.state, next.done ? left.filter((other) => other !== operation) : left),
			);
		});
	}
	return complete(initial, history);
}

/* The checker on a number, against trying every order. */

/** A number that is written, read, and added to; `add` answers the sum. */
interface Act extends Timed {
	act: "write" | "read" | "add";
	value: number;
	/** Answer to `read` and `add`; null without one. */
	answer: number | null;
}

const NUMBER: Specification<number, Act> = {
	initial: 0,
	key: String,
	step(state, { act, value, answer }) {
		const next = { write: value, read: state, add: state + value }[act];
		return act !== "write" && answer !== null && answer !== next
			? []
			: [{ state: next, done: true, free: act === "read" }];
	},
};

const read = (from: number, to: number, answer: number): Act => act("read", from, to, 0, answer);
const add = (from: number, to: number, value: number, answer: number | null): Act =>
	act("add", from, to, value, answer);
const NEVER = Infinity;

function act(
	kind: Act["act"],
	invokedAt: number,
	returnedAt: number,
	value: number,
	answer: number | null,
): Act {
	return { act: kind, invokedAt, returnedAt, value, answer };
}

test("a search beyond its limits is undecided, not a pass", () => {
	const history = Array.from({ length: 12 }, (_, i) => add(1 + i / 100, 2 + i / 100, 2 ** i, null));
	history.push(read(3, 4, 1));
	const check = (limits: typeof LIMITS) => checkLinearizability(history, NUMBER, limits).kind;
	expect(check({ states: 100, milliseconds: 10_000 })).toBe("undecided");
	expect(check({ states: 1_000_000, milliseconds: 0 })).toBe("undecided");
	expect(check({ states: 1_000_000, milliseconds: 60_000 })).toBe("refused");
});

test("2,000 small random histories: the verdict is that of trying every order", () => {
	const random = seededRandom(4);
	const found = { linearizable: 0, refused: 0, undecided: 0 };
	for (let i = 0; i < 2_000; i++) {
		const history = drawHistory(random);
		const { kind } = checkLinearizability(history, NUMBER, LIMITS);
		expect([kind, history]).toEqual([hasOrder(history, NUMBER) ? "linearizable" : "refused", history]);
		found[kind] += 1;
	}
	// A drawing in which one verdict hardly comes up would compare little.
	expect(Math.min(found.linearizable, found.refused)).toBeGreaterThan(500);
});

/** Up to six operations with answers as likely right as wrong; one in six was never answered. */
function drawHistory(random: Random): Act[] {
	return Array.from({ length: 2 + below(random, 5) }, () => {
		const [from, to] = [random(), random()].sort((a, b) => a - b) as [number, number];
		const kind = pick(random, ["write", "read", "add"] as const);
		const open = kind !== "read" && random() < 1 / 6;
		const answer = open || kind === "write" ? null : below(random, 3);
		return act(kind, from, open ? NEVER : to, 1 + below(random, 2), answer);
	});
}
