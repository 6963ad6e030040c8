import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { readInstant } from "../domain/dates.ts";
import { PAGE_SIZE_MAX } from "../domain/limits.ts";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import type { AppEnv } from "./app-env.ts";

/* Query parameters: what several lists share, and those that are empty. */

/** Removes parameters without a value from the call's address: they count as not sent. */
export const dropEmptyParameters = createMiddleware<AppEnv>((c, next) => {
	const [address, query] = c.req.url.split(/\?(.*)/s);
	const sent = query?.split("&") ?? [];
	const kept = sent.filter((parameter) => /=./.test(parameter));
	if (kept.length < sent.length) c.req.raw = new Request(`${address}?${kept.join("&")}`, c.req.raw);
	return next();
});

export function wholeNumber(hint: Hint, minimum: number, maximum: number) {
	return z
		.string(hint)
		.regex(/^[0-9]{1,10}$/, hint)
		.transform(Number)
		.pipe(z.int(hint).min(minimum, hint).max(maximum, hint));
}

export const pageLimit = wholeNumber("limit", 1, PAGE_SIZE_MAX)
	.optional()
	.openapi({ type: "integer", minimum: 1, maximum: PAGE_SIZE_MAX, description: mark(REFERENCE.limit) });

/** A date, or a date and time: the first and last millisecond that it can mean. */
export function instant() {
	return z.string("instant").transform((text, context) => {
		const range = readInstant(text);
		if (range !== null) return range;
		context.addIssue({ code: "custom", message: "instant" satisfies Hint });
		return z.NEVER;
	});
}
