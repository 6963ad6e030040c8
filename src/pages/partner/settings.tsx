import { LIMITS } from "../../api/partner/desk/settings.ts";
import { selectSessions } from "../../db/console-sessions.ts";
import { type PartnerRow, selectCaller } from "../../db/partners.ts";
import { batch } from "../../db/query.ts";
import { nowFor, partnerCaller } from "../../services/caller.ts";
import { changeReminders } from "../../services/own-settings.ts";
import { SETTINGS_PAGE as T } from "../../texts/console-settings.ts";
import { readableSpan, readableTime } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import { presentPartner } from "../../wire/partner.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import type { Call } from "../kit/call.ts";
import { doneIn } from "../kit/console.tsx";
import { Copyable } from "../kit/copyable.tsx";
import { Choices, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Facts } from "../kit/parts.tsx";
import { goBack, page, post, show } from "./console.ts";
import { HOME } from "./nav.ts";
import { SessionsSection } from "./sessions.tsx";

const SESSIONS_SHOWN = 50;

export const settingsPages = [
	page("/", { trips: 1 }, (c) => c.redirect(HOME, 303)),

	page("/settings", { trips: 2 }, async (c) => {
		const { clock, settings } = c.get("platform");
		const say = sayIn(c);
		const { db, partnerId } = c.get("owner");
		const {
			partner: [partner],
			sessions,
		} = await batch(db, {
			partner: selectCaller(db, { partnerId }),
			sessions: selectSessions(db, partnerId, { limit: SESSIONS_SHOWN, now: clock() }),
		});
		const notice = doneIn(c, c.req.query("done") === "session" ? T.sessionEnded : T.done);
		return show(
			c,
			{ title: T.title, notice },
			<>
				<h2>{say(T.applies)}</h2>
				<p>{say(fill(T.byUs, { support: c.get("platform").brand.email }))}</p>
				<Applies c={c} partner={partner!} />
				{settings.environment !== "prod" && <SandboxClock c={c} partner={partner!} />}
				<Card title={say(T.reminders)}>
					<PostForm action="/console/reminders" csrf={c.get("csrf")}>
						<Choices
							name="holder_reminders"
							label={say(T.remindersHint)}
							options={[{ value: "1", label: say(T.remindersOn) }]}
							chosen={partner!.holderReminders ? ["1"] : []}
						/>
						<button type="submit">{say(T.save)}</button>
					</PostForm>
				</Card>
				<SessionsSection c={c} sessions={sessions} />
			</>,
		);
	}),

	post("/reminders", {}, async (c, form) => {
		const sent = { holder_reminders: form.text("holder_reminders") === "1" };
		const changed = await changeReminders(partnerCaller(c), sent);
		if (changed.kind === "refused") return answerRefusal(c, changed.reason);
		return goBack("/settings");
	}),
];

/** `GET /settings`, in words. */
function Applies({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const shown = presentPartner(partner);
	const limits = {
		calls: LIMITS.calls_per_minute,
		bulk: LIMITS.bulk_calls_per_minute,
		requests: LIMITS.certificate_requests_per_minute,
		codes: LIMITS.codes_per_batch,
	};
	return (
		<Facts
			facts={[
				[say(T.partner), shown.name],
				["id", <Copyable text={shown.id} language={c.get("language")} />],
				[say(T.mode), say(T[shown.mode])],
				[say(T.checks), shown.identity_checks.map((check) => say(T[check])).join(", ")],
				[say(T.products), shown.allowed_products.join(", ")],
				[say(T.pfx), shown.pfx_profile],
				[say(T.algorithm), shown.key_algorithm],
				[say(T.language), say(shown.language === "es" ? T.spanish : T.english)],
				[say(T.limits), say(fill(T.limitsAre, limits))],
				[say(T.key), <Copyable text={c.get("owner").keyId} language={c.get("language")} />],
			]}
		/>
	);
}

/** Shown only outside prod, where every clock is the real one. */
function SandboxClock({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const language = c.get("language");
	const now = nowFor(partnerCaller(c), partner);
	const ahead = readableSpan(partner.clockOffset, language);
	return (
		<>
			<h2>{say(T.sandbox)}</h2>
			<p>{say(fill(ahead ? T.clockAhead : T.clockReal, { ahead, now: readableTime(now, language) }))}</p>
		</>
	);
}
