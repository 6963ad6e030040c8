import { MINUTE_MS } from "../../domain/durations.ts";
import { HOLDER_CODE_MS } from "../../domain/limits.ts";
import { REVOCATION_STEPS, HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Notice } from "../kit/parts.tsx";
import { NO_PROBLEMS, statusOf } from "../kit/problems.ts";
import { addressOf, page } from "./layout.ts";

/** Attributes of a field without the browser's corrections. */
const AS_TYPED = { required: true, autocapitalize: "none", spellcheck: "false" } as const;

/** RUT and e-mail. @param sent - typed values, to be corrected */
export function startPage(c: Call, sent = { rut: "", email: "" }, problems = NO_PROBLEMS) {
	const say = sayIn(c);
	return page(
		c,
		statusOf(problems),
		T.title,
		<>
			<p>{say(fill(T.whose, { brand: c.get("platform").brand.name }))}</p>
			<p>{say(T.introduction)}</p>
			<h2>{say(T.whatHappens)}</h2>
			<ol>
				{REVOCATION_STEPS.map((step) => (
					<li>{say(step)}</li>
				))}
			</ol>
			<PostForm action={addressOf(c, "")} csrf={c.get("csrf")} novalidate>
				<Field
					name="rut"
					label={say(T.rut)}
					hint={say(T.rutHint)}
					value={sent.rut}
					problem={problems.rut}
					maxlength={16}
					{...AS_TYPED}
				/>
				<Field
					name="email"
					type="email"
					label={say(T.email)}
					hint={say(T.emailHint)}
					value={sent.email}
					problem={problems.email}
					maxlength={254}
					inputmode="email"
					autocomplete="email"
					{...AS_TYPED}
				/>
				<button type="submit">{say(T.sendCode)}</button>
			</PostForm>
		</>,
	);
}

/** The form of the one-time code: the same page, whether one was sent or not. */
export function codePage(c: Call, problems = NO_PROBLEMS) {
	const say = sayIn(c);
	return page(
		c,
		c.req.method === "GET" ? 200 : statusOf(problems),
		T.codeTitle,
		<>
			<p>{say(fill(T.codeIntroduction, { minutes: HOLDER_CODE_MS / MINUTE_MS }))}</p>
			<PostForm action={addressOf(c, "/codigo")} csrf={c.get("csrf")} novalidate>
				<Field
					name="code"
					label={say(T.code)}
					problem={problems.code}
					maxlength={20}
					inputmode="numeric"
					autocomplete="one-time-code"
					data-fragment
					{...AS_TYPED}
				/>
				<p role="status" data-filled hidden>
					{say(T.codeFilled)}
				</p>
				<button type="submit">{say(T.check)}</button>
			</PostForm>
			<p>{say(T.noCode)}</p>
			<StartAgain c={c} />
		</>,
	);
}

/**
 * The page that the e-mail's button opens. A link from another site brings no cookie of this one's: from here the
 * browser goes on with it, by script or by a press, and with the code in the fragment where there is script.
 */
export function openPage(c: Call) {
	const say = sayIn(c);
	return page(
		c,
		200,
		T.openTitle,
		<>
			<p>{say(T.openIntroduction)}</p>
			<p>
				<a class="button" href={addressOf(c, "/codigo")} data-go>
					{say(T.check)}
				</a>
			</p>
		</>,
	);
}

/** A page with a message alone and a way to begin anew. */
export function messagePage(c: Call, status: 200 | 403 | 404 | 409 | 410 | 429, title: Text, text: Text) {
	return page(
		c,
		status,
		title,
		<>
			<p>{sayIn(c)(text)}</p>
			<StartAgain c={c} />
		</>,
	);
}

/** The service cannot answer now, or not this address: offers the step again. */
export function retryPage(c: Call, status: 429 | 500 | 503) {
	const say = sayIn(c);
	const step = STEPS.find((name) => c.req.path.endsWith(name)) ?? "";
	c.header("Retry-After", status === 429 ? "60" : "30");
	return page(
		c,
		status,
		T.problem,
		<>
			<Notice kind="problem">
				<p>{say(status === 429 ? T.tooFast : T.unavailable)}</p>
			</Notice>
			<p>
				<a class="button" href={addressOf(c, step)}>
					{say(T.tryAgain)}
				</a>
			</p>
		</>,
	);
}

/** Steps with a page to come back to. */
const STEPS = ["/codigo", "/certificado", "/datos"] as const;

function StartAgain({ c }: { c: Call }) {
	return (
		<p>
			<a href={addressOf(c, "")}>{sayIn(c)(T.startAgain)}</a>
		</p>
	);
}
