import { DATABASE_MAX } from "../../domain/limits.ts";
import { errorAnswer } from "../../http/errors.ts";
import { opsCaller } from "../../services/caller.ts";
import { changeDatabase, listDatabases, type ShownDatabase } from "../../services/databases.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_DATABASES as T } from "../../texts/ops-console-upkeep.ts";
import type { Tone } from "../../texts/status-words.ts";
import { Badge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table } from "../kit/parts.tsx";
import { goBack, may, page, post, show } from "./console.tsx";

/** The databases: how full each is, and whether it takes new partners. */
export const databasePages = [
	page("/databases", { trips: 3 }, async (c) => {
		const say = sayIn(c);
		const databases = await listDatabases(c.get("platform"));
		const action = may(c, "operate") ? [OPS_CONSOLE.action] : [];
		return show(
			c,
			{ title: OPS_CONSOLE.databases },
			<>
				<p>{say(T.why)}</p>
				<Table
					caption={say(T.sizes)}
					columns={[
						T.database,
						OPS_CONSOLE.state,
						T.size,
						OPS_CONSOLE.partners,
						T.certificates,
						...action,
					].map(say)}
					rows={databases.map((database) => rowOf(c, database))}
					empty={say(OPS_CONSOLE.none)}
				/>
				<p>{say(T.runbook)}</p>
			</>,
		);
	}),

	post("/databases/:number", {}, async (c, form) => {
		const state = form.text("state");
		if (state !== "open" && state !== "closed") return errorAnswer(c, "not_found");
		const changed = await changeDatabase(opsCaller(c), Number(c.req.param("number")), state);
		return changed ? goBack("/databases") : errorAnswer(c, "not_found");
	}),
];

const TONES: Record<ShownDatabase["state"], Tone> = {
	open: "good",
	closed: "quiet",
	full: "warn",
	silent: "bad",
};

function rowOf(c: Call, { number, binding, state, bytes, partners, certificates }: ShownDatabase) {
	const say = sayIn(c);
	const language = c.get("language");
	const shown = (n: number | null) => (n === null ? say(OPS_CONSOLE.nothing) : readableNumber(n, language));
	const [to, verb] = state === "closed" ? (["open", T.open] as const) : (["closed", T.close] as const);
	return [
		<code>{binding}</code>,
		<Badge tone={TONES[state]}>{say(T.states[state])}</Badge>,
		bytes === null ? (
			say(OPS_CONSOLE.nothing)
		) : (
			<span>
				<progress value={bytes} max={DATABASE_MAX} aria-label={`${say(T.size)}: ${binding}`} />{" "}
				{say(fill(T.ofLimit, { mb: readableNumber(Math.ceil(bytes / 1_000_000), language) }))}
			</span>
		),
		shown(partners),
		shown(certificates),
		...(may(c, "operate")
			? [
					<PostForm action={`/ops/console/databases/${number}`} csrf={c.get("csrf")}>
						<input type="hidden" name="state" value={to} />
						<button class="plain" type="submit" aria-label={`${say(verb)}: ${binding}`}>
							{say(verb)}
						</button>
					</PostForm>,
				]
			: []),
	];
}
