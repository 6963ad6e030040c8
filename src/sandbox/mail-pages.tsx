import { type Context, Hono } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { chooseLanguage, sayIn } from "../pages/kit/language.ts";
import { answerPage } from "../pages/kit/layout.tsx";
import { Facts, Table, Time } from "../pages/kit/parts.tsx";
import { policy } from "../pages/kit/style.ts";
import { platformOf } from "../platform.ts";
import { readableTime } from "../texts/dates.ts";
import type { Text } from "../texts/language.ts";
import { SANDBOX_MAIL as T } from "../texts/sandbox-mail.ts";
import { findMail, type KeptMail, listMail } from "./mail.ts";

/* `/sandbox/mail`: what a local service sent. An e-mail's HTML is shown in a frame that runs nothing and sends nothing. */

const PATH = "/sandbox/mail";
const ID = "/mail/:id{[0-9]{16}-[0-9a-f-]{36}}";

export const mailPages = new Hono<AppEnv>();

mailPages.use("/mail/*", chooseLanguage(null), async (c, next) => {
	c.set("platform", await platformOf(c.env));
	c.header("Cache-Control", "no-store");
	c.header("X-Content-Type-Options", "nosniff");
	c.header("Referrer-Policy", "no-referrer");
	await next();
});

mailPages.get("/mail", async (c) => {
	const mails = await listMail();
	if (mails === null) return errorAnswer(c, "not_found");
	const say = sayIn(c);
	const locale = c.get("language");
	return page(
		c,
		T.title,
		<>
			<p>
				{say(T.introduction)} <a href={`${PATH}.json`}>{`${PATH}.json`}</a>
			</p>
			<Table
				caption={say(T.title)}
				columns={[say(T.subject), say(T.from), say(T.to), say(T.sent)]}
				rows={mails.map(({ id, subject, from, to, at }) => [
					<a href={`${PATH}/${id}?lang=${locale}`}>{subject}</a>,
					from.name,
					to,
					<Time at={at} locale={locale} seconds />,
				])}
				empty={say(T.empty)}
			/>
		</>,
	);
});

mailPages.get("/mail.json", async (c) => {
	const mails = await listMail();
	return mails === null ? errorAnswer(c, "not_found") : c.json(mails);
});

mailPages.get(ID, async (c) => {
	const mail = await findMail(c.req.param("id"));
	if (mail === null) return errorAnswer(c, "not_found");
	const say = sayIn(c);
	const locale = c.get("language");
	const { from, to, at, headers, text } = mail;
	const shown = await page(
		c,
		{ es: mail.subject, en: mail.subject },
		<>
			<p>
				<a href={`${PATH}?lang=${locale}`}>{say(T.back)}</a>
			</p>
			<Facts
				facts={[
					[say(T.from), `${from.name} <${from.email}>`],
					[say(T.to), to],
					[say(T.sent), readableTime(at, locale)],
					...Object.entries(headers),
					[say(T.attachments), <Attachments mail={mail} />],
				]}
			/>
			<h2>{say(T.asHtml)}</h2>
			<iframe class="preview" sandbox="" src={`${PATH}/${mail.id}/html`} title={say(T.asHtml)} />
			<h2>{say(T.asText)}</h2>
			<pre class="preview">{text}</pre>
		</>,
	);
	shown.headers.set("Content-Security-Policy", `${policy()}; frame-src 'self'`);
	return shown;
});

/** The HTML part as a mail program shows it: styles and this service's pictures, nothing else. */
mailPages.get(`${ID}/html`, async (c) => {
	const mail = await findMail(c.req.param("id"));
	if (mail === null) return errorAnswer(c, "not_found");
	const { origin } = new URL(c.get("platform").settings.publicUrl);
	c.header(
		"Content-Security-Policy",
		`sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src ${origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
	);
	return c.html(mail.html);
});

mailPages.get(`${ID}/:nth{[0-9]}`, async (c) => {
	const file = (await findMail(c.req.param("id")))?.attachments[Number(c.req.param("nth"))];
	if (!file) return errorAnswer(c, "not_found");
	return c.body(Uint8Array.fromBase64(file.base64), 200, {
		"Content-Type": file.type,
		"Content-Disposition": `attachment; filename="${file.filename}"`,
	});
});

function Attachments({ mail }: { mail: KeptMail }) {
	return mail.attachments.map(({ filename }, i) => <a href={`${PATH}/${mail.id}/${i}`}>{filename}</a>);
}

async function page(c: Context<AppEnv>, title: Text, children: Child): Promise<Response> {
	const say = sayIn(c);
	return answerPage(c, {
		title: say(title),
		name: say(T.name),
		children,
		console: {
			home: PATH,
			nav: [{ path: PATH, label: T.title, icon: "send" }],
			search: null,
			user: null,
		},
	});
}
