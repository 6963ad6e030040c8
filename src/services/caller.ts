import type { Context } from "hono";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { type PartnerRow, selectPartner } from "../db/partners.ts";
import { type PartnerDb, query } from "../db/query.ts";
import { findHome, type Home } from "../directory.ts";
import type { Actor } from "../domain/actor.ts";
import { type PartnerClock, partnerNow } from "../domain/partner-clock.ts";
import type { AppEnv } from "../http/app-env.ts";
import type { Platform } from "../platform.ts";

const REAL_CLOCK: PartnerClock = { clockOffset: 0 };

/** Caller of a verb and the time of the call, built once and passed on. */
export interface Caller {
	platform: Platform;
	/** Partner whose records the verb may touch; null for ops and jobs that look at every partner's. */
	partnerId: string | null;
	/** Actor as the audit names it. */
	actor: Actor;
	requestId: string;
	/** The real time, epoch milliseconds: for the audit, keys and all else that a partner's clock does not move. */
	at: number;
	/** The time by the clock of the partner that it is about, epoch milliseconds; the real one where that is nobody's. */
	now: number;
	/** Seed of the form that calls, from which the secrets that it makes follow. Not given: a call of no form. */
	seed?: string | undefined;
	/** Lets work go on after the answer. */
	later: (work: Promise<unknown>) => void;
}

/** A caller about one partner's things: the partner itself, or ops on its behalf. */
export interface PartnerCaller extends Caller {
	partnerId: string;
	/** The database in which the partner lives, found where the key, cookie, token or link was checked. */
	db: PartnerDb;
}

/** The partner whose key, or whose console session, the call came with. */
export function partnerCaller(c: Context<AppEnv>): PartnerCaller {
	const owner = c.get("owner");
	return onBehalfOf(callerOf(c, `partner:${owner.keyId}`), owner, owner);
}

/** The person or program of ops that calls, about every partner's things. */
export function opsCaller(c: Context<AppEnv>): Caller {
	return { ...callerOf(c, `ops:${c.get("operator").name}`), partnerId: null };
}

/** Ops on behalf of a partner whose id they have typed; null for one that there is not. */
export async function opsCallerFor(c: Context<AppEnv>, partnerId: string): Promise<PartnerCaller | null> {
	const home = await findHome(c.get("platform"), partnerId);
	return home && onBehalfOf(opsCaller(c), home);
}

/** A holder without a key, about a code of one partner. @param clock - the partner's, where its time matters */
export function visitorCaller(
	c: Context<AppEnv>,
	home: HomeOf,
	actor: Actor,
	clock = REAL_CLOCK,
): PartnerCaller {
	return onBehalfOf(callerOf(c, actor), home, clock);
}

/** A holder who has proved to own its codes, which are several partners'. @param visit - its id */
export function holderCaller(c: Context<AppEnv>, visit: string): Caller {
	return { ...callerOf(c, `holder:${visit}`), partnerId: null };
}

/** A partner with its database. */
type HomeOf = Pick<Home, "partnerId" | "db">;

/** A caller about one partner's things. @param clock - the partner's as a row has it, where its time matters */
export function onBehalfOf(
	caller: Omit<Caller, "partnerId">,
	{ partnerId, db }: HomeOf,
	clock = REAL_CLOCK,
): PartnerCaller {
	return { ...caller, partnerId, db, now: nowFor(caller, clock) };
}

/** The time of the call by the clock of the partner that a row is about. */
export function nowFor({ at }: Pick<Caller, "at">, clock: PartnerClock): number {
	return partnerNow({ clock: () => at }, clock);
}

/** The caller as an audit row records it, at the real time. */
export function originOf({ actor, requestId, at }: Caller): ChangeOrigin {
	return { actor, requestId, now: at };
}

function callerOf(c: Context<AppEnv>, actor: Actor) {
	const platform = c.get("platform");
	const at = platform.clock();
	const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
	return { platform, actor, requestId: c.get("requestId"), at, now: at, seed: c.get("seed"), later };
}

/** Reads the calling partner. Its key names it, and no partner is ever deleted. */
export async function findOwnPartner({ db, partnerId }: PartnerCaller): Promise<PartnerRow> {
	const [partner] = await query(selectPartner(db, partnerId));
	return partner!;
}
