import { findOwnCode, type OwnCode } from "../../db/own-codes.ts";
import { parseCode } from "../../domain/code-form.ts";
import { TIMELINE_MAX } from "../../domain/limits.ts";
import { errorAnswer } from "../../http/errors.ts";
import { printable } from "../../http/fields.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { partnerCaller } from "../../services/caller.ts";
import { changeCode } from "../../services/change-code.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Notice, Table, Time } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems } from "../kit/problems.ts";
import { RevokeForm } from "./certificate.tsx";
import { nextWords, OwnCertificateFacts, OwnCodeFacts, SerialLink, timelineRow } from "./code-details.tsx";
import { goBack, page, post, show } from "./console.ts";
import { addressOf } from "./filters.ts";
import { Sure, unsure } from "./sure.tsx";

const reason = printable(128, "text");

export const codePages = [
	page("/codes/:code", { trips: 2 }, (c) => showCode(c)),

	post("/codes/:code/cancel", {}, async (c, form) => {
		const code = parseCode(c.req.param("code") ?? "");
		if (code === null) return errorAnswer(c, "not_found");
		const why = reason.safeParse(form.text("reason"));
		const problems: Problems = {
			...(!why.success && { reason: sayIn(c)(T.reasonWrong) }),
			...unsure(c, form, "cancel"),
		};
		if (!why.success || problems.cancel) return showCode(c, problems);
		const answer = await changeCode(partnerCaller(c), code, { verb: "cancel", reason: why.data });
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		return goBack(`/codes/${code}`, "cancel");
	}),
];

async function showCode(c: Call, problems = NO_PROBLEMS): Promise<Response> {
	const { platform, db, partnerId, now } = partnerCaller(c);
	const code = parseCode(c.req.param("code") ?? "");
	const found = code === null ? null : await findOwnCode(db, { partnerId, code }, TIMELINE_MAX);
	if (!found) return errorAnswer(c, "not_found");
	const say = sayIn(c);
	const { facts, certificate, timeline } = found;
	const isWrong = problems !== NO_PROBLEMS;
	const language = c.get("language");
	return show(
		c,
		{
			title: fill(T.oneCode, { code: facts.code }),
			status: isWrong ? 400 : 200,
			notice: isWrong ? { kind: "problem", text: T.notDone } : doneOf(c, found),
		},
		<>
			<Notice kind="info">
				<h2>{say(T.next)}</h2>
				<p>{nextWords(found, now, { language, support: platform.brand.email })}</p>
			</Notice>
			<div class="cards">
				<Card
					title={say(T.facts)}
					action={
						<a href={addressOf("/console/deliveries", { p_code: facts.code })}>{say(T.itsDeliveries)}</a>
					}
				>
					<OwnCodeFacts c={c} facts={facts} now={now} />
				</Card>
				{certificate && (
					<Card title={say(T.certificate)}>
						<OwnCertificateFacts
							c={c}
							certificate={certificate}
							now={now}
							own={[[T.serial, <SerialLink c={c} serial={certificate.serial} />]]}
						/>
					</Card>
				)}
			</div>
			<h2>{say(T.timeline)}</h2>
			<Table
				caption={say(fill(T.timelineCounted, { n: TIMELINE_MAX }))}
				columns={[T.when, T.what, T.outcome, T.who].map(say)}
				rows={timeline.map((entry) => [
					<Time at={entry.at} locale={language} />,
					...timelineRow(entry, language),
				])}
				empty=""
			/>
			<div class="cards">
				{certificate && <RevokeForm c={c} certificate={certificate} />}
				{facts.cancelledAt === null && <CancelForm c={c} code={facts.code} problems={problems} />}
			</div>
		</>,
	);
}

/** Reports an earlier action only if the code shows that it took place. */
function doneOf(c: Call, { facts }: OwnCode) {
	const done = c.req.query("done");
	if (done === "cancel" && facts.cancelledAt !== null) return { kind: "done" as const, text: T.cancelled };
	return undefined;
}

function CancelForm({ c, code, problems }: { c: Call; code: string; problems: Problems }) {
	const say = sayIn(c);
	return (
		<Card title={say(T.cancelTitle)}>
			<p>{say(T.cancelWarning)}</p>
			<PostForm action={`/console/codes/${code}/cancel`} csrf={c.get("csrf")}>
				<Field
					name="reason"
					label={say(T.reason)}
					hint={say(T.cancelReasonHint)}
					problem={problems.reason}
					required
					maxlength={128}
				/>
				<Sure c={c} name="cancel" problem={problems.cancel} />
				<button class="danger" type="submit">
					{say(T.cancel)}
				</button>
			</PostForm>
		</Card>
	);
}
