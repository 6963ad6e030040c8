import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Call } from "../console-parts/call.ts";
import { answerPage } from "../console-parts/layout.tsx";
import { Refused } from "../console-parts/parts.tsx";
import type { KeyOwner } from "../db/api-keys.ts";
import { CONSOLE as T } from "../texts/console.ts";
import { CONSOLE_PARTS } from "../texts/console-parts.ts";
import type { Text } from "../texts/language.ts";
import { NAV } from "./nav.ts";

interface Shown {
	title: Text;
	status?: ContentfulStatusCode;
	/** What has been done, or is wrong. */
	notice?: { kind: "done" | "problem"; text: Text } | undefined;
}

/** A page of the console, for who is signed in or for nobody yet. */
export function show(
	c: Call,
	{ title, status = 200, notice }: Shown,
	content: Child,
): Response | Promise<Response> {
	const language = c.get("language");
	const owner = c.get("owner") as KeyOwner | undefined;
	return answerPage(
		c,
		{
			title: title[language],
			name: T.name[language],
			nav: owner ? NAV.map(({ path, label }) => ({ path, label: label[language] })) : [],
			who: owner?.partnerName ?? null,
			signOut: owner ? { action: "/console/sign_out", csrf: c.get("csrf") } : null,
			notice: notice && { kind: notice.kind, text: notice.text[language] },
			children: content,
		},
		status,
	);
}

/** A page that says why something was not done. */
export function showProblem(c: Call, status: ContentfulStatusCode, text: Text): Response | Promise<Response> {
	return showProblems(c, status, [text[c.get("language")]]);
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
		<Refused why={messages} home="/console" locale={c.get("language")} />,
	);
}
