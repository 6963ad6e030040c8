import { PostForm } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import { Table, Time } from "../console-parts/parts.tsx";
import { selectSessions } from "../db/console-sessions.ts";
import { query } from "../db/query.ts";
import { platformIn } from "../http/platform-in.ts";
import { CONSOLE as T } from "../texts/console.ts";
import { fill } from "../texts/language.ts";
import { HOME } from "./nav.ts";
import { page, post } from "./routes.ts";
import { endSession } from "./session.ts";
import { show } from "./show.tsx";

const SESSIONS_SHOWN = 50;

export const settingsPages = [
	page("/", { trips: 1 }, (c) => c.redirect(HOME, 303)),

	page("/settings", { trips: 2 }, async (c) => {
		const { db, clock } = platformIn(c);
		const say = sayIn(c);
		const locale = c.get("language");
		const { partnerId } = c.get("owner");
		const sessions = await query(selectSessions(db, partnerId, { limit: SESSIONS_SHOWN, now: clock() }));
		const rows = sessions.map(({ tokenHash, label, createdAt, expiresAt }) => [
			tokenHash === c.get("sessionHash") ? say(fill(T.thisSession, { label })) : label,
			<Time at={createdAt} locale={locale} />,
			<Time at={expiresAt} locale={locale} />,
		]);
		return show(
			c,
			{ title: T.settings },
			<>
				<Table
					caption={say(T.sessions)}
					columns={[say(T.sessionKey), say(T.sessionBegun), say(T.sessionEnds)]}
					rows={rows}
					empty={say(T.noSessions)}
				/>
				<PostForm action="/console/sign_out_everywhere" csrf={c.get("csrf")}>
					<p>{say(T.endAllHint)}</p>
					<button class="danger" type="submit">
						{say(T.endAll)}
					</button>
				</PostForm>
			</>,
		);
	}),

	post("/sign_out", {}, async (c) => {
		await endSession(c, "this");
		return c.redirect("/console/sign_in?signed_out=1", 303);
	}),

	post("/sign_out_everywhere", {}, async (c) => {
		await endSession(c, "all");
		return c.redirect("/console/sign_in?signed_out=1", 303);
	}),
];
