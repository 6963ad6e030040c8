import type { ShownSession } from "../../db/console-sessions.ts";
import { errorAnswer } from "../../http/errors.ts";
import { SETTINGS_PAGE as T } from "../../texts/console-settings.ts";
import { countryName } from "../../texts/country.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table, Time } from "../kit/parts.tsx";
import { goBack, post } from "./console.ts";
import { endOneSession, endSession } from "./session.ts";

const SIGNED_OUT = { to: "/console/sign_in?signed_out=1" };

export const sessionPages = [
	post("/sign_out", {}, async (c) => {
		await endSession(c, "this");
		return SIGNED_OUT;
	}),

	post("/sign_out_everywhere", {}, async (c) => {
		await endSession(c, "all");
		return SIGNED_OUT;
	}),

	post("/sessions/:session/end", {}, async (c) => {
		const session = c.req.param("session")!;
		if (!(await endOneSession(c, session))) return errorAnswer(c, "not_found");
		return session === c.get("sessionHash") ? SIGNED_OUT : goBack("/settings", "session");
	}),
];

/** Lists who is signed in, from where, and the forms that end one session or all of them. */
export function SessionsSection({ c, sessions }: { c: Call; sessions: readonly ShownSession[] }) {
	const say = sayIn(c);
	const csrf = c.get("csrf");
	const columns = [T.sessionKey, T.browser, T.place, T.sessionBegun, T.sessionUsed, T.sessionEnds, T.end];
	return (
		<>
			<h2>{say(T.sessions)}</h2>
			<Table
				caption={say(T.sessions)}
				columns={columns.map(say)}
				rows={sessions.map((session) => rowOf(c, session))}
				empty={say(T.noSessions)}
			/>
			<PostForm action="/console/sign_out_everywhere" csrf={csrf}>
				<p>{say(T.endAllHint)}</p>
				<button class="danger" type="submit">
					{say(T.endAll)}
				</button>
			</PostForm>
		</>
	);
}

function rowOf(c: Call, session: ShownSession) {
	const { tokenHash, label, browser, country, createdAt, lastUsedAt, expiresAt } = session;
	const say = sayIn(c);
	const locale = c.get("language");
	const name = tokenHash === c.get("sessionHash") ? say(fill(T.thisSession, { label })) : label;
	return [
		name,
		browser ?? say(T.unknown),
		country === null ? say(T.unknown) : countryName(country, locale),
		...[createdAt, lastUsedAt, expiresAt].map((at) => <Time at={at} locale={locale} />),
		<PostForm action={`/console/sessions/${tokenHash}/end`} csrf={c.get("csrf")}>
			<button class="plain" type="submit" aria-label={`${say(T.end)}: ${name}`}>
				{say(T.end)}
			</button>
		</PostForm>,
	];
}
