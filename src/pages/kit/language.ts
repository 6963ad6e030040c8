import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../http/app-env.ts";
import { type Language, preferredLanguage, type Text } from "../../texts/language.ts";
import { isHttps } from "./cookie.ts";

const COOKIE = "lang";
const YEAR_S = 365 * 24 * 3600;

/**
 * Chooses by `?lang=`, else by the earlier choice, the browser's preference, or Spanish.
 * @param path - of the pages that remember a choice; null: none does
 */
export function chooseLanguage(path: "/console" | "/ops/console" | null) {
	return createMiddleware<AppEnv>(async (c, next) => {
		const chosen = languageOf(c.req.query("lang"));
		if (chosen && path !== null)
			setCookie(c, COOKIE, chosen, { path, maxAge: YEAR_S, sameSite: "Lax", secure: isHttps(c) });
		const language = chosen ?? (path === null ? undefined : languageOf(getCookie(c, COOKIE)));
		c.set("language", language ?? preferredLanguage(c.req.header("accept-language"), "es"));
		await next();
	});
}

/** An address of a console in a language. */
export function inLanguage(address: string | URL, language: Language): string {
	const { pathname, searchParams } = new URL(address);
	searchParams.set("lang", language);
	return `${pathname}?${searchParams}`;
}

/** Says a text in the caller's language. */
export function sayIn(c: Context<AppEnv>) {
	const language = c.get("language");
	return (text: Text): string => text[language];
}

function languageOf(text: string | undefined): Language | undefined {
	return text === "es" || text === "en" ? text : undefined;
}
