import { expect, test } from "vitest";
import {
	type Copied,
	FEW_NOTES,
	type MoveFacts,
	nextAct,
	type WhereState,
} from "../../../src/domain/decide-move.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { NOW } from "./code-in-state.ts";

/* A mover's next act. That all acts together lose nothing is tried in every interleaving by test/system/moves. */

const FROM = { epoch: 4, state: "open", noting: true, since: NOW - MINUTE_MS } as const;
const compared: Copied = { phase: "compared", noted: 9 };
const notes: Copied = { phase: "notes", noted: 9, table: 0 };
const to = (copied: Copied | null, state: "mover" | "open" = "mover", epoch = 5) => ({
	epoch,
	state,
	copied,
});
const frozen = { ...FROM, state: "frozen", since: NOW - 20 * SECOND_MS + 1 } as const;

test.each<[string, WhereState, number, MoveFacts["from"], MoveFacts["to"], number, unknown]>([
	["done", "open", 0, FROM, null, 0, { do: "done" }],
	["done", "moved", 0, FROM, null, 0, { do: "done" }],
	["no place to leave", "moving", 0, null, to(compared), 0, { do: "restored" }],
	["no notes yet", "moving", 0, { ...FROM, noting: false }, to(notes), 0, { do: "note" }],
	["nothing prepared", "moving", 0, FROM, null, 0, { do: "prepare" }],
	["what an earlier move prepared", "moving", 0, FROM, to(compared, "mover", 4), 0, { do: "prepare" }],
	[
		"old rows, soon",
		"moving",
		69_999,
		FROM,
		to({ phase: "erase", table: 1 }),
		0,
		{ do: "wait", until: NOW + 1 },
	],
	["old rows", "moving", 70_000, FROM, to({ phase: "erase", table: 1 }), 0, { do: "erase" }],
	["a copy under way", "moving", 0, FROM, to({ phase: "copy", table: 1, after: null }), 0, { do: "copy" }],
	["many notes", "moving", 35_000, FROM, to(notes), FEW_NOTES + 1, { do: "catch_up" }],
	["few notes, soon", "moving", 34_999, FROM, to(notes), FEW_NOTES, { do: "wait", until: NOW + 1 }],
	["few notes", "moving", 35_000, FROM, to(notes), FEW_NOTES, { do: "compare" }],
	["compared", "moving", 0, FROM, to(compared), FEW_NOTES, { do: "freeze" }],
	[
		"compared, thawed a moment ago",
		"moving",
		0,
		{ ...FROM, since: FROM.since + 1 },
		to(compared),
		0,
		{ do: "wait", until: NOW + 1 },
	],
	["frozen, with notes", "moving", 0, frozen, to(compared), 1, { do: "catch_up" }],
	["frozen, without", "moving", 0, frozen, to(compared), 0, { do: "close" }],
	[
		"frozen too long",
		"moving",
		0,
		{ ...frozen, since: NOW - 20 * SECOND_MS },
		to(compared),
		0,
		{ do: "thaw" },
	],
	["frozen, not compared", "moving", 0, frozen, to(notes), 0, { do: "thaw" }],
	["left", "moving", 0, { ...FROM, state: "leaving" }, to(compared), 0, { do: "switch" }],
	["left, not compared", "moving", 0, { ...FROM, state: "leaving" }, to(notes), 0, { do: "restored" }],
	["closed", "moving", 0, { ...FROM, state: "closed" }, to(compared), 0, { do: "restored" }],
	["left behind", "switched", 0, { ...FROM, state: "leaving" }, to(compared, "open"), 0, { do: "retire" }],
	["closed behind", "switched", 0, { ...FROM, state: "closed" }, to(compared, "open"), 0, { do: "finish" }],
	["nothing behind", "switched", 0, null, to(compared, "open"), 0, { do: "finish" }],
	["switched, soon", "switched", 1_999, FROM, to(compared), 0, { do: "wait", until: NOW + 1 }],
	["switched", "switched", 2_000, FROM, to(compared), 0, { do: "open" }],
	["switched, not compared", "switched", 2_000, FROM, to(notes), 0, { do: "restored" }],
	["switched to nothing", "switched", 2_000, FROM, null, 0, { do: "restored" }],
	["given up, noting", "returning", 70_000, FROM, to(notes), 0, { do: "reopen" }],
	["given up, frozen", "returning", 70_000, { ...frozen, noting: false }, to(notes), 0, { do: "reopen" }],
	["given up, no place", "returning", 70_000, null, to(notes), 0, { do: "reopen" }],
	["given up, a copy left", "returning", 70_000, { ...FROM, noting: false }, to(notes), 0, { do: "clear" }],
	[
		"given up, soon",
		"returning",
		69_999,
		{ ...FROM, noting: false },
		to(notes),
		0,
		{ do: "wait", until: NOW + 1 },
	],
	["given up, nothing left", "returning", 0, { ...FROM, noting: false }, null, 0, { do: "give_up" }],
	["old rows to clear", "clearing", 70_000, FROM, null, 0, { do: "clear" }],
	["old rows to clear, soon", "clearing", 69_999, FROM, null, 0, { do: "wait", until: NOW + 1 }],
	["nothing to clear", "clearing", 0, null, null, 0, { do: "give_up" }],
])("%s (%s, for %i ms)", (_what, state, milliseconds, from, place, waiting, act) => {
	expect(nextAct({ directory: { state, since: NOW - milliseconds }, from, to: place, waiting }, NOW)).toEqual(
		act,
	);
});
