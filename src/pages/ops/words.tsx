import type { Child } from "hono/jsx";
import type { PartnerClock } from "../../domain/partner-clock.ts";
import { readableSpan } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Time } from "../kit/parts.tsx";

/** A time in words, or a dash. */
export function when(c: Call, at: number | null, { seconds = false } = {}): Child {
	return at === null ? sayIn(c)(T.nothing) : <Time at={at} locale={c.get("language")} seconds={seconds} />;
}

/** The partner's clock where it is ahead of the real one: times beside it go by it. */
export function ahead(c: Call, { clockOffset }: PartnerClock): string {
	const language = c.get("language");
	return clockOffset > 0
		? ` (${fill(T.ahead, { ahead: readableSpan(clockOffset, language) })[language]})`
		: "";
}

export function yesOrNo(c: Call, value: boolean): string {
	return sayIn(c)(value ? T.yes : T.no);
}
