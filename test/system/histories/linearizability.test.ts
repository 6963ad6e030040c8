import { expect, test } from "vitest";
import { seededRandom } from "../../support/seeded-random.ts";
import { hasOrder } from "./every-order.ts";
import { checkLinearizability, type Specification, type Timed } from "./linearizability.ts";
import { below, pick, type Random } from "./plan.ts";

/* The checker on objects so small that a reader can see the verdict. */

const LIMITS = { states: 10_000, milliseconds: 10_000 };

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

const write = (from: number, to: number, value: number): Act => act("write", from, to, value, null);
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

test.each<[string, Act[], "linearizable" | "refused"]>([
	["nothing", [], "linearizable"],
	["one after the other", [write(1, 2, 7), read(3, 4, 7)], "linearizable"],
	["a read during the write, before it", [write(1, 4, 7), read(2, 3, 0)], "linearizable"],
	["a read during the write, behind it", [write(1, 4, 7), read(2, 3, 7)], "linearizable"],
	["a stale read", [write(1, 2, 7), read(3, 4, 0)], "refused"],
	["a read of what is written later", [read(1, 2, 7), write(3, 4, 7)], "refused"],
	["reads that go back", [write(1, 8, 7), read(2, 3, 7), read(4, 5, 0)], "refused"],
	[
		"readers who disagree on the order",
		[write(1, 9, 1), write(2, 10, 2), read(3, 4, 1), read(5, 6, 2), read(7, 8, 1)],
		"refused",
	],
	["two additions", [add(1, 4, 1, 1), add(2, 3, 1, 2)], "linearizable"],
	["a lost update", [add(1, 4, 1, 1), add(2, 3, 1, 1)], "refused"],
	["an update counted twice", [add(1, 2, 1, 1), read(3, 4, 2)], "refused"],
	["never answered, and it happened", [add(1, NEVER, 5, null), read(2, 3, 5)], "linearizable"],
	[
		"never answered, and it happened later",
		[add(1, NEVER, 5, null), read(2, 3, 0), read(4, 5, 5)],
		"linearizable",
	],
	["never answered, and it never happened", [add(1, NEVER, 5, null), read(2, 3, 0)], "linearizable"],
	["never answered, and it happened twice", [add(1, NEVER, 5, null), read(2, 3, 10)], "refused"],
	["never answered, and it happened before its call", [read(1, 2, 5), add(3, NEVER, 5, null)], "refused"],
	[
		"too late to start",
		[{ ...add(1, NEVER, 5, null), startedBy: 2 }, write(3, 4, 1), read(5, 6, 6)],
		"refused",
	],
])("%s: %#", (_, history, verdict) => {
	expect(checkLinearizability(history, NUMBER, LIMITS).kind).toBe(verdict);
});

test("an operation of two steps shows others what lies between them", () => {
	type Door = Timed & { asks: "pass" | "look"; sees?: "open" | "shut" };
	/** `pass` opens the door and shuts it again. */
	const door: Specification<Door | null, Door> = {
		initial: null,
		key: (inside) => String(inside?.invokedAt),
		step(inside, operation) {
			if (operation.asks === "look")
				return (inside ? "open" : "shut") === operation.sees
					? [{ state: inside, done: true, free: true }]
					: [];
			if (inside === null) return [{ state: operation, done: false, free: false }];
			return inside === operation ? [{ state: null, done: true, free: false }] : [];
		},
	};
	const at = (invokedAt: number, returnedAt: number) => ({ invokedAt, returnedAt });
	const passes: Door = { asks: "pass", ...at(1, 10) };
	const look = (from: number, sees: "open" | "shut"): Door => ({ asks: "look", sees, ...at(from, from + 1) });
	const check = (...history: Door[]) => checkLinearizability(history, door, LIMITS).kind;
	expect(check(passes, look(2, "shut"), look(4, "open"), look(6, "shut"))).toBe("linearizable");
	expect(check(passes, look(2, "open"), look(4, "shut"), look(6, "open"))).toBe("refused");
	expect(check({ ...passes, returnedAt: 3 }, look(4, "open"))).toBe("refused");
	expect(check(look(4, "open"))).toBe("refused");
});

test("a search beyond its limits is undecided, not a pass", () => {
	const history = Array.from({ length: 12 }, (_, i) => add(1 + i / 100, 2 + i / 100, 2 ** i, null));
	history.push(read(3, 4, 1));
	const check = (limits: typeof LIMITS) => checkLinearizability(history, NUMBER, limits).kind;
	expect(check({ states: 100, milliseconds: 10_000 })).toBe("undecided");
	expect(check({ states: 1_000_000, milliseconds: 0 })).toBe("undecided");
	expect(check({ states: 1_000_000, milliseconds: 60_000 })).toBe("refused");
});

test("a refusal names the longest order and who could not go on", () => {
	const late = read(5, 6, 0);
	const verdict = checkLinearizability([write(1, 2, 7), read(3, 4, 7), late], NUMBER, LIMITS);
	expect(verdict).toMatchObject({ kind: "refused", deepest: { state: 7, waiting: [late] } });
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
	const moments = shuffle(
		random,
		Array.from({ length: 12 }, (_, i) => i),
	);
	return Array.from({ length: 2 + below(random, 5) }, (_, i) => {
		const [from, to] = [moments[2 * i]!, moments[2 * i + 1]!].sort((a, b) => a - b) as [number, number];
		const kind = pick(random, ["write", "read", "add"] as const);
		const open = kind !== "read" && random() < 1 / 6;
		const answer = open || kind === "write" ? null : below(random, 3);
		return act(kind, from, open ? NEVER : to, 1 + below(random, 2), answer);
	});
}

function shuffle<T>(random: Random, items: T[]): T[] {
	for (let i = items.length - 1; i > 0; i--) {
		const j = below(random, i + 1);
		[items[i], items[j]] = [items[j]!, items[i]!];
	}
	return items;
}
