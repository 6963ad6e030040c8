import type { Context } from "hono";
import { html } from "hono/html";
import type { ShownCertificate } from "../../db/holders-across-partners.ts";
import { HOLDER_CODE_MS } from "../../domain/limits.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { readableDate, readableTime } from "../../texts/dates.ts";
import { HOLDER_REASONS, HOLDER_PAGE as TEXTS } from "../../texts/holder-page.ts";
import { fill, type Text } from "../../texts/language.ts";
import { addressOf, type Html, page } from "./layout.ts";

type Call = Context<AppEnv>;

/** What is wrong with a field, by its name. */
export type Problems = Readonly<Record<string, Text>>;

/** What a form sent. */
export type Fields = Readonly<Record<string, string>>;

const NONE: Problems = {};
const BAD_REQUEST = 400;

/** RUT and e-mail. @param sent - what was typed, to be mended */
export function startPage(c: Call, csrf: string, sent = { rut: "", email: "" }, problems = NONE) {
	const say = sayIn(c);
	return page(c, statusOf(problems), TEXTS.title, [
		html`<p>${say(TEXTS.introduction)}</p>`,
		form(addressOf(c, ""), csrf, [
			field(c, problems, { name: "rut", label: TEXTS.rut, hint: TEXTS.rutHint, value: sent.rut, max: 16 }),
			field(c, problems, {
				name: "email",
				label: TEXTS.email,
				hint: TEXTS.emailHint,
				value: sent.email,
				max: 254,
				type: "email",
			}),
			html`<button>${say(TEXTS.sendCode)}</button>`,
		]),
	]);
}

/** The one-time code: the same page, whether one was sent or not. */
export function codePage(c: Call, csrf: string, problems = NONE) {
	const say = sayIn(c);
	const minutes = HOLDER_CODE_MS / 60_000;
	return page(c, statusOf(problems), TEXTS.codeTitle, [
		html`<p>${say(fill(TEXTS.codeIntroduction, { minutes }))}</p>`,
		form(addressOf(c, "/codigo"), csrf, [
			field(c, problems, {
				name: "code",
				label: TEXTS.code,
				value: "",
				max: 20,
				inputmode: "numeric",
				autocomplete: "one-time-code",
			}),
			html`<button>${say(TEXTS.check)}</button>`,
		]),
		html`<p>${say(TEXTS.noCode)}</p><p><a href="${addressOf(c, "")}">${say(TEXTS.startAgain)}</a></p>`,
	]);
}

/** The certificates and the reasons. @param done - one was revoked just now. `sent`: what was chosen, to be mended */
export function certificatesPage(
	c: Call,
	csrf: string,
	certificates: readonly ShownCertificate[],
	{ done = false, sent = {}, problems = NONE }: { done?: boolean; sent?: Fields; problems?: Problems } = {},
) {
	const say = sayIn(c);
	const open = certificates.filter(({ revokedAt }) => revokedAt === null);
	const closed = certificates.filter(({ revokedAt }) => revokedAt !== null);
	return page(c, statusOf(problems), done ? TEXTS.done : TEXTS.listTitle, [
		done
			? html`<p class="box" role="status">${say(TEXTS.doneNext)}</p>`
			: html`<p>${say(TEXTS.listIntroduction)}</p>`,
		...closed.map((certificate) => html`<p class="choice"><span>${describe(c, certificate)}</span></p>`),
		open.length === 0
			? html`<p>${say(TEXTS.noneLeft)}</p>`
			: form(addressOf(c, "/certificado"), csrf, [
					...choices(c, open, sent, problems),
					html`<button>${say(TEXTS.revoke)}</button>`,
				]),
		form(addressOf(c, "/fin"), csrf, [html`<button class="plain">${say(TEXTS.leave)}</button>`]),
	]);
}

/** Certificate, reason, and that it is understood. */
function choices(c: Call, open: readonly ShownCertificate[], sent: Fields, problems: Problems): Html[] {
	const say = sayIn(c);
	const radios = open.map((certificate, i) => {
		const isChosen = open.length === 1 || certificate.serial === sent.serial;
		const focus = i === 0 && "serial" in problems ? html` aria-describedby="serial-wrong" autofocus` : "";
		return html`<label class="choice"><input type="radio" name="serial" value="${certificate.serial}"${isChosen ? html` checked` : ""}${focus}> <span>${describe(c, certificate)}</span></label>`;
	});
	const reasons = Object.entries(HOLDER_REASONS).map(([value, text]) => {
		return html`<option value="${value}"${value === sent.why ? html` selected` : ""}>${say(text)}</option>`;
	});
	return [
		html`<fieldset class="field"><legend>${say(TEXTS.listTitle)}</legend>${wrong(c, problems, "serial")}${radios}</fieldset>`,
		html`<div class="field"><label for="why">${say(TEXTS.reason)}</label>${wrong(c, problems, "why")}<select id="why" name="why"${state(problems, "why")}><option value=""></option>${reasons}</select></div>`,
		html`<div class="field">${wrong(c, problems, "understood")}<label class="choice"><input type="checkbox" name="understood" value="1"${state(problems, "understood")}> <span>${say(TEXTS.understand)}</span></label></div>`,
	];
}

/** A page that only says something, with a way to begin anew. */
export function messagePage(c: Call, status: 200 | 403 | 404 | 410 | 429, title: Text, text: Text) {
	const say = sayIn(c);
	return page(c, status, title, [
		html`<p>${say(text)}</p><p><a href="${addressOf(c, "")}">${say(TEXTS.startAgain)}</a></p>`,
	]);
}

/** The service cannot answer now: the same step again. */
export function retryPage(c: Call, status: 500 | 503) {
	const say = sayIn(c);
	const step = STEPS.find((name) => c.req.path.endsWith(name)) ?? "";
	c.header("Retry-After", "30");
	return page(c, status, TEXTS.problem, [
		html`<p role="alert">${say(TEXTS.unavailable)}</p><p><a class="button" href="${addressOf(c, step)}">${say(TEXTS.tryAgain)}</a></p>`,
	]);
}

/** Those that have a page to come back to. */
const STEPS = ["/codigo", "/certificado"] as const;

function describe(c: Call, { serial, partnerName, issuedAt, notAfter, revokedAt }: ShownCertificate): Html {
	const say = sayIn(c);
	const language = c.get("language");
	const [from, to] = [readableDate(issuedAt, language), readableDate(notAfter, language)];
	const revoked =
		revokedAt === null
			? ""
			: html`<br>${say(fill(TEXTS.revokedOn, { at: readableTime(revokedAt, language) }))}`;
	return html`<b>${say(fill(TEXTS.soldBy, { partner: partnerName }))}</b>${say(fill(TEXTS.dates, { from, to }))}<br>${say(fill(TEXTS.serial, { serial }))}${revoked}`;
}

interface Field {
	name: string;
	label: Text;
	hint?: Text;
	value: string;
	max: number;
	type?: string;
	inputmode?: string;
	autocomplete?: string;
}

function field(c: Call, problems: Problems, asked: Field): Html {
	const { name, label, hint, value, max, type = "text", inputmode = "text", autocomplete = "off" } = asked;
	const say = sayIn(c);
	const hinted = hint ? html`<span class="hint" id="${name}-hint">${say(hint)}</span>` : "";
	return html`<div class="field"><label for="${name}">${say(label)}</label>${hinted}${wrong(c, problems, name)}<input id="${name}" name="${name}" type="${type}" value="${value}" maxlength="${max}" inputmode="${type === "email" ? "email" : inputmode}" autocomplete="${type === "email" ? "email" : autocomplete}" autocapitalize="none" spellcheck="false" required${state(problems, name, hint && `${name}-hint`)}></div>`;
}

/** The first field that is wrong takes the focus, and with it a screen reader. */
function state(problems: Problems, name: string, hintId = ""): Html {
	const isWrong = name in problems;
	const described = [isWrong ? `${name}-wrong` : "", hintId].filter(Boolean).join(" ");
	const focus = Object.keys(problems)[0] === name ? html` autofocus` : "";
	return html`${described ? html` aria-describedby="${described}"` : ""}${isWrong ? html` aria-invalid="true"` : ""}${focus}`;
}

function wrong(c: Call, problems: Problems, name: string): Html {
	const problem = problems[name];
	return problem ? html`<p class="wrong" id="${name}-wrong">${sayIn(c)(problem)}</p>` : html``;
}

function form(action: string, csrf: string, content: readonly Html[]): Html {
	return html`<form method="post" action="${action}" novalidate><input type="hidden" name="csrf" value="${csrf}">${content}</form>`;
}

function sayIn(c: Call) {
	const language = c.get("language");
	return (text: Text): string => text[language];
}

function statusOf(problems: Problems): 200 | 400 {
	return Object.keys(problems).length > 0 ? BAD_REQUEST : 200;
}
