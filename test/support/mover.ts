import { env } from "cloudflare:workers";
import { type Platform, platformOf } from "../../src/platform.ts";
import { type MoveResult, type MoveWish, movePartner } from "../../src/services/move-partner.ts";
import { passTime } from "./look-inside.ts";

/** How a test's mover waits, and what of its platform is another. */
interface Ways {
	pause?: (milliseconds: number) => Promise<unknown>;
	platform?: Partial<Platform>;
}

/** One call of a partner's mover, whose waits pass by the service's clock. */
export async function move(partnerId: string, wish: MoveWish, ways: Ways = {}): Promise<MoveResult> {
	const platform = { ...(await platformOf(env)), ...ways.platform };
	const pause = ways.pause ?? (async (milliseconds: number) => passTime(milliseconds));
	const at = platform.clock();
	const caller = { platform, actor: "ops:test" as const, requestId: "move", at, now: at, pause };
	return movePartner(caller, partnerId, wish);
}

/** Moves until nothing is left to do, in as many calls as it takes. */
export async function moveToEnd(partnerId: string, wish: MoveWish, ways: Ways = {}): Promise<MoveResult> {
	let result = await move(partnerId, wish, ways);
	for (let calls = 0; calls < MOST_CALLS && result.kind === "done" && result.move.next !== "done"; calls++)
		result = await move(partnerId, "on", ways);
	return result;
}

/** Calls after which a move that has not ended never will. */
const MOST_CALLS = 30;
