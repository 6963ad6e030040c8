import type { Context } from "hono";
import type { KeyOwner } from "../../db/api-keys.ts";
import { appendAudit } from "../../db/audit-events.ts";
import {
	deleteConsoleSession,
	deleteConsoleSessions,
	findSessionKey,
	findSessionOwner,
	insertConsoleSession,
	noteSessionUse,
} from "../../db/console-sessions.ts";
import type { Statement } from "../../db/query.ts";
import { findHomeByNumber, findHomeOfKey, homeOf } from "../../directory.ts";
import type { AuditAction } from "../../domain/audit-actions.ts";
import { browserName } from "../../domain/browser-name.ts";
import { CONSOLE_SESSION_MS } from "../../domain/limits.ts";
import type { AppEnv, CallingPartner } from "../../http/app-env.ts";
import { mayBeUsed } from "../../http/authenticate.ts";
import { hashApiKey } from "../../secrets/api-key.ts";
import { describeError } from "../../telemetry/describe-error.ts";
import { log } from "../../telemetry/log.ts";
import { dropCookie, readToken, tokenIn, writeToken } from "../kit/cookie.ts";

/*
 * Sessions. The cookie is the partner's number, a random token and their keyed hash; D1 knows another keyed hash of both. Every page asks D1, so a session that has ended is refused at once.
 */

const NAME = "console";

/** Begins the session that a form's seed names, with a verified key, recorded in the audit. */
export async function beginSession(c: Context<AppEnv>, { partnerId, keyId }: KeyOwner): Promise<void> {
	const platform = c.get("platform");
	const { index, clock } = platform;
	const { db, number } = await homeOf(platform, partnerId);
	const token = await tokenOf(c, number);
	const createdAt = clock();
	const expiresAt = createdAt + CONSOLE_SESSION_MS;
	const tokenHash = await index.of("console-session", token);
	const browser = browserName(c.req.header("user-agent") ?? "");
	const times = { createdAt, lastUsedAt: createdAt, expiresAt };
	const session = { tokenHash, partnerId, keyId, browser, country: countryOf(c), ...times };
	await record(c, { db, partnerId, keyId }, "signed_in", insertConsoleSession(db, session));
}

/** Cloudflare's own word for where a call comes from; `wrangler dev` makes one up. */
function countryOf(c: Context<AppEnv>): string | null {
	if (c.get("platform").settings.environment === "local") return null;
	const { country } = (c.req.raw as { cf?: { country?: string } }).cf ?? {};
	return country && /^(?!XX)[A-Z]{2}$/.test(country) ? country : null;
}

/** Gives the browser the session that the form began with a key, now or when it was sent first. */
export async function giveCookie(c: Context<AppEnv>, key: string): Promise<void> {
	const home = await findHomeOfKey(c.get("platform"), await hashApiKey(key));
	if (home) await writeToken(c, NAME, await tokenOf(c, home.number), CONSOLE_SESSION_MS);
}

/** The form sent again yields the same token, which nobody else can make. */
async function tokenOf(c: Context<AppEnv>, partnerNumber: number): Promise<string> {
	const random = await c.get("platform").index.of("console-token", c.get("seed"));
	return `${partnerNumber.toString(16).padStart(8, "0")}.${random}`;
}

export type FoundSession =
	| { kind: "session"; owner: CallingPartner; tokenHash: string }
	/** The browser had a session, or has the cookie of one. */
	| { kind: "ended" }
	| { kind: "none" };

/** The session of the browser that calls, by the rules of every call with its key. One from a forbidden address ends. */
export async function findSession(c: Context<AppEnv>): Promise<FoundSession> {
	const platform = c.get("platform");
	const { index, clock } = platform;
	if (tokenIn(c, NAME) === null) return { kind: "none" };
	const token = await readToken(c, NAME);
	if (token === null) return { kind: "ended" };
	const home = await findHomeByNumber(platform, Number.parseInt(token.slice(0, 8), 16));
	const tokenHash = await index.of("console-session", token);
	const found = home && (await findSessionOwner(home.db, tokenHash, clock()));
	if (home === null || found === null) return { kind: "ended" };
	const { db, database } = home;
	const owner = { ...found, db, isFrozen: database.isFrozen };
	if (!mayBeUsed(c, owner)) {
		const one = deleteConsoleSession(db, owner.partnerId, tokenHash);
		if (!owner.isFrozen) await record(c, owner, "ended_by_address", one);
		return { kind: "ended" };
	}
	if (owner.isUseStale && !owner.isFrozen)
		c.executionCtx.waitUntil(
			noteSessionUse(db, owner, tokenHash, clock()).catch((error: unknown) =>
				log("warn", "session_use_not_noted", describeError(error)),
			),
		);
	return { kind: "session", owner, tokenHash };
}

/** Recipient of a session's pages; '' is nobody. */
export function shownTo(c: Context<AppEnv>): string {
	return tokenIn(c, NAME) ?? "";
}

/** Ends this session, or all of its partner. */
export async function endSession(c: Context<AppEnv>, which: "this" | "all"): Promise<void> {
	const owner = c.get("owner");
	const { db } = owner;
	if (which === "all") {
		await record(c, owner, "signed_out_everywhere", deleteConsoleSessions(db, owner.partnerId));
	} else {
		const one = deleteConsoleSession(db, owner.partnerId, c.get("sessionHash"));
		await record(c, owner, "signed_out", one);
	}
	forgetCookie(c);
}

/** Ends one session of the caller's partner. @returns false where it has none such */
export async function endOneSession(c: Context<AppEnv>, tokenHash: string): Promise<boolean> {
	const owner = c.get("owner");
	const { db } = owner;
	const begunWith = await findSessionKey(db, owner.partnerId, tokenHash);
	if (begunWith === null) return false;
	await record(c, owner, "session_ended", deleteConsoleSession(db, owner.partnerId, tokenHash), begunWith);
	if (tokenHash === c.get("sessionHash")) forgetCookie(c);
	return true;
}

export function forgetCookie(c: Context<AppEnv>): void {
	dropCookie(c, NAME);
}

/** Appends to the audit's chain `console:<partner>` in the commit that it records. */
function record(
	c: Context<AppEnv>,
	{ db, partnerId, keyId }: Pick<CallingPartner, "db" | "partnerId" | "keyId">,
	action: AuditAction,
	change: Statement,
	/** Key of the session that it is about. */
	outcome = keyId,
): Promise<void> {
	const { clock } = c.get("platform");
	const what = { entity: `console:${partnerId}`, partnerId, action, outcome };
	const origin = { actor: `partner:${keyId}`, requestId: c.get("requestId"), now: clock() } as const;
	return appendAudit(db, what, origin, [change]);
}
