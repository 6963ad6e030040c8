import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Call } from "../console-parts/call.ts";
import { type Form, isOwnForm, readForm } from "../console-parts/read-form.ts";
import { BODY_MAX } from "../domain/limits.ts";
import type { OpsRole } from "../domain/operators.ts";
import type { AppEnv } from "../http/app-env.ts";
import { refuseLarge, takeBody } from "../http/body.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { identifyByAccess, operatorOf, requireRole } from "../ops/authorize.ts";
import { CONSOLE_PARTS } from "../texts/console-parts.ts";
import { hasSignIn, readSession } from "./session.ts";
import { showProblem } from "./show.tsx";

type Answer = Response | Promise<Response>;

/** A page or an action of ops. Only {@link page} and {@link post} make one: none is without a person and a role. */
export interface OpsConsoleRoute {
	readonly method: "GET" | "POST";
	/** Below `/ops/console`. */
	readonly path: string;
	/** Null: whoever has got in. */
	readonly role: OpsRole | null;
	/** D1 trips of a page at most; null for an action. */
	readonly trips: 0 | 1 | 2 | 3 | null;
	readonly handlers: readonly MiddlewareHandler<AppEnv>[];
}

/** What a person of this role is shown. */
export function page(
	path: string,
	{ role = "read", trips }: { role?: OpsRole | null; trips: 0 | 1 | 2 | 3 },
	show: (c: Call) => Answer,
): OpsConsoleRoute {
	const handlers = [requireOperator, ...roleCheck(role), async (c: Call) => show(c)];
	return { method: "GET", path, role, trips, handlers };
}

/** What a person of this role does. The form must be of a page that the console showed to this person today or yesterday. */
export function post(
	path: string,
	{ role = "operate" }: { role?: OpsRole | null },
	act: (c: Call, form: Form) => Answer,
): OpsConsoleRoute {
	const handlers: MiddlewareHandler<AppEnv>[] = [
		refuseLarge(BODY_MAX),
		requireOperator,
		...roleCheck(role),
		takeBody(BODY_MAX),
		async (c) => {
			if (!isOwnForm(c)) return showProblem(c, 403, CONSOLE_PARTS.foreignForm);
			const form = await readForm(c);
			if (form === null) return showProblem(c, 400, CONSOLE_PARTS.unreadableForm);
			if (!(await isFormOf(c, form.text("csrf")))) return showProblem(c, 403, CONSOLE_PARTS.foreignForm);
			return act(c, form);
		},
	];
	return { method: "POST", path, role, trips: null, handlers };
}

function roleCheck(role: OpsRole | null): MiddlewareHandler<AppEnv>[] {
	return role === null ? [] : [requireRole(role)];
}

/** The person whom Access names with this very call or, where there is a sign-in of our own, who has signed in. */
const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
	const operator = (await identifyByAccess(c)) ?? (await signedIn(c));
	if (operator === null) {
		if (!hasSignIn(c)) return errorAnswer(c, "ops_unauthorized");
		const back = c.req.method === "GET" ? `?${new URLSearchParams({ next: c.req.path })}` : "";
		return c.redirect(`/ops/console/sign_in${back}`, 303);
	}
	c.set("operator", operator);
	c.set("csrf", await csrfOf(c, today(c)));
	return next();
});

async function signedIn(c: Call) {
	const name = await readSession(c);
	return name === null ? null : operatorOf(c, name);
}

const DAY_MS = 86_400_000;
const CSRF = /^[A-Za-z0-9_-]{43}$/;

/**
 * Access' cookie comes with a form of any site, so each form carries a keyed hash of the person and the day, which no other
 * site can know. One of yesterday holds too: a page may be open over midnight.
 */
async function isFormOf(c: Call, csrf: string): Promise<boolean> {
	if (!CSRF.test(csrf)) return false;
	const { index } = platformIn(c);
	const { name } = c.get("operator");
	const days = [today(c), today(c) - 1].map((day) => index.matches(csrf, "ops-csrf", name, String(day)));
	return (await Promise.all(days)).includes(true);
}

function csrfOf(c: Call, day: number): Promise<string> {
	return platformIn(c).index.of("ops-csrf", c.get("operator").name, String(day));
}

function today(c: Call): number {
	return Math.floor(platformIn(c).clock() / DAY_MS);
}
