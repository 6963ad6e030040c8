import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Call } from "../console-parts/call.ts";
import { type Form, isOwnForm, readForm } from "../console-parts/read-form.ts";
import type { KeyScope } from "../domain/key-scopes.ts";
import { BODY_MAX } from "../domain/limits.ts";
import type { AppEnv } from "../http/app-env.ts";
import { refuseLarge, takeBody } from "../http/body.ts";
import { refuseWhileFrozen, requireScope } from "../http/partner-checks.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { CONSOLE_PARTS } from "../texts/console-parts.ts";
import { findSession, forgetCookie, isFormOfSession } from "./session.ts";
import { showProblem } from "./show.tsx";

type Answer = Response | Promise<Response>;

/** A page or an action of the console. Only {@link page} and {@link post} make one: none is without a session. */
export interface ConsoleRoute {
	readonly method: "GET" | "POST";
	/** Below `/console`. */
	readonly path: string;
	/** D1 trips of a page at most, its session's included; null for an action. */
	readonly trips: 1 | 2 | 3 | null;
	readonly handlers: readonly MiddlewareHandler<AppEnv>[];
}

/** What somebody who is signed in is shown. Reading is open to every session: its key has `manage`. */
export function page(path: string, { trips }: { trips: 1 | 2 | 3 }, show: (c: Call) => Answer): ConsoleRoute {
	return {
		method: "GET",
		path,
		trips,
		handlers: [requireSession, limitCalls.middleware, async (c) => show(c)],
	};
}

/**
 * What somebody who is signed in does. The order of checks is the API's, and before anything is done the form must be of
 * a page of this session.
 * @param scope - what the session's key must be good for, as the API's call asks
 * @param bodyMax - bytes
 */
export function post(
	path: string,
	{ scope = "manage", bodyMax = BODY_MAX }: { scope?: KeyScope; bodyMax?: number },
	act: (c: Call, form: Form) => Answer,
): ConsoleRoute {
	const handlers: MiddlewareHandler<AppEnv>[] = [
		refuseWhileFrozen,
		refuseLarge(bodyMax),
		requireSession,
		requireScope(scope, false),
		takeBody(bodyMax),
		limitCalls.middleware,
		async (c) => {
			const form = await readOwnForm(c);
			return form instanceof Response ? form : act(c, form);
		},
	];
	return { method: "POST", path, trips: null, handlers };
}

async function readOwnForm(c: Call): Promise<Form | Response> {
	if (!isOwnForm(c)) return showProblem(c, 403, CONSOLE_PARTS.foreignForm);
	const form = await readForm(c);
	if (form === null) return showProblem(c, 400, CONSOLE_PARTS.unreadableForm);
	if (!(await isFormOfSession(c, form.text("csrf")))) return showProblem(c, 403, CONSOLE_PARTS.foreignForm);
	return form;
}

const requireSession = createMiddleware<AppEnv>(async (c, next) => {
	const found = await findSession(c);
	if (found.kind === "session") {
		c.set("owner", found.owner);
		c.set("sessionHash", found.tokenHash);
		c.set("csrf", found.csrf);
		return next();
	}
	const back = c.req.method === "GET" && c.req.path !== "/console" ? { next: c.req.path } : {};
	const ended = found.kind === "ended" ? { ended: "1" } : {};
	if (found.kind === "ended") forgetCookie(c);
	const query = new URLSearchParams({ ...back, ...ended }).toString();
	return c.redirect(`/console/sign_in${query && `?${query}`}`, 303);
});
