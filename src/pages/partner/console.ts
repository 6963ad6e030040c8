import type { KeyOwner } from "../../db/api-keys.ts";
import type { KeyScope } from "../../domain/key-scopes.ts";
import { refuseWhileFrozen, requireScope } from "../../http/partner-checks.ts";
import { limitCalls } from "../../http/rate-limit.ts";
import { CONSOLE as T } from "../../texts/console.ts";
import { FIND } from "../../texts/console-find.ts";
import { readableSpan } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { createConsole } from "../kit/console.tsx";
import { HOME, NAV } from "./nav.ts";
import { findSession, forgetCookie, shownTo } from "./session.ts";

async function requireSession(c: Call): Promise<Response | null> {
	const found = await findSession(c);
	if (found.kind === "session") {
		c.set("owner", found.owner);
		c.set("sessionHash", found.tokenHash);
		return null;
	}
	const isPage = c.req.method === "GET" && c.req.path !== "/console";
	const back = isPage ? { next: c.req.path + new URL(c.req.url).search } : {};
	const ended = found.kind === "ended" ? { ended: "1" } : {};
	if (found.kind === "ended") forgetCookie(c);
	const query = new URLSearchParams({ ...back, ...ended }).toString();
	return c.redirect(`/console/sign_in${query && `?${query}`}`, 303);
}

function ownerIn(c: Call): KeyOwner | undefined {
	return c.get("owner") as KeyOwner | undefined;
}

/** A partner's console. Reading is open to every session: its key has `manage`. An action asks for what the API's call asks. */
export const { page, pageOnce, post, show, greet, receive, goBack, mount } = createConsole<KeyScope>({
	base: "/console",
	name: T.name,
	home: HOME,
	nav: (c) => (ownerIn(c) ? NAV : []),
	who: (c) => ownerIn(c)?.partnerName ?? null,
	signsOutAt: () => null,
	search: (c) => (ownerIn(c) ? { action: "/console/find", label: FIND.own } : null),
	session: requireSession,
	mayDo: (scope) => requireScope(scope, false),
	usual: { page: null, post: "manage" },
	first: [refuseWhileFrozen],
	limits: [limitCalls.middleware],
	shownTo,
	remark: (c) => {
		const offset = ownerIn(c)?.clockOffset ?? 0;
		return offset > 0 ? fill(T.sandboxClock, { ahead: readableSpan(offset, c.get("language")) }) : null;
	},
	done: null,
});
