import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { findSession } from "../db/onboarding-sessions.ts";
import { type Databases, findHomeByNumber, type Home } from "../directory.ts";
import { endOf, type OnboardingSession } from "../domain/onboarding-session.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { isTokenOf, partnerNumberIn } from "../secrets/session-token.ts";
import { nowFor } from "../services/caller.ts";

/* Admits a frame's call with the session's token, from the frame's own origin. */

declare module "hono" {
	interface ContextVariableMap {
		/** Session of the call's token; set by {@link requireSession}. */
		session: HeldSession;
	}
}

type HeldSession = OnboardingSession & PartnerClock;

/** 401 unless the call has the token of the session in its path; one that has ended says why to its holder alone. */
export const requireSession = createMiddleware<AppEnv>(async (c, next) => {
	const session = await findHolders(c);
	if (session === null) {
		c.header("WWW-Authenticate", "Bearer");
		return errorAnswer(c, "session_unauthorized");
	}
	c.set("language", session.locale);
	const end = endOf(session, nowFor({ at: c.get("platform").clock() }, session));
	if (end) return rejectionAnswer(c, { reason: "session_ended", end: end.reason });
	c.set("session", session);
	await next();
});

export function bearerToken(c: Context<AppEnv>): string {
	return /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
}

async function findHolders(c: Context<AppEnv>): Promise<HeldSession | null> {
	const id = c.req.param("id") ?? "";
	const home = isOwnOrigin(c) ? await findHomeOfSession(c.get("platform"), id) : null;
	const row = home && (await findSession(home.db, id));
	if (row === null || !(await isTokenOf(bearerToken(c), row.tokenHash))) return null;
	const { tokenHash: _, ...session } = row;
	return session;
}

/** The home of the partner whose session it is, by the session's id; null for no such id. */
export async function findHomeOfSession(platform: Databases, id: string): Promise<Home | null> {
	const number = partnerNumberIn(id);
	return number === null ? null : findHomeByNumber(platform, number);
}

/** Refuses calls that another site started, by the browser's own header. */
function isOwnOrigin(c: Context<AppEnv>): boolean {
	const origin = c.req.header("origin");
	return (
		origin === undefined || [c.req.url, c.env.PUBLIC_URL].some((url) => URL.parse(url)?.origin === origin)
	);
}
