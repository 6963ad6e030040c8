import type { Caller } from "./authenticate.ts";
import type { Moment } from "./moment.ts";

/** A partner at its desk: who it is, and with which key. */
export interface Desk extends Caller, Moment {
	key: string;
	kind: string;
}

/** Another partner's is as one that never was. */
export function isOwn(thing: { partner: string } | undefined, { id, rules }: Desk): boolean {
	return thing !== undefined && (thing.partner === id || !rules.ownThingsAlone);
}
