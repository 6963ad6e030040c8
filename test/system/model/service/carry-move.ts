import { forgetHome } from "../../../../src/directory.ts";
import { DAY_MS } from "../../../../src/domain/durations.ts";
import type { MoveWish } from "../../../../src/services/move-partner.ts";
import { interceptDb, lostConnection } from "../../../support/failing-db.ts";
import { moveToEnd } from "../../../support/move.ts";
import type { CallOf } from "../document/calls.ts";

/* The mover dies at each stage of a move, and is carried on later. Its clock is its own: its waits pass at once. */

type To = CallOf<"move">["to"];

/** The statement before which it dies; null where it comes to its end. */
const DIES_BEFORE: Record<To, RegExp | null> = {
	announced: /SET noting = 1/,
	noting: /INSERT INTO partner_places/,
	copied: /SET state = 'frozen'/,
	frozen: /SET state = 'leaving'/,
	leaving: /update "directory_partners"/,
	switched: /SET state = 'open', copied = NULL/,
	opened: /SET state = 'closed', since/,
	moved: null,
	"given up": null,
	cleared: null,
};

/** Goes back where it came from, or else to another database. */
const BEGINNINGS: readonly MoveWish[] = ["back", { to: 1 }, { to: 2 }];

const WISHES: Partial<Record<To, readonly MoveWish[]>> = {
	announced: BEGINNINGS,
	"given up": ["back"],
	cleared: ["clear"],
};

const mover = { ahead: 0 };

export async function carryMove(partner: { id: string }, to: To): Promise<void> {
	const last = DIES_BEFORE[to];
	let died = false;
	const ways = {
		platform: { clock: () => Date.now() + mover.ahead },
		pass: (milliseconds: number) => {
			mover.ahead += milliseconds;
			forgetHome(partner.id);
		},
	};
	if (to === "cleared") mover.ahead += 8 * DAY_MS;
	for (const wish of WISHES[to] ?? ["on"]) {
		const result = await interceptDb(
			async (_, deliver, sql) => {
				if (!last?.test(sql)) return deliver();
				died = true;
				throw lostConnection();
			},
			() => moveToEnd(partner, wish, ways),
		).catch((error: unknown) => {
			if (!died) throw error;
		});
		if (result?.kind !== "refused") break;
	}
	if (died !== (last !== null)) throw new Error(`the move did not come to ${to}`);
}
