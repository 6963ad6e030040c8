import { createMiddleware } from "hono/factory";
import type { Child } from "hono/jsx";
import { identifyByAccess, operatorOf, requireRole } from "../../api/ops/authorize.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Operator, OpsRole } from "../../domain/operators.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { errorAnswer } from "../../http/errors.ts";
import { CONSOLE_PARTS } from "../../texts/console-parts.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { createConsole } from "../kit/console.tsx";
import type { ShownTo } from "../kit/form-token.ts";
import { HOME, NAV } from "./nav.ts";
import { hasSignIn, readSession } from "./session.ts";

/** The person in Access' assertion of this very call or, where there is a sign-in of our own, the signed-in one. */
const requireOperator = createMiddleware<AppEnv>(async (c, next) => {
	const operator = (await identifyByAccess(c)) ?? (await signedIn(c));
	if (operator === null) {
		if (!hasSignIn(c)) return errorAnswer(c, "ops_unauthorized");
		const back = c.req.method === "GET" ? `?${new URLSearchParams({ next: c.req.path })}` : "";
		return c.redirect(`/ops/console/sign_in${back}`, 303);
	}
	c.set("operator", operator);
	return next();
});

async function signedIn(c: Call) {
	const name = await readSession(c);
	return name === null ? null : operatorOf(c, name);
}

/**
 * Binds a form to the person and the day, because Access' cookie comes with a form of any site. Yesterday's is valid
 * too: a page may be open over midnight.
 */
function shownTo(c: Call): readonly [ShownTo, ShownTo] {
	const { name } = c.get("operator");
	const today = Math.floor(c.get("platform").clock() / DAY_MS);
	return [
		["ops", name, String(today)],
		["ops", name, String(today - 1)],
	];
}

function operatorIn(c: Call): Operator | undefined {
	return c.get("operator") as Operator | undefined;
}

export function may(c: Call, role: OpsRole): boolean {
	return operatorIn(c)?.roles.has(role) ?? false;
}

/** Access has a sign-out of its own, at an address of every host behind it. */
function whoIn(c: Call): Child | null {
	const operator = operatorIn(c);
	if (!operator) return null;
	if (hasSignIn(c)) return operator.name;
	return (
		<>
			{operator.name} <a href="/cdn-cgi/access/logout">{CONSOLE_PARTS.signOut[c.get("language")]}</a>
		</>
	);
}

/**
 * The console of ops, for persons with a role. A form must be of a page that it showed to this person today or
 * yesterday.
 */
export const { page, post, show, readOwnForm, goBack, mount } = createConsole<OpsRole>({
	base: "/ops/console",
	name: T.title,
	home: HOME,
	nav: (c) => NAV.filter(({ role }) => may(c, role)),
	who: whoIn,
	signsOut: (c) => operatorIn(c) !== undefined && hasSignIn(c),
	session: requireOperator,
	mayDo: requireRole,
	usual: { page: "read", post: "operate" },
	first: [],
	limits: [],
	shownTo,
	done: T.done,
});
