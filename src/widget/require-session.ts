import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { findSession } from "../db/onboarding-sessions.ts";
import { endOf, type OnboardingSession } from "../domain/onboarding-session.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { isTokenOf } from "../secrets/session-token.ts";
import { visitorCaller } from "../services/caller.ts";

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
	const { id, partnerId } = session;
	const { now } = visitorCaller(c, { partnerId, actor: `widget:${id}` }, session);
	const end = endOf(session, now);
	if (end) return rejectionAnswer(c, { reason: "session_ended", end: end.reason });
	c.set("session", session);
	await next();
});

export function bearerToken(c: Context<AppEnv>): string {
	return /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
}

async function findHolders(c: Context<AppEnv>): Promise<HeldSession | null> {
	const id = c.req.param("id") ?? "";
	if (!/^os_[0-9a-f]{32}$/.test(id) || !isOwnOrigin(c)) return null;
	const row = await findSession(c.get("platform").db, id);
	if (row === null || !(await isTokenOf(bearerToken(c), row.tokenHash))) return null;
	const { tokenHash: _, ...session } = row;
	return session;
}

/** Refuses calls that another site started, by the browser's own header. */
function isOwnOrigin(c: Context<AppEnv>): boolean {
	const origin = c.req.header("origin");
	return (
		origin === undefined || [c.req.url, c.env.PUBLIC_URL].some((url) => URL.parse(url)?.origin === origin)
	);
}
