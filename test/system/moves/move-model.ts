import { type Copied, type MoveAct, nextAct, type WhereState } from "../../../src/domain/decide-move.ts";

/*
 * A small model of a move: one partner of one row in two databases, a writer and a reader, whose isolates cache
 * the directory's row, and two movers that look, decide by `nextAct` and act, each of which may be killed in between; the
 * second one looks once. `explore` visits every interleaving. A mover's wait ends when no cached row is left that it waits for.
 */

type Fault =
	| "closes at once"
	| "no last notes"
	| "no triggers"
	| "no drain"
	| "no announcement"
	| "no epoch"
	| "no comparison";

interface Place {
	epoch: number;
	state: "open" | "frozen" | "leaving" | "closed";
	noting: boolean;
	copied: Copied | null;
}
interface Look {
	act: Exclude<MoveAct["do"], "wait" | "done" | "restored">;
	from: 0 | 1;
	epoch: number;
	turn: number;
	copied: string;
}
/** A call under way: `at`: the database that its directory's row named. */
interface Call {
	at: 0 | 1;
	/** Writer: the version that it read, or null; reader: the version acknowledged when it began. */
	seen: number | null;
}
interface State {
	/** The directory's row; `turn` grows with each change of it. */
	where: { state: WhereState; database: 0 | 1; turn: number };
	places: [Place | null, Place | null];
	/** The row's version; null: it is not there. */
	rows: [number | null, number | null];
	/** How many changes were noted. */
	notes: [number, number];
	acknowledged: number;
	/** The directory's row in the writer's isolate and in the reader's. */
	cached: [Cached, Cached];
	writing: Call | null;
	reading: Call | null;
	movers: [Look | null, Look | null];
	left: Record<"writes" | "reads" | "returns" | "moves" | "losses" | "looks" | "thaws", number>;
	broken: string | null;
}

type Cached = { at: 0 | 1; long: boolean } | null;

const other = (database: 0 | 1) => (1 - database) as 0 | 1;
const BEFORE: readonly Copied[] = [
	{ phase: "erase", table: 0 },
	{ phase: "copy", table: 0, after: null },
];
const begin = (left: State["left"]): State => ({
	where: { state: "moving", database: 0, turn: 0 },
	places: [{ epoch: 1, state: "open", noting: false, copied: null }, null],
	rows: [1, null],
	notes: [0, 0],
	acknowledged: 1,
	cached: [
		{ at: 0, long: true },
		{ at: 0, long: true },
	],
	writing: null,
	reading: null,
	movers: [null, null],
	left,
	broken: null,
});

/** How often each thing may happen. */
export const SIZES = {
	small: { writes: 1, reads: 1, returns: 0, moves: 0, losses: 1, looks: 1, thaws: 1 },
	large: { writes: 2, reads: 1, returns: 1, moves: 1, losses: 1, looks: 1, thaws: 1 },
};

/** Looks as the mover does. @param late - whether the freeze has lasted too long. @returns what it would do now; null: wait, or nothing */
function look(state: State, fault: Fault | null, late = false): Look | null {
	const { where, places, cached } = state;
	const switched = where.state === "switched" || where.state === "moved" || where.state === "clearing";
	const from = switched ? other(where.database) : where.database;
	const to = other(from);
	const copied = places[to]?.copied;
	const noted = copied && "noted" in copied ? copied.noted : 0;
	const waiting = state.notes[from] - noted;
	const now = Number.MAX_SAFE_INTEGER;
	const source = places[from];
	const since = source?.state === "frozen" && !late ? now : 0;
	const facts = {
		directory: { state: where.state, since: 0 },
		from: source && { ...source, since },
		to: places[to],
		waiting,
	};
	// The few notes that `nextAct` leaves to the freeze are all in this model.
	const { do: act } = nextAct(facts, now);
	if (act === "freeze" && fault !== "no announcement" && cached.some((row) => row?.long)) return null;
	if (act === "open" && fault !== "no drain" && cached.some((row) => row?.at === from && !row.long))
		return null;
	const calls = [...cached, state.writing, state.reading];
	if ((act === "erase" || act === "clear") && calls.some((call) => call?.at === to)) return null;
	if (act === "wait" || act === "done" || act === "restored") return null;
	return {
		act,
		from,
		epoch: places[from]?.epoch ?? 0,
		turn: where.turn,
		copied: JSON.stringify(copied ?? null),
	};
}

/** Does what a mover decided on, if what it saw still holds: each act is one batch of one database. */
function act(state: State, { act, from, epoch, turn, copied }: Look, fault: Fault | null): void {
	const { where, places, rows, notes } = state;
	const to = other(from);
	const [source, target] = [places[from], places[to]];
	const isSource = source && (fault === "no epoch" || source.epoch === epoch);
	const isTarget =
		target?.state === "closed" &&
		(fault === "no epoch" || (target.epoch === epoch + 1 && JSON.stringify(target.copied) === copied));
	const progress = target?.copied;
	const turnTo = (state: WhereState, database = where.database) => {
		if (fault === "no epoch" || where.turn === turn)
			Object.assign(where, { state, database, turn: where.turn + 1 });
	};
	switch (act) {
		case "note":
			if (isSource && source.state === "open" && !source.noting) {
				source.noting = true;
				notes[from] = 0;
			}
			break;
		case "prepare":
			if (!target || (target.state === "closed" && (fault === "no epoch" || target.epoch <= epoch)))
				places[to] = { epoch: epoch + 1, state: "closed", noting: false, copied: BEFORE[target ? 0 : 1]! };
			break;
		case "erase":
			if (isTarget) {
				rows[to] = null;
				target.copied = { phase: "copy", table: 0, after: null };
			}
			break;
		case "copy":
			if (isTarget && progress?.phase === "copy") {
				rows[to] = rows[from];
				target.copied = { phase: "notes", noted: 0, table: 0 };
			}
			break;
		case "catch_up":
			if (isTarget && progress && "noted" in progress) {
				rows[to] = rows[from];
				target.copied = { ...progress, noted: notes[from] };
			}
			break;
		case "freeze":
			if (isSource && source.state === "open" && source.noting) source.state = "frozen";
			break;
		case "thaw":
			if (isSource && source.state === "frozen") source.state = "open";
			break;
		case "compare":
			if (!isTarget || progress?.phase !== "notes") break;
			// A row that was noted since is left out: it is copied anew.
			if (fault === "no comparison" || notes[from] > progress.noted || rows[0] === rows[1])
				target.copied = { phase: "compared", noted: progress.noted };
			else turnTo("returning");
			break;
		case "close": {
			const { noted } = JSON.parse(copied) as { noted: number };
			const all = fault === "no last notes" || notes[from] <= noted;
			if (isSource && source.state === "frozen" && all) {
				source.state = fault === "closes at once" ? "closed" : "leaving";
				source.noting = false;
			}
			break;
		}
		case "switch":
			turnTo("switched", to);
			break;
		case "open":
			if (isTarget && progress?.phase === "compared") {
				target.state = "open";
				target.copied = null;
			}
			break;
		case "retire":
			if (isSource && source.state === "leaving") source.state = "closed";
			break;
		case "finish":
			turnTo("moved");
			break;
		case "reopen":
			if (isSource) places[from] = { epoch: epoch + 2, state: "open", noting: false, copied: null };
			break;
		case "clear":
			if (target?.state === "closed" && target.epoch < epoch) {
				places[to] = null;
				rows[to] = null;
			}
			break;
		case "give_up":
			turnTo("open");
	}
}

/** Copies what an act changes in place; all else is replaced. */
function copyOf(state: State): State {
	const [one, other] = state.places;
	return {
		...state,
		where: { ...state.where },
		places: [one && { ...one }, other && { ...other }],
		rows: [...state.rows],
		notes: [...state.notes],
		cached: [...state.cached],
		movers: [...state.movers],
		left: { ...state.left },
	};
}

function* successors(state: State, fault: Fault | null): Generator<State> {
	const change = (apply: (next: State) => unknown): State => {
		const next = copyOf(state);
		apply(next);
		return next;
	};
	const { where, cached, left, writing, reading, movers } = state;
	for (const n of [0, 1] as const) {
		const read = { at: where.database, long: where.state === "open" || where.state === "moved" };
		yield change((next) => (next.cached[n] = cached[n] ? null : read));
		const plan = movers[n];
		const mayLook = !plan && (n === 0 || left.looks > 0);
		const seen = mayLook ? look(state, fault) : null;
		const thaw = mayLook && left.thaws > 0 ? look(state, fault, true) : null;
		if (thaw?.act === "thaw")
			yield change((next) => {
				next.movers[n] = thaw;
				next.left.thaws--;
				if (n === 1) next.left.looks--;
			});
		if (seen)
			yield change((next) => {
				next.movers[n] = seen;
				if (n === 1) next.left.looks--;
			});
		if (plan) {
			yield change((next) => {
				next.movers[n] = null;
				act(next, plan, fault);
			});
			yield change((next) => (next.movers[n] = null));
		}
	}
	// A fault of the copy: the row that was copied is not there.
	const to = other(where.database);
	if (left.losses && where.state === "moving" && state.places[to]?.copied?.phase === "notes")
		yield change((next) => {
			next.rows[to] = null;
			next.left.losses--;
		});
	if (left.writes && !writing && cached[0])
		yield change((next) => {
			next.writing = { at: cached[0]!.at, seen: null };
			next.left.writes--;
		});
	if (left.reads && !reading && cached[1])
		yield change((next) => {
			next.reading = { at: cached[1]!.at, seen: state.acknowledged };
			next.left.reads--;
		});
	if (writing) yield change((next) => write(next, writing, fault));
	if (reading)
		yield change((next) => {
			next.reading = null;
			if ((state.rows[reading.at] ?? 0) < reading.seen!) next.broken = "stale read";
		});
	if (left.returns && where.state === "moving")
		yield change((next) => {
			Object.assign(next.where, { state: "returning", turn: where.turn + 1 });
			next.left.returns--;
		});
	if (left.moves && (where.state === "open" || where.state === "moved"))
		yield change((next) => {
			Object.assign(next.where, { state: "moving", turn: where.turn + 1 });
			next.left.moves--;
		});
}

/** A write reads its row, then changes it if it is unchanged and its place there is open. */
function write(next: State, { at, seen }: Call, fault: Fault | null): void {
	const stored = next.rows[at];
	if (seen === null) {
		next.writing = stored === null ? null : { at, seen: stored };
		return;
	}
	next.writing = null;
	const place = next.places[at];
	if (stored !== seen || (fault !== "no triggers" && place?.state !== "open")) return;
	next.rows[at] = seen + 1;
	if (place?.noting) next.notes[at]++;
	if (next.acknowledged > seen) next.broken = "lost write";
	next.acknowledged = seen + 1;
}

/** Judges a state. At rest there is one open place, where the directory leads, with all that was acknowledged. */
function judge(state: State): string | null {
	if (state.broken) return state.broken;
	if (state.places.every((place) => place?.state === "open")) return "two writers";
	if (state.places.every((place) => !place || place.state === "closed")) return "unseen";
	const { database } = state.where;
	const isAtRest = state.where.state === "open" || state.where.state === "moved";
	if (isAtRest && state.places[database]?.state !== "open") return "stuck";
	const open = state.places.findIndex((place) => place?.state === "open");
	if (open >= 0 && (state.rows[open as 0 | 1] ?? 0) < state.acknowledged) return "lost write";
	return null;
}

/** Whether one mover that nobody disturbs ends the move. What breaks on its way is found when that state is visited. */
function ends(state: State, fault: Fault | null): boolean {
	const alone = copyOf(state);
	for (let acts = 0; acts < 30; acts++) {
		if (alone.where.state === "open" || alone.where.state === "moved" || judge(alone)) return true;
		const next = look(alone, fault);
		if (!next) return false;
		act(alone, next, fault);
	}
	return false;
}

/** Visits every state, up to the first in which something broke. @returns how many there were, and what broke */
export function explore(fault: Fault | null, size: State["left"]): { states: number; broken: string | null } {
	const first = begin(size);
	const known = new Set([JSON.stringify(first)]);
	const ended = new Map<string, boolean>();
	/** Looks once at states that differ in what such a mover does not look at. */
	const endsAlone = (state: State) => {
		const alone: State = {
			...state,
			cached: [null, null],
			writing: null,
			reading: null,
			movers: [null, null],
		};
		const key = JSON.stringify([state.where, state.places, state.rows, state.notes, state.acknowledged]);
		if (!ended.has(key)) ended.set(key, ends(alone, fault));
		return ended.get(key);
	};
	for (let states = [first]; states.length > 0; ) {
		const found: State[] = [];
		for (const state of states)
			for (const next of successors(state, fault)) {
				const key = JSON.stringify(next);
				if (known.has(key)) continue;
				known.add(key);
				const broken = judge(next) ?? (endsAlone(next) ? null : "stuck");
				if (broken) return { states: known.size, broken };
				found.push(next);
			}
		states = found;
	}
	return { states: known.size, broken: null };
}
