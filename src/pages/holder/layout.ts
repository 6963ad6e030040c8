import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HOLDER_PAGE } from "../../texts/holder-page.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { answerPage } from "../kit/layout.tsx";

/** The address of a step, which keeps a chosen language and the page of the codes. @param more - what else the page is told */
export function addressOf(
	c: Call,
	step:
		| ""
		| "/codigo"
		| "/certificado"
		| "/datos"
		| "/datos/archivo"
		| "/datos/borrar"
		| "/datos/solicitud"
		| "/fin",
	more: Record<string, string> = {},
): string {
	const { lang, page } = c.req.query();
	const query = new URLSearchParams({
		...(lang === "es" || lang === "en" ? { lang } : {}),
		...(page && step.startsWith("/datos") ? { page } : {}),
		...more,
	}).toString();
	return `/revocar${step}${query && `?${query}`}`;
}

/** Page of the codes that the address asks for, from 1. */
export function pageOf(c: Call): number {
	return Math.max(1, Math.min(1000, Math.trunc(Number(c.req.query("page"))) || 1));
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
