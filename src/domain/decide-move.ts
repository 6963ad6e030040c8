import { SECOND_MS } from "./durations.ts";

/*
 * The next act of a partner's mover, from what the directory and the partner's places in the two databases say.
 * Nothing else remembers how far a move has come, so that any run goes on where the last one ended. Decision 9 has the
 * table.
 */

/**
 * `moving`: from `database` to `other`. `switched`: `database` is already the new one. `moved`: `other` has the old rows.
 * `returning`: the move is given up. `clearing`: the old rows go.
 */
export type WhereState = "open" | "moving" | "switched" | "moved" | "returning" | "clearing";

/** How far the copy has come, stored with the rows that it has. `noted`: the last note whose row was copied anew. */
export type Copied =
	/** Removes what an earlier move left. */
	| { phase: "erase"; table: number }
	/** `after`: the walk's last key of that table; null before its first page. */
	| { phase: "copy"; table: number; after: readonly (string | number)[] | null }
	/** `table`: the next one to be counted. */
	| { phase: "notes"; noted: number; table: number }
	/** Counts were the same, of all rows but those of later notes. Noted rows are compared as they are copied. */
	| { phase: "compared"; noted: number };

interface Place {
	epoch: number;
	state: "open" | "frozen" | "leaving" | "closed" | "mover";
}

export interface MoveFacts {
	/** `since`: when it came to its state. */
	directory: { state: WhereState; since: number };
	/** The place that the rows leave; null where there is none (any more). */
	from: (Place & { noting: boolean; since: number }) | null;
	/** The place that they go to. */
	to: (Place & { copied: Copied | null }) | null;
	/** Notes whose rows were not copied anew. */
	waiting: number;
}

type Done =
	| (
			| "note"
			| "prepare"
			| "erase"
			| "copy"
			| "catch_up"
			| "freeze"
			| "compare"
			| "close"
			| "thaw"
			| "switch"
			| "open"
			| "retire"
	  )
	| ("finish" | "reopen" | "clear" | "give_up" | "done")
	/** A database was set back under the move: ops decide. */
	| "restored";
export type MoveAct = { do: Done } | { do: "wait"; until: number };

/** Longer than any isolate caches a directory's row of a partner that does not move. */
const OLD_ROWS_END_MS = 35 * SECOND_MS;
/** Longer than any caches the row of one that does. */
const DRAIN_MS = 2 * SECOND_MS;
/** Longer than any call lasts that found the partner before. */
const OLD_CALLS_END_MS = 70 * SECOND_MS;
/** Notes that are left to the freeze. */
export const FEW_NOTES = 200;
/** A freeze that has lasted so long without the close is given up, and the next one begins that much later at the earliest. */
const FREEZE_MS = 20 * SECOND_MS;
const THAWED_MS = 60 * SECOND_MS;

export function nextAct({ directory, from, to, waiting }: MoveFacts, now: number): MoveAct {
	switch (directory.state) {
		case "moving":
			return copyAndClose(directory.since, { from, to, waiting }, now);
		case "switched":
			if (to?.state === "open") return { do: from?.state === "leaving" ? "retire" : "finish" };
			if (to?.copied?.phase !== "compared") return { do: "restored" };
			return after(directory.since + DRAIN_MS, now, "open");
		case "returning":
			if (from?.state !== "open" || from.noting) return { do: "reopen" };
			return to ? after(directory.since + OLD_CALLS_END_MS, now, "clear") : { do: "give_up" };
		case "clearing":
			return from ? after(directory.since + OLD_CALLS_END_MS, now, "clear") : { do: "give_up" };
		default:
			return { do: "done" };
	}
}

function copyAndClose(
	since: number,
	{ from, to, waiting }: Omit<MoveFacts, "directory">,
	now: number,
): MoveAct {
	if (!from) return { do: "restored" };
	const copied = to?.epoch === from.epoch + 1 ? to.copied : null;
	if (from.state === "leaving" && copied?.phase === "compared") return { do: "switch" };
	// A place is left for a compared copy, and closed after the switch; a restore of a database can have taken that away.
	if (from.state === "leaving" || from.state === "closed") return { do: "restored" };
	if (!from.noting) return { do: "note" };
	if (!copied) return { do: "prepare" };
	if (copied.phase === "erase") return after(since + OLD_CALLS_END_MS, now, "erase");
	if (copied.phase === "copy") return { do: "copy" };
	if (from.state === "frozen") {
		if (copied.phase !== "compared" || now >= from.since + FREEZE_MS) return { do: "thaw" };
		return { do: waiting > 0 ? "catch_up" : "close" };
	}
	if (waiting > FEW_NOTES) return { do: "catch_up" };
	if (copied.phase === "notes") return after(since + OLD_ROWS_END_MS, now, "compare");
	return after(from.since + THAWED_MS, now, "freeze");
}

function after(until: number, now: number, act: Done): MoveAct {
	return now < until ? { do: "wait", until } : { do: act };
}
