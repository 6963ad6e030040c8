import { sql } from "drizzle-orm";
import { findMoving } from "../../../src/db/directory.ts";
import { batch } from "../../../src/db/query.ts";
import { forgetHome } from "../../../src/directory.ts";
import type { Platform } from "../../../src/platform.ts";
import type { Mover } from "../../../src/services/carry-on-move.ts";
import { carryOnMoves, type MoveWish, movePartner } from "../../../src/services/move-partner.ts";
import type { Direction, Step } from "./steps.ts";

/* The mover, as ops' call and the cron run it. Its clock is its own: what it waits for passes at once. */

/** Sent to `/proof/move`. */
export interface MoveOrder {
	/** Begins with it; not given: what was broken off is carried on. */
	begin?: { partnerId: string; wish: MoveWish; direction: Direction };
	/** Milliseconds that pass for the mover before. */
	passed?: number;
}

/** The mover waits so long for the end of rows that are kept of before the switch. Milliseconds. */
const DRAIN_MS = 2_000;
const MOST_CALLS = 100;

let direction: Direction | null = null;
/** Milliseconds that the mover's clock is ahead of the service's. */
let ahead = 0;

/** Name of a mover's act as a step. */
export function nameAct(act: string): Step {
	return `move${direction === "away" || direction === "back" ? ` ${direction}` : ""}: ${act}` as Step;
}

/** Moves partners until none is on its way. @returns those that still are. */
export async function movePartners(platform: Platform, order: MoveOrder): Promise<string[]> {
	const { begin, passed = 0 } = order;
	ahead += passed;
	direction = begin?.direction ?? null;
	const at = platform.clock();
	const pause = async (milliseconds: number) => {
		// Calls go on while a partner is moved that was not broken off.
		if (begin && milliseconds <= DRAIN_MS) await scheduler.wait(milliseconds);
		ahead += milliseconds;
		for (const id of await findMoving(platform.directory)) forgetHome(id);
	};
	const clock = () => platform.clock() + ahead;
	const own = { ...platform, clock };
	const mover: Mover = { platform: own, actor: "ops:crash", requestId: "move", at, now: at, pause };
	if (begin) await movePartner(mover, begin.partnerId, begin.wish);
	let left = await findMoving(platform.directory);
	for (let calls = 0; calls < MOST_CALLS && left.length > 0; calls++) {
		await carryOnMoves(mover);
		left = await findMoving(platform.directory);
	}
	if (!begin) await spoilOldRows(platform);
	return left;
}

/** Cancels every code in the rows that partners have left behind: whoever reads those is found out. */
async function spoilOldRows({ databases }: Platform): Promise<void> {
	for (const { db } of databases)
		await batch(db, {
			open: sql`UPDATE partner_places SET state = 'mover' WHERE state = 'closed' AND copied IS NULL`,
			codes: sql`UPDATE purchase_codes SET cancelled_at = 1
				WHERE partner_id IN (SELECT partner_id FROM partner_places WHERE state = 'mover')`,
			close: sql`UPDATE partner_places SET state = 'closed' WHERE state = 'mover'`,
		});
}
