import type { Context } from "hono";
import { findPageSession, type PageSession } from "../db/widget.ts";
import { endOf } from "../domain/onboarding-session.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { onError } from "../http/fallbacks.ts";
import { admits, callerAddress } from "../http/rate-limit.ts";
import { nowFor } from "../services/caller.ts";
import { preferredLanguage } from "../texts/language.ts";
import { logoPath } from "../wire/widget.ts";
import type { PageData } from "./browser/page-data.ts";
import { pagePolicy, renderPage } from "./render-page.ts";
import { findHomeOfSession } from "./require-session.ts";

/*
 * The pages of a session, by its id: the frame for the partner's registered pages, and the one that `url` names, which
 * nobody may embed. They contain no data of the holder; calls that return any require the token.
 */

export const widgetPages = createApi();
widgetPages.get("/widget/frame/:id", (c) => answerPage(c, "frame"));
widgetPages.get("/onboarding/:id", (c) => answerPage(c, "hosted"));
widgetPages.onError((error, c) => {
	const { status } = onError(error, c);
	return refusePage(c, "SERVICE_UNAVAILABLE", status === 503 ? 503 : 500);
});

type Place = PageData["place"];

async function answerPage(c: Context<AppEnv>, place: Place): Promise<Response> {
	const platform = c.get("platform");
	if (!(await admits(c.env.ADDRESS_WIDGET_RATE, callerAddress(c)))) {
		c.header("Retry-After", "60");
		return refusePage(c, "RATE_LIMIT_EXCEEDED", 429);
	}
	const id = c.req.param("id") ?? "";
	const home = await findHomeOfSession(platform, id);
	const found = home && (await findPageSession(home.db, id));
	const ancestors = place === "frame" ? (found?.session.origins ?? []) : [];
	c.header("Content-Security-Policy", pagePolicy(ancestors));
	const session = found && present(found, nowFor({ at: platform.clock() }, found.partner));
	const service = platform.brand.name;
	const page = { session, refusal: null, locale: found?.session.locale ?? localeOf(c), place, service };
	return c.html(renderPage(page), found ? 200 : 404);
}

/**
 * Shows a holder the refusal with a button to try again. It contains no data and takes no token, so anybody may embed
 * the frame's: its owner is unknown now.
 */
function refusePage(
	c: Context<AppEnv>,
	refusal: NonNullable<PageData["refusal"]>,
	status: 429 | 500 | 503,
): Response | Promise<Response> {
	const place: Place = c.req.path.startsWith("/onboarding/") ? "hosted" : "frame";
	c.header("Content-Security-Policy", pagePolicy(place === "frame" ? ["*"] : []));
	const service = c.get("platform").brand.name;
	return c.html(renderPage({ session: null, refusal, locale: localeOf(c), place, service }), status);
}

function localeOf(c: Context<AppEnv>): PageData["locale"] {
	return preferredLanguage(c.req.header("accept-language") ?? "es");
}

function present({ session, partner }: PageSession, now: number): NonNullable<PageData["session"]> {
	const { id, code, origins } = session;
	const { name, accent, logo } = partner;
	return {
		id,
		code,
		endReason: endOf(session, now)?.reason ?? null,
		origins,
		partner: { name, accent, logo: logoPath(partner.id, logo) },
	};
}
