import { findMoving, findPlace, type PlaceRow as Where } from "../db/directory.ts";
import { inBackground } from "../deadlines.ts";
import { DAY_MS } from "../domain/durations.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import { carryOn, type MoveReport, type Mover, record, turn } from "./carry-on-move.ts";

/*
 * Moves a partner to another database, act by act. What comes next follows from the directory and the two places alone
 * (`domain/decide-move.ts`), so that whoever calls goes on where the last run ended, and two at once do no harm.
 */

/** `to`: a database's number. `on`: only carry on what was begun. */
export type MoveWish = { to: number } | "back" | "clear" | "on";

export type MoveResult =
	| { kind: "done"; move: MoveReport }
	| { kind: "refused"; reason: "not_found" | "move_refused" | "copy_too_young" };

/** The old rows stay that long at least. */
const COPY_KEPT_MS = 7 * DAY_MS;

/** Begins a move, or carries one on, for as long as one call may. */
export function movePartner(caller: Mover, partnerId: string, wish: MoveWish): Promise<MoveResult> {
	return inBackground(async (): Promise<MoveResult> => {
		// A move writes to two databases: none goes on while one of them is being restored.
		if (caller.platform.databases.some(({ isFrozen }) => isFrozen)) throw new Unavailable("db", "frozen");
		const where = await findPlace(caller.platform.directory, { partnerId });
		if (!where) return { kind: "refused", reason: "not_found" };
		const refused = await begin(caller, where, wish);
		return refused
			? { kind: "refused", reason: refused }
			: { kind: "done", move: await carryOn(caller, partnerId) };
	});
}

/** Carries on every move that was broken off, for the cron. */
export async function carryOnMoves(caller: Mover): Promise<void> {
	for (const partnerId of await findMoving(caller.platform.directory))
		await movePartner(caller, partnerId, "on").catch((error: unknown) =>
			log("error", "move_stopped", { partner_id: partnerId, ...describeError(error) }),
		);
}

async function begin(
	caller: Mover,
	where: Where,
	wish: MoveWish,
): Promise<"move_refused" | "copy_too_young" | null> {
	const { platform, at } = caller;
	const { state, database, target } = where;
	const to = wish === "back" && state === "moved" ? target : typeof wish === "object" ? wish.to : null;
	if (wish === "on") return null;
	if (wish === "clear") {
		if (state === "clearing") return null;
		if (state !== "moved") return "move_refused";
		if (at < where.updatedAt + COPY_KEPT_MS) return "copy_too_young";
		await record(caller, where, "move_cleared", `${target}`);
		await turn(caller, where, { state: "clearing" });
		return null;
	}
	if (wish === "back" && state === "moving") {
		await turn(caller, where, { state: "returning" });
		return null;
	}
	if (state === "moving" || state === "switched")
		return to === (state === "moving" ? target : database) ? null : "move_refused";
	if (to === database && state === "moved") return null;
	const isBound = platform.databases.some(({ number }) => number === to);
	const isFree = state === "open" || (state === "moved" && to === target);
	if (to === null || to === database || !isBound || !isFree) return "move_refused";
	await record(caller, where, "move_began", `${database} ${to}`);
	await turn(caller, where, { state: "moving", target: to });
	return null;
}
