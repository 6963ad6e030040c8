import { requestAnswer } from "../../api/ops/holder-requests.ts";
import { REQUEST_MAX, REQUEST_OUTCOMES } from "../../domain/holder-requests.ts";
import { opsCaller } from "../../services/caller.ts";
import { answerRequest, openRequests } from "../../services/holder-requests.ts";
import { REQUEST_KIND_TEXTS, REQUEST_OUTCOME_TEXTS } from "../../texts/holder-data.ts";
import { OPS_HOLDERS as T } from "../../texts/ops-holders.ts";
import type { ShownRequest } from "../../wire/holder-data.ts";
import type { Call } from "../kit/call.ts";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, EmptyState, Facts } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems, problemsOf } from "../kit/problems.ts";
import { goBack, page, post, show } from "./console.tsx";
import { when } from "./words.tsx";

const PATH = "/holders/requests";

interface Sent {
	id: string;
	outcome: string;
	answer: string;
}

/** Requests of holders about their data, the oldest first, each with its answer's form. */
export const holderRequestPages = [
	page(PATH, { right: "operate", trips: 1 }, (c) => showRequests(c)),

	post(`${PATH}/:id`, {}, async (c, form) => {
		const id = c.req.param("id") ?? "";
		const sent = { outcome: form.text("outcome"), answer: form.text("answer").trim() };
		const read = requestAnswer.safeParse({ ...sent, answer: sent.answer.replaceAll(/\s+/g, " ") });
		if (!read.success) return showRequests(c, { id, ...sent }, problemsOf(c, read.error));
		const { kind } = await answerRequest(opsCaller(c), id, read.data);
		return kind === "done" ? goBack(PATH) : goBack(PATH, { problem: "not_found" });
	}),
];

async function showRequests(c: Call, sent?: Sent, problems = NO_PROBLEMS) {
	const say = sayIn(c);
	const { requests } = await openRequests(opsCaller(c));
	return show(
		c,
		{ title: T.requests, status: sent ? 400 : 200 },
		<>
			<p>{say(T.requestsWhy)}</p>
			{requests.length === 0 && <EmptyState title={say(T.requestsNone)} />}
			{requests.map((request) => (
				<Request
					c={c}
					request={request}
					sent={sent?.id === request.id ? sent : undefined}
					problems={sent?.id === request.id ? problems : NO_PROBLEMS}
				/>
			))}
		</>,
	);
}

interface RequestProps {
	c: Call;
	request: ShownRequest;
	sent: Sent | undefined;
	problems: Problems;
}

function Request({ c, request, sent, problems }: RequestProps) {
	const say = sayIn(c);
	const { id, p_code, kind, detail, asked_at, answer_by } = request;
	const outcomes = REQUEST_OUTCOMES.map((value) => ({ value, label: say(REQUEST_OUTCOME_TEXTS[value]) }));
	return (
		<Card
			title={say(REQUEST_KIND_TEXTS[kind])}
			action={<a href={`/ops/console/codes/${p_code}`}>{p_code}</a>}
		>
			<Facts
				facts={[
					[say(T.answerBy), when(c, Date.parse(answer_by))],
					[say(T.asked), when(c, Date.parse(asked_at))],
					[say(T.detail), detail ?? say(T.unopenable)],
				]}
			/>
			<PostForm action={`/ops/console${PATH}/${id}`} csrf={c.get("csrf")}>
				<Select
					name="outcome"
					label={say(T.outcome)}
					options={[{ value: "", label: "" }, ...outcomes]}
					value={sent?.outcome}
					problem={problems.outcome}
				/>
				<Field
					name="answer"
					label={say(T.answer)}
					value={sent?.answer ?? ""}
					problem={problems.answer}
					rows={3}
					required
					maxlength={REQUEST_MAX}
				/>
				<button type="submit">{say(T.send)}</button>
			</PostForm>
		</Card>
	);
}
