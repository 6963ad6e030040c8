import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HOLDER_PAGE } from "../../texts/holder-page.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { answerPage } from "../kit/layout.tsx";

/** The address of a step, which keeps a chosen language. */
export function addressOf(c: Call, step: "" | "/codigo" | "/certificado" | "/fin"): string {
	const chosen = c.req.query("lang");
	return `/revocar${step}${chosen === "es" || chosen === "en" ? `?lang=${chosen}` : ""}`;
}

/** A whole page. @param title - also its heading */
export function page(c: Call, status: ContentfulStatusCode, title: Text, children: Child) {
	const say = sayIn(c);
	const otherLanguage = `/revocar?lang=${c.get("language") === "es" ? "en" : "es"}`;
	return answerPage(
		c,
		{ title: say(title), name: say(HOLDER_PAGE.title), children, otherLanguage, console: null },
		status,
	);
}
