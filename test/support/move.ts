import { env } from "cloudflare:workers";
import { platformOf } from "../../src/platform.ts";
import { type MoveWish, movePartner } from "../../src/services/move-partner.ts";
import { passTime } from "./look-inside.ts";
import type { Partner } from "./service.ts";

/* Moves of partners, whose waits are the service's clock alone. */

/** Carries a move on for one call. @param between - runs whenever the mover waits */
export async function move(
	partner: Partner,
	wish: MoveWish,
	between: () => Promise<unknown> = async () => undefined,
) {
	const platform = await platformOf(env);
	const at = Date.now();
	const pause = async (milliseconds: number) => {
		await between();
		passTime(milliseconds);
	};
	return movePartner(
		{ platform, actor: "ops:test", requestId: "move", at, now: at, pause },
		partner.id,
		wish,
	);
}

/** Moves until nothing is left to do, in as many calls as it takes. */
export async function moveToEnd(partner: Partner, wish: MoveWish, between?: () => Promise<unknown>) {
	let result = await move(partner, wish, between);
	while (result.kind === "done" && result.move.next !== "done") result = await move(partner, "on", between);
	return result;
}
