import type { Call, CallOf } from "./calls.ts";
import { type Outcome, unanswered, unavailable } from "./expected.ts";
import { changePartner, type Ledger, type PartnerState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/* Decision 9: a partner moves to another database. Nothing of it changes, but that it writes nothing for a while. */

const FROZEN: readonly (string | null)[] = ["frozen", "leaving", "switched"];

/** Carries a move on to a stage. One that was given up leaves nothing behind, and so does a clearing. */
export function applyMove(ledger: Ledger, { partner, to }: CallOf<"move">): Outcome {
	const move = to === "given up" || to === "cleared" ? null : to;
	return { ledger: changePartner(ledger, partner, { move }), expected: unanswered(`move ${to}`) };
}

export function isFrozen(partner: PartnerState | undefined, rules: Rules): boolean {
	return rules.movesFreeze && FROZEN.includes(partner?.move ?? null);
}

/** Refuses what would change a frozen partner's rows, whoever calls. Its own requests are counted all the same. */
export function refuseMoving(before: Ledger, call: Call, outcome: Outcome, rules: Rules): Outcome {
	const writer = Object.keys(before.partners).find(
		(name) => isFrozen(before.partners[name], rules) && rowsOf(before, name) !== rowsOf(outcome.ledger, name),
	);
	if (writer === undefined || call.kind === "move") return outcome;
	const { emissions } = (call.kind === "frame" ? before : outcome.ledger).partners[writer]!;
	const ledger = changePartner(before, writer, { emissions });
	return { ledger, expected: unavailable(nameOf(call), "moving") };
}

function rowsOf({ partners, codes, sessions, kept }: Ledger, partner: string): string {
	const { emissions: _, ...own } = partners[partner]!;
	const its = Object.entries(codes).filter(([, code]) => code.partner === partner);
	const ofCodes = Object.entries(sessions).filter(([, { code }]) => codes[code]!.partner === partner);
	const answers = Object.entries(kept).filter(([place]) => place.startsWith(`${partner}/`));
	return JSON.stringify([own, its, ofCodes, answers]);
}

/** Names a call as its outcomes do. */
export function nameOf(call: Call): string {
	if (call.kind === "operate") return call.verb;
	if (call.kind === "revoke certificate") return "revoke";
	if (call.kind === "frame" && call.step !== "show") return "frame step";
	if (call.kind === "advance") return "manage";
	return call.kind === "begin" ? "request" : call.kind;
}
