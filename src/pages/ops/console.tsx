import { identifyByAccess, operatorOf, requireRole } from "../../api/ops/authorize.ts";
import { silentDatabases } from "../../directory.ts";
import { bindingOf } from "../../domain/database-names.ts";
import type { Operator, OpsRole } from "../../domain/operators.ts";
import { errorAnswer } from "../../http/errors.ts";
import { FIND } from "../../texts/console-find.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { createConsole } from "../kit/console.tsx";
import { HOME, NAV } from "./nav.ts";
import { hasSignIn, readSession } from "./session.ts";

/** The person in Access' assertion of this very call or, where there is a sign-in of our own, the signed-in one. */
async function requireOperator(c: Call): Promise<Response | null> {
	const operator = (await identifyByAccess(c)) ?? (await signedIn(c));
	if (operator === null) {
		if (!hasSignIn(c)) return errorAnswer(c, "ops_unauthorized");
		const back =
			c.req.method === "GET"
				? `?${new URLSearchParams({ next: c.req.path + new URL(c.req.url).search })}`
				: "";
		return c.redirect(`/ops/console/sign_in${back}`, 303);
	}
	c.set("operator", operator);
	return null;
}

async function signedIn(c: Call) {
	const name = await readSession(c);
	return name === null ? null : operatorOf(c, name);
}

function operatorIn(c: Call): Operator | undefined {
	return c.get("operator") as Operator | undefined;
}

export function may(c: Call, role: OpsRole): boolean {
	return operatorIn(c)?.roles.has(role) ?? false;
}

/** The console of ops, for persons with a role. A form is bound to the person: Access' cookie comes with a form of any site. */
export const { page, pageOnce, post, show, greet, receive, goBack, mount } = createConsole<OpsRole>({
	base: "/ops/console",
	name: T.title,
	home: HOME,
	nav: (c) => NAV.filter(({ role }) => may(c, role)),
	who: (c) => operatorIn(c)?.name ?? null,
	// Access has a sign-out of its own, at an address of every host behind it.
	search: (c) => (may(c, "read") ? { action: "/ops/console/find", label: FIND.ops } : null),
	signsOutAt: (c) => (hasSignIn(c) ? null : "/cdn-cgi/access/logout"),
	session: requireOperator,
	mayDo: requireRole,
	usual: { page: "read", post: "operate" },
	first: [],
	limits: [],
	shownTo: (c) => operatorIn(c)?.name ?? "",
	remark: (c) => {
		const silent = silentDatabases(c.get("platform"));
		return silent.length > 0 ? fill(T.silent, { which: silent.map(bindingOf).join(", ") }) : null;
	},
	done: T.done,
});
