import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { onError } from "../../http/fallbacks.ts";
import { admits, callerAddress } from "../../http/rate-limit.ts";
import { visitorCaller } from "../../services/caller.ts";
import { confirmDeliveryEmail, type LinkedEmail, readLink } from "../../services/delivery-email.ts";
import { DELIVERY_EMAIL as T } from "../../texts/delivery-email.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { chooseLanguage, inLanguage, sayIn } from "../kit/language.ts";
import { answerPage } from "../kit/layout.tsx";

/*
 * `/correo`: the owner of a delivery e-mail confirms it by the link that was sent there. A GET changes nothing, because
 * mail scanners follow links; the button's POST does.
 */

/** Bytes of the form, which has no field: its address holds the token. */
const FORM_MAX = 1024;

export const confirmPages = new Hono<AppEnv>();

/** 429 for an address that calls too often, before D1 is read. */
const limitAddress = createMiddleware<AppEnv>(async (c, next) =>
	(await admits(c.env.ADDRESS_WIDGET_RATE, callerAddress(c))) ? next() : retryPage(c, 429),
);

confirmPages.use("/correo/*", chooseLanguage(null), limitAddress, refuseLarge(FORM_MAX), takeBody(FORM_MAX));
confirmPages.onError((error, c) => {
	const { status } = onError(error, c);
	return retryPage(c, status === 503 ? 503 : 500);
});

confirmPages.get("/correo/listo", (c) => messagePage(c, 200, T.done, T.doneNext));

confirmPages.get("/correo/:token", async (c) => {
	const link = await readLink(c.get("platform"), c.req.param("token"));
	if (link === null) return messagePage(c, 410, T.over, T.overNext);
	return link.inForce ? messagePage(c, 200, T.done, T.doneNext) : askPage(c, link);
});

confirmPages.post("/correo/:token", async (c) => {
	const platform = c.get("platform");
	if (platform.settings.frozen) return retryPage(c, 503);
	const link = await readLink(platform, c.req.param("token"));
	if (link === null) return messagePage(c, 410, T.over, T.overNext);
	const caller = visitorCaller(c, { partnerId: link.partner.id, db: link.db }, link.actor);
	if (!(await confirmDeliveryEmail(caller, link))) return messagePage(c, 410, T.over, T.overNext);
	return c.redirect(inLanguage(new URL("/correo/listo", c.req.url), c.get("language")), 303);
});

function askPage(c: Call, { partner, address }: LinkedEmail) {
	const say = sayIn(c);
	const asks = { partner: partner.name, address: masked(address) };
	return page(
		c,
		200,
		T.title,
		<>
			<p>{say(fill(T.asks, asks))}</p>
			<p>{say(fill(T.stranger, asks))}</p>
			<form method="post" action={inLanguage(c.req.url, c.get("language"))}>
				<button type="submit">{say(T.confirm)}</button>
			</form>
		</>,
	);
}

/** The first character and the domain: whoever has only the link learns no address. */
function masked(address: string): string {
	return `${address[0]}…${address.slice(address.lastIndexOf("@"))}`;
}

function messagePage(c: Call, status: ContentfulStatusCode, title: Text, text: Text) {
	return page(c, status, title, <p>{sayIn(c)(text)}</p>);
}

/** The service cannot answer now, or not this address: offers the link again. */
function retryPage(c: Call, status: 429 | 500 | 503) {
	const say = sayIn(c);
	c.header("Retry-After", status === 429 ? "60" : "30");
	return page(
		c,
		status,
		T.problem,
		<>
			<p>{say(status === 429 ? T.tooFast : T.unavailable)}</p>
			<p>
				<a class="button" href={inLanguage(c.req.url, c.get("language"))}>
					{say(T.tryAgain)}
				</a>
			</p>
		</>,
	);
}

function page(c: Call, status: ContentfulStatusCode, title: Text, children: Child) {
	return answerPage(c, { title: sayIn(c)(title), name: sayIn(c)(T.title), children, console: null }, status);
}
