import type { Child } from "hono/jsx";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Time } from "../kit/parts.tsx";

/** A time in words, or a dash. */
export function when(c: Call, at: number | null, { seconds = false } = {}): Child {
	return at === null ? sayIn(c)(T.nothing) : <Time at={at} locale={c.get("language")} seconds={seconds} />;
}

export function yesOrNo(c: Call, value: boolean): string {
	return sayIn(c)(value ? T.yes : T.no);
}
