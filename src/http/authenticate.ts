import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { findKeyOwner, type KeyOwner, knownKeys, noteKeyUse, unknownKeys } from "../db/api-keys.ts";
import { findHomeOfKey, homeOf } from "../directory.ts";
import { MINUTE_MS } from "../domain/durations.ts";
import { UNKNOWN_KEYS_PER_MINUTE } from "../domain/limits.ts";
import type { Platform } from "../platform.ts";
import { hashApiKey, isApiKey, keyEnvironment } from "../secrets/api-key.ts";
import { isFromOneOf } from "./address-ranges.ts";
import type { AppEnv, CallingPartner } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";
import { admits, callerAddress } from "./rate-limit.ts";

/**
 * §5: the partner whose key the call carries in `x-gw`. Every invalid key gets the same answer, unless its address has
 * presented too many unknown ones; a malformed key is never looked up. One that has expired, or that its address may
 * not use, is as invalid as any.
 */
export const authenticate = authenticateBy(lookUpKey);

/**
 * Looks the key up in D1, never in the cache, for calls that cannot be undone or make a key last: a key revoked, or
 * whose partner was suspended, before the call came changes nothing.
 */
export const authenticateAnew = authenticateBy(lookUpAnew);

function authenticateBy(find: typeof lookUpKey) {
	return createMiddleware<AppEnv>(async (c, next) => {
		const found = await identifyKey(c, c.req.header("x-gw") ?? "", find);
		if (found.kind === "unknown") return errorAnswer(c, "unauthorized");
		if (found.kind === "refused") {
			c.header("Retry-After", String(Math.ceil(found.retryAfterMs / 1000)));
			return errorAnswer(c, "too_many_unknown_keys");
		}
		c.set("owner", found.owner);
		await next();
	});
}

/** Finds the owner of a presented key, whichever header or form it came in. */
export async function identifyKey(c: Context<AppEnv>, key: string, find = lookUpKey): Promise<LookUp> {
	const environment = keyEnvironment(c.get("platform").settings.environment);
	if (!(await isApiKey(key, environment))) return { kind: "unknown" };
	const found = await find(c, await hashApiKey(key));
	return found.kind === "owner" && !mayBeUsed(c, found.owner) ? { kind: "unknown" } : found;
}

/** Whether the key has not expired and may be used from the caller's address. */
export function mayBeUsed(c: Context<AppEnv>, { expiresAt, allowedCidrs }: KeyOwner): boolean {
	if (expiresAt !== null && expiresAt <= c.get("platform").clock()) return false;
	return allowedCidrs === null || isFromOneOf(c, allowedCidrs);
}

/** A revoked key or a suspended partner is refused everywhere within this time (decisions: Keys, 60 s). */
const KNOWN_MS = 30_000;
/** A partner's clock moved through another isolate of dev is seen here within this time; local has one isolate. */
const KNOWN_IN_DEV_MS = 2_000;
const KNOWN_MAX = 5_000;
/** A partner that is resumed elsewhere is admitted here within this time. */
const UNKNOWN_MS = 5_000;
const UNKNOWN_MAX = 1_000;

const ADDRESSES_MAX = 1_000;

/** Concurrent calls with one key share one query. A call waits that long for another's, {@link WAITS} times at most. */
const SHARED_MS = 250;
/** Two: calls behind a query that hangs share the next one; if that hangs too, each asks itself. */
const WAITS = 2;
const underWay = new Map<string, Promise<LookUp>>();
/** Look-ups of this minute, by address, that found nobody or are under way: concurrent calls count too. */
const lookUps = { minute: 0, byAddress: new Map<string, { count: number }>() };

type LookUp =
	| { kind: "owner"; owner: CallingPartner }
	| { kind: "unknown" }
	/** The address presented too many unknown keys. */
	| { kind: "refused"; retryAfterMs: number };

/**
 * Finds a key's owner (decisions, "Before the key"): a cached key costs nothing; others are looked up in D1 until their
 * address has presented 60 unknown ones in a minute.
 *
 * @param hash - of a well-formed key
 * @throws {Unavailable} when D1 does not answer; that look-up does not count
 */
async function lookUpKey(c: Context<AppEnv>, hash: string): Promise<LookUp> {
	let awaited: Promise<LookUp> | undefined;
	for (let waits = 0; ; waits++) {
		const now = c.get("platform").clock();
		const known = await recallKey(c, hash, now);
		if (known) return known;
		const shared = underWay.get(hash);
		if (!shared || shared === awaited || waits === WAITS) return shareLookUp(c, hash, now);
		const found = await Promise.race([shared, pause(SHARED_MS)]);
		if (found) return found;
		awaited = shared;
	}
}

async function recallKey(c: Context<AppEnv>, hash: string, now: number): Promise<LookUp | null> {
	const cached = knownKeys.get(hash);
	if (cached && cached.until > now) {
		const { db, database } = await homeOf(c.get("platform"), cached.owner.partnerId);
		return { kind: "owner", owner: { ...cached.owner, db, isFrozen: database.isFrozen } };
	}
	return (unknownKeys.get(hash) ?? 0) > now ? { kind: "unknown" } : null;
}

/** Looks the key up in D1 for this call and for others that come meanwhile. It goes on even when this caller hangs up. */
function shareLookUp(c: Context<AppEnv>, hash: string, now: number): Promise<LookUp> {
	const lookUp = lookUpInDb(c, hash, now).finally(() => {
		if (underWay.get(hash) === lookUp) underWay.delete(hash);
	});
	underWay.set(hash, lookUp);
	c.executionCtx.waitUntil(lookUp.catch(() => undefined));
	return lookUp;
}

/** Reads D1, ignoring a cached key and any look-up that began before the call. @throws {Unavailable} */
async function lookUpAnew(c: Context<AppEnv>, hash: string): Promise<LookUp> {
	const now = c.get("platform").clock();
	if ((unknownKeys.get(hash) ?? 0) > now) return { kind: "unknown" };
	const found = await lookUpInDb(c, hash, now);
	if (found.kind === "unknown") knownKeys.delete(hash);
	return found;
}

function pause(milliseconds: number): Promise<null> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds, null));
}

async function lookUpInDb(c: Context<AppEnv>, hash: string, now: number): Promise<LookUp> {
	const platform = c.get("platform");
	const address = callerAddress(c);
	const counted = countOf(address, now);
	if (counted.count >= UNKNOWN_KEYS_PER_MINUTE)
		return { kind: "refused", retryAfterMs: MINUTE_MS - (now % MINUTE_MS) };
	counted.count++;
	const found = await findOwner(platform, hash, now).catch((error: unknown) => {
		counted.count--;
		throw error;
	});
	if (found) {
		const { owner, db, isFrozen } = found;
		counted.count--;
		if (knownKeys.size >= KNOWN_MAX) knownKeys.clear();
		const knownMs = platform.settings.environment === "dev" ? KNOWN_IN_DEV_MS : KNOWN_MS;
		knownKeys.set(hash, { owner, until: now + knownMs });
		if (!isFrozen && mayBeUsed(c, owner))
			c.executionCtx.waitUntil(noteKeyUse(db, owner, now).catch(() => undefined));
		return { kind: "owner", owner: { ...owner, db, isFrozen } };
	}
	if (unknownKeys.size >= UNKNOWN_MAX) unknownKeys.clear();
	unknownKeys.set(hash, now + UNKNOWN_MS);
	// The binding counts the failed look-ups of every isolate at this place.
	if (!(await admits(c.env.ADDRESS_KEY_RATE, address))) counted.count = Number.POSITIVE_INFINITY;
	return { kind: "unknown" };
}

/** A key is the same partner's for ever: the directory is asked only for one that this isolate never met. */
async function findOwner(platform: Platform, hash: string, now: number) {
	const met = knownKeys.get(hash)?.owner.partnerId;
	const home = met === undefined ? await findHomeOfKey(platform, hash) : await homeOf(platform, met);
	const owner = home && (await findKeyOwner(home.db, hash, now));
	return owner && { owner, db: home.db, isFrozen: home.database.isFrozen };
}

function countOf(address: string | null, now: number): { count: number } {
	if (address === null) return { count: 0 };
	const minute = Math.floor(now / MINUTE_MS);
	if (minute !== lookUps.minute || lookUps.byAddress.size >= ADDRESSES_MAX) {
		lookUps.minute = minute;
		lookUps.byAddress.clear();
	}
	const counted = lookUps.byAddress.get(address) ?? { count: 0 };
	lookUps.byAddress.set(address, counted);
	return counted;
}
