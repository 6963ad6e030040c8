import { findOwnCode, type OwnCode } from "../../db/own-codes.ts";
import { parseCode } from "../../domain/code-form.ts";
import { TIMELINE_MAX } from "../../domain/limits.ts";
import { REVOCATION_REASONS } from "../../domain/revocation-reason.ts";
import { errorAnswer } from "../../http/errors.ts";
import { printable } from "../../http/fields.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { partnerCaller } from "../../services/caller.ts";
import { changeCode } from "../../services/change-code.ts";
import { revokeOwnCertificate } from "../../services/revoke-certificate.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { REVOCATION_NAMES } from "../../texts/console-words.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Choices, Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Notice, Table, Time } from "../kit/parts.tsx";
import type { Form } from "../kit/read-form.ts";
import { nextWords, OwnCertificateFacts, OwnCodeFacts, timelineRow } from "./code-details.tsx";
import { goBack, page, post, show } from "./console.ts";
import { addressOf } from "./filters.ts";

const reason = printable(128, "text");

export const codePages = [
	page("/codes/:code", { trips: 2 }, (c) => showCode(c)),

	post("/codes/:code/cancel", {}, async (c, form) => {
		const code = parseCode(c.req.param("code") ?? "");
		if (code === null) return errorAnswer(c, "not_found");
		const why = reason.safeParse(form.text("reason"));
		const problems = { ...(!why.success && { reason: T.reasonWrong }), ...unsure(form, "cancel") };
		if (!why.success || problems.cancel) return showCode(c, problems);
		const answer = await changeCode(partnerCaller(c), code, { verb: "cancel", reason: why.data });
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		return goBack(`/codes/${code}`, "cancel");
	}),

	post("/codes/:code/revoke", {}, async (c, form) => {
		const why = revocationReason.safeParse(form.text("revocation"));
		const problems = { ...(!why.success && { revocation: T.reasonWrong }), ...unsure(form, "revoke") };
		if (!why.success || problems.revoke) return showCode(c, problems);
		const answer = await revokeOwnCertificate(partnerCaller(c), form.text("serial"), why.data);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		return goBack(`/codes/${answer.certificate.code}`, "revoke");
	}),
];

type Problems = Partial<Record<"reason" | "revocation" | "cancel" | "revoke", Text>>;

function unsure(form: Form, what: "cancel" | "revoke"): Problems {
	return form.text(what) === "sure" ? {} : { [what]: T.notSure };
}

async function showCode(c: Call, problems?: Problems): Promise<Response> {
	const { platform, partnerId, now } = partnerCaller(c);
	const code = parseCode(c.req.param("code") ?? "");
	const found = code === null ? null : await findOwnCode(platform.db, { partnerId, code }, TIMELINE_MAX);
	if (!found) return errorAnswer(c, "not_found");
	const say = sayIn(c);
	const { facts, certificate, timeline } = found;
	const language = c.get("language");
	return show(
		c,
		{
			title: fill(T.oneCode, { code: facts.code }),
			status: problems ? 400 : 200,
			notice: problems ? { kind: "problem", text: T.notDone } : doneOf(c, found),
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
						<OwnCertificateFacts c={c} certificate={certificate} now={now} />
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
				{certificate && certificate.revokedAt === null && (
					<RevokeForm c={c} code={facts.code} serial={certificate.serial} problems={problems} />
				)}
				{facts.cancelledAt === null && <CancelForm c={c} code={facts.code} problems={problems} />}
			</div>
		</>,
	);
}

/** Reports an earlier action only if the code shows that it took place. */
function doneOf(c: Call, { facts, certificate }: OwnCode) {
	const done = c.req.query("done");
	if (done === "cancel" && facts.cancelledAt !== null) return { kind: "done" as const, text: T.cancelled };
	if (done === "revoke" && certificate?.revokedAt) return { kind: "done" as const, text: T.revokedNow };
	return undefined;
}

interface FormProps {
	c: Call;
	code: string;
	problems: Problems | undefined;
}

function Sure({ c, name, problem }: { c: Call; name: string; problem: Text | undefined }) {
	const say = sayIn(c);
	const options = [{ value: "sure", label: say(T.sure) }];
	return (
		<Choices
			name={name}
			label={say(T.confirm)}
			options={options}
			chosen={[]}
			problem={problem && say(problem)}
		/>
	);
}

function CancelForm({ c, code, problems }: FormProps) {
	const say = sayIn(c);
	return (
		<Card title={say(T.cancelTitle)}>
			<p>{say(T.cancelWarning)}</p>
			<PostForm action={`/console/codes/${code}/cancel`} csrf={c.get("csrf")}>
				<Field
					name="reason"
					label={say(T.reason)}
					hint={say(T.cancelReasonHint)}
					problem={problems?.reason && say(problems.reason)}
					required
					maxlength={128}
				/>
				<Sure c={c} name="cancel" problem={problems?.cancel} />
				<button class="danger" type="submit">
					{say(T.cancel)}
				</button>
			</PostForm>
		</Card>
	);
}

function RevokeForm({ c, code, serial, problems }: FormProps & { serial: string }) {
	const say = sayIn(c);
	return (
		<Card title={say(T.revokeTitle)}>
			<p>{say(T.revokeWarning)}</p>
			<PostForm action={`/console/codes/${code}/revoke`} csrf={c.get("csrf")}>
				<input type="hidden" name="serial" value={serial} />
				<Select
					name="revocation"
					label={say(T.reason)}
					options={REVOCATION_REASONS.map((value) => ({ value, label: say(REVOCATION_NAMES[value]) }))}
					problem={problems?.revocation && say(problems.revocation)}
				/>
				<Sure c={c} name="revoke" problem={problems?.revoke} />
				<button class="danger" type="submit">
					{say(T.revoke)}
				</button>
			</PostForm>
		</Card>
	);
}
