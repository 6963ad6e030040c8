import type { Context } from "hono";
import { parseAccept } from "hono/utils/accept";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { LANDING as T } from "../texts/landing.ts";
import { chooseLanguage, sayIn } from "./kit/language.ts";
import { answerPage } from "./kit/layout.tsx";
import { Card } from "./kit/parts.tsx";

/** Paths that only programs call: each of their answers is JSON, or a file of `/pki`. */
const FOR_PROGRAMS = /^\/(api|ops\/v1|pki|widget)(\/|$)/;

/**
 * Answers what no route does. A program gets 404 as JSON (§7); a person, whose browser asks for HTML, gets a page with
 * a way on, which at `/` says what this service is.
 */
export async function answerUnrouted(c: Context<AppEnv>): Promise<Response> {
	const { path, method } = c.req;
	const isForPerson = ["GET", "HEAD"].includes(method) && !FOR_PROGRAMS.test(path) && asksForHtml(c);
	if (!isForPerson) return errorAnswer(c, "not_found");
	await chooseLanguage(null)(c, async () => undefined);
	if (path === "/") return page(c, 200);
	c.set("refusal", { error: "NOT_FOUND" });
	return page(c, 404);
}

/** Browsers name the type; `*\/*` is a program's. */
function asksForHtml(c: Context<AppEnv>): boolean {
	return parseAccept(c.req.header("accept") ?? "").some(({ type, q }) => type === "text/html" && q > 0);
}

function page(c: Context<AppEnv>, status: 200 | 404): Response | Promise<Response> {
	const say = sayIn(c);
	const guide = `/docs/${c.get("language")}/`;
	const lang = `?lang=${c.get("language")}`;
	const children = (
		<>
			<p>{say(status === 200 ? T.what : T.lostText)}</p>
			<Card title={say(T.holders)}>
				<p>{say(T.holdersText)}</p>
				<p>
					<a href={`/instalar${lang}`}>{say(T.install)}</a> · <a href={`/revocar${lang}`}>{say(T.revoke)}</a>
				</p>
			</Card>
			<Card title={say(T.partners)}>
				<p>{say(T.partnersText)}</p>
				<p>
					<a href={guide}>{say(T.guide)}</a> · <a href="/console">{say(T.console)}</a>
				</p>
			</Card>
			<Card title={say(T.operators)}>
				<p>{say(T.operatorsText)}</p>
				<p>
					<a href="/ops/console">{say(T.opsConsole)}</a>
				</p>
			</Card>
		</>
	);
	const title = say(status === 200 ? T.title : T.lost);
	return answerPage(c, { title, name: title, console: null, children }, status);
}
