import type { Context } from "hono";
import { logoPath } from "../accounts/widget.ts";
import { findPageSession, type PageSession } from "../db/widget-pages.ts";
import { endOf } from "../domain/onboarding-session.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { preferredLanguage } from "../texts/language.ts";
import type { PageData } from "../widget-page/page-data.ts";
import { pagePolicy, renderPage } from "./render-page.ts";
import { limitFrameCalls } from "./require-session.ts";

/*
 * The pages of a session, by its id: the frame for the partner's registered pages, and the one that `url` names for
 * nobody's frame. They hold nothing of the holder; the calls that do ask for the token.
 */

export const widgetPages = createApi();
widgetPages.get("/widget/frame/:id", limitFrameCalls, (c) => answerPage(c, "frame"));
widgetPages.get("/onboarding/:id", limitFrameCalls, (c) => answerPage(c, "hosted"));

async function answerPage(c: Context<AppEnv>, place: PageData["place"]): Promise<Response> {
	const platform = c.get("platform");
	const id = c.req.param("id") ?? "";
	const found = /^os_[0-9a-f]{32}$/.test(id) ? await findPageSession(platform.db, id) : null;
	const ancestors = place === "frame" ? (found?.session.origins ?? []) : [];
	c.header("Content-Security-Policy", pagePolicy(ancestors));
	const locale = found?.session.locale ?? preferredLanguage(c.req.header("accept-language") ?? "es");
	const session = found && present(found, partnerNow(platform, found.partner));
	return c.html(renderPage({ session, locale, place }), found ? 200 : 404);
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
