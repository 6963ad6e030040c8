import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Call } from "../console-parts/call.ts";
import { sayIn } from "../console-parts/language.ts";
import { answerPage } from "../console-parts/layout.tsx";
import { Refused, Time } from "../console-parts/parts.tsx";
import type { Operator, OpsRole } from "../domain/operators.ts";
import { CONSOLE_PARTS } from "../texts/console-parts.ts";
import type { Text } from "../texts/language.ts";
import { type ErrorReason, MESSAGES } from "../texts/messages.ts";
import { OPS_CONSOLE as T } from "../texts/ops-console.ts";
import { HOME, NAV } from "./nav.ts";
import { hasSignIn } from "./session.ts";

interface Shown {
	title: Text | string;
	status?: ContentfulStatusCode;
	/** What is wrong, or has been done; without it, what `?done` or `?problem` says. */
	notice?: { kind: "done" | "problem"; text: Text } | undefined;
}

/** A page of ops, with what this person may open. */
export function show(
	c: Call,
	{ title, status = 200, notice = noticeOf(c) }: Shown,
	content: Child,
): Response | Promise<Response> {
	const say = sayIn(c);
	const operator = c.get("operator") as Operator | undefined;
	const nav = NAV.filter(({ role }) => operator?.roles.has(role));
	const signOut = operator && hasSignIn(c) ? { action: "/ops/console/sign_out", csrf: c.get("csrf") } : null;
	return answerPage(
		c,
		{
			title: typeof title === "string" ? title : say(title),
			name: say(T.title),
			nav: nav.map(({ path, label }) => ({ path, label: say(label) })),
			who: operator ? whoOf(c, operator.name) : null,
			signOut,
			notice: notice && { kind: notice.kind, text: say(notice.text) },
			children: content,
		},
		status,
	);
}

/** Access has a sign-out of its own, at an address of every host behind it. */
function whoOf(c: Call, name: string): Child {
	if (hasSignIn(c)) return name;
	return (
		<>
			{name} <a href="/cdn-cgi/access/logout">{CONSOLE_PARTS.signOut[c.get("language")]}</a>
		</>
	);
}

/** A page that says why something was not done. */
export function showProblem(c: Call, status: ContentfulStatusCode, text: Text): Response | Promise<Response> {
	return showProblems(c, status, [sayIn(c)(text)]);
}

/** The same for messages that are in the caller's language already. */
export function showProblems(
	c: Call,
	status: ContentfulStatusCode,
	messages: readonly string[],
): Response | Promise<Response> {
	return show(
		c,
		{ title: CONSOLE_PARTS.problem, status },
		<Refused why={messages} home={HOME} locale={c.get("language")} />,
	);
}

/** Back to a page after an action: reloading it and going back are harmless. */
export function goBack(c: Call, path: string, outcome: "done" | { problem: ErrorReason }): Response {
	const query = outcome === "done" ? "done=1" : `problem=${outcome.problem}`;
	return c.redirect(`/ops/console${path}${path.includes("?") ? "&" : "?"}${query}`, 303);
}

function noticeOf(c: Call): Shown["notice"] {
	const { done, problem = "" } = c.req.query();
	if (Object.hasOwn(MESSAGES, problem)) return { kind: "problem", text: MESSAGES[problem as ErrorReason] };
	return done ? { kind: "done", text: T.done } : undefined;
}

export function may(c: Call, role: OpsRole): boolean {
	return c.get("operator").roles.has(role);
}

/** A time in words, or a dash. */
export function when(c: Call, at: number | null, { seconds = false } = {}): Child {
	return at === null ? sayIn(c)(T.nothing) : <Time at={at} locale={c.get("language")} seconds={seconds} />;
}

export function yesOrNo(c: Call, value: boolean): string {
	return sayIn(c)(value ? T.yes : T.no);
}
