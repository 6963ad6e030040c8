import { changePlace, findPlace, type PlaceRow as Where } from "../db/directory.ts";
import {
	closePlace,
	compareCounts,
	freezePlace,
	notePlaceCompared,
	openPlace,
	readAuditEnd,
	reopenPlace,
	retirePlace,
	thawPlace,
} from "../db/move-ends.ts";
import {
	beginCopy,
	beginNoting,
	copyNoted,
	copyPage,
	countNotes,
	dropPlace,
	eraseNext,
	findPlaceIn,
	type PlaceRow,
	preparePlace,
	refusalOf,
} from "../db/move-partner.ts";
import { changePartner } from "../db/partners.ts";
import type { DatabaseDb, PartnerDb } from "../db/query.ts";
import type { AuditAction } from "../domain/audit-actions.ts";
import { type MoveAct, nextAct, type WhereState } from "../domain/decide-move.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import { type Caller, originOf } from "./caller.ts";

/* The acts of a partner's move, and what is read before each. */

export type Mover = Omit<Caller, "later" | "partnerId"> & {
	/** Waits; not given: for real. */
	pause?: (milliseconds: number) => Promise<unknown>;
};

export interface MoveReport {
	/** Where the partner is now, and in which state of a move. */
	database: number;
	state: WhereState;
	/** The other database of the move. */
	other: number | null;
	/** Rows that this call copied or erased pages of. */
	rows: number;
	/** The act that comes next; `done` when none does. */
	next: MoveAct["do"];
}

/** One call works and waits that long at most; D1 takes a thousand statements of a call. */
const BUDGET_MS = 20_000;
const ACTS = 60;

/** All that the next act is decided on. */
interface Look {
	where: Where;
	act: MoveAct;
	fromDb: DatabaseDb;
	toDb: DatabaseDb;
	from: PlaceRow | null;
	to: PlaceRow | null;
}

async function look(caller: Mover, partnerId: string): Promise<Look> {
	const { platform } = caller;
	const where = (await findPlace(platform.directory, { partnerId }))!;
	const { state, database, target, updatedAt: since } = where;
	const here = dbOf(caller, database);
	const there = target === null ? here : dbOf(caller, target);
	const hasSwitched = ["switched", "moved", "clearing"].includes(state);
	const [fromDb, toDb] = hasSwitched ? [there, here] : [here, there];
	const [from, to] = await Promise.all([findPlaceIn(fromDb, partnerId), findPlaceIn(toDb, partnerId)]);
	const noted = to?.copied && "noted" in to.copied ? to.copied.noted : 0;
	const waiting = from?.noting ? await countNotes(fromDb, partnerId, noted) : 0;
	const act = nextAct({ directory: { state, since }, from, to, waiting }, platform.clock());
	return { where, act, fromDb, toDb, from, to };
}

/** Does one act after the other, until nothing is left or the call is over. */
export async function carryOn(caller: Mover, partnerId: string): Promise<MoveReport> {
	const ends = caller.platform.clock() + BUDGET_MS;
	let rows = 0;
	for (let acts = 0; ; acts++) {
		const seen = await look(caller, partnerId);
		const { act, where } = seen;
		const { database, state, target: other } = where;
		// A freeze that has begun is not left to the next call.
		const isFrozen = state === "switched" || (state === "moving" && seen.from?.state !== "open");
		const isOver = acts >= ACTS || caller.platform.clock() >= ends;
		if (act.do === "done" || act.do === "restored" || (isOver && !isFrozen)) {
			if (act.do === "restored") log("error", "move_stopped", { partner_id: partnerId, state });
			return { database, state, other, rows, next: act.do };
		}
		try {
			rows += await perform(caller, seen);
		} catch (error) {
			const refused = refusalOf(error);
			if (refused === null) throw error;
			if (refused === "differs") await giveUp(caller, where);
		}
	}
}

/** Gives up a move whose copy is not what was copied. */
async function giveUp(caller: Mover, where: Where): Promise<void> {
	log("error", "move_differs", { partner_id: where.partnerId, from: where.database, to: where.target });
	await turn(caller, where, { state: "returning" });
}

/** Does the next act. @returns how many rows it copied */
async function perform(caller: Mover, { where, act, fromDb, toDb, from, to }: Look): Promise<number> {
	const { partnerId } = where;
	const now = caller.platform.clock();
	switch (act.do) {
		case "wait":
			await (caller.pause ?? pause)(Math.min(act.until - now, BUDGET_MS));
			return 0;
		case "note":
			await beginNoting(fromDb, { partnerId, place: from! });
			return 0;
		case "prepare":
			await preparePlace(toDb, { ...from!, epoch: from!.epoch + 1 }, now);
			return 0;
		case "erase":
			if (!(await eraseNext(toDb, { partnerId, place: to! })))
				await beginCopy(toDb, { partnerId, place: to! });
			return 0;
		case "copy":
			return copyPage(fromDb, toDb, { partnerId, place: to! });
		case "catch_up":
			return copyNoted(fromDb, toDb, { partnerId, place: to! });
		case "freeze":
			if (to!.copied?.phase === "compared") await freezePlace(fromDb, from!, to!.copied.noted, now);
			return 0;
		case "thaw":
			await thawPlace(fromDb, from!, now);
			return 0;
		case "compare": {
			const counts = await compareCounts(fromDb, toDb, to!);
			if (counts === "same") await notePlaceCompared(toDb, to!);
			if (counts === "differs") await giveUp(caller, where);
			return 0;
		}
		case "close": {
			const { copied } = to!;
			const [old, copy] = await Promise.all([fromDb, toDb].map((db) => readAuditEnd(db, partnerId)));
			if (old !== copy) await giveUp(caller, where);
			else if (copied?.phase === "compared") await closePlace(fromDb, from!, copied.noted, now);
			return 0;
		}
		case "switch":
			await turn(caller, where, { state: "switched", database: where.target!, target: where.database });
			return 0;
		case "open":
			await openPlace(toDb, to!, now);
			return 0;
		case "retire":
			await retirePlace(fromDb, from!, now);
			return 0;
		case "finish":
			await record(caller, where, "moved", `${where.target} ${where.database}`);
			await turn(caller, where, { state: "moved" });
			return 0;
		case "reopen":
			await reopenPlace(fromDb, from!, now);
			return 0;
		case "clear": {
			const [db, place] = where.state === "clearing" ? [fromDb, from!] : [toDb, to!];
			if (!(await eraseNext(db, { partnerId, place }))) await dropPlace(db, { partnerId, place });
			return 0;
		}
		case "give_up":
			if (where.state === "returning") await record(caller, where, "move_given_up", `${where.target}`);
			await turn(caller, where, { state: "open", target: null });
			return 0;
		default:
			return 0;
	}
}

/** Changes the directory, if it is as it was read. */
export async function turn(
	{ platform }: Mover,
	where: Where,
	set: Partial<Pick<Where, "database" | "state" | "target">>,
): Promise<void> {
	await changePlace(platform.directory, where, set, platform.clock());
}

/** Enters the move into the partner's own audit. */
export async function record(
	caller: Mover,
	where: Where,
	action: AuditAction,
	outcome: string,
): Promise<void> {
	const db = dbOf(caller, where.database) as unknown as PartnerDb;
	const origin = originOf({ ...caller, partnerId: null, later: () => undefined });
	await changePartner(db, where.partnerId, () => ({ answer: null, change: { action, outcome } }), origin);
}

function dbOf({ platform }: Mover, number: number | null): DatabaseDb {
	const database = platform.databases.find((one) => one.number === number);
	if (!database) throw new Unavailable("db", `database ${number} is not bound`);
	return database.db;
}

function pause(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
