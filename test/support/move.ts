import { env } from "cloudflare:workers";
import { type Platform, platformOf } from "../../src/platform.ts";
import { type MoveResult, type MoveWish, movePartner } from "../../src/services/move-partner.ts";
import { passTime } from "./clock.ts";

/* Moves of partners, whose waits are the service's clock alone. */

interface Ways {
	/** Runs whenever the mover waits. */
	between?: () => Promise<unknown>;
	/** Lets the time pass that the mover waits for. */
	pass?: (milliseconds: number) => void;
	platform?: Partial<Platform>;
}

/** Carries a move on for one call. */
export async function move(
	{ id }: { id: string },
	wish: MoveWish,
	{ between, pass = passTime, platform: changes }: Ways = {},
): Promise<MoveResult> {
	const platform = { ...(await platformOf(env)), ...changes };
	const pause = async (milliseconds: number) => {
		await between?.();
		pass(milliseconds);
	};
	const at = platform.clock();
	return movePartner({ platform, actor: "ops:test", requestId: "move", at, now: at, pause }, id, wish);
}

/** Calls after which a move that has not ended never will. */
const MOST_CALLS = 30;

/** Moves until nothing is left to do, in as many calls as it takes. */
export async function moveToEnd(
	partner: { id: string },
	wish: MoveWish,
	ways: Ways = {},
): Promise<MoveResult> {
	let result = await move(partner, wish, ways);
	for (let calls = 0; calls < MOST_CALLS && result.kind === "done" && result.move.next !== "done"; calls++)
		result = await move(partner, "on", ways);
	return result;
}
