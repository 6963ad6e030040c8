import type { DeliveryState } from "../../db/deliveries.ts";
import { OVERVIEW } from "../../db/overview.ts";
import { CODE_WINDOW_MS } from "../../domain/limits.ts";
import { timestamp } from "../../http/timestamp.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { fill, type Language } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { addressOf } from "./filters.ts";

/* Lists that are as long as the overview's figures. `now` is the partner's time. */

const { cap, codesEndMs, recentMs } = OVERVIEW;

export function codesEndingAt(now: number): string {
	const until = timestamp(now - CODE_WINDOW_MS + codesEndMs);
	return addressOf("/console/codes", { status: "sin_utilizar", created_to: until });
}

export function deliveriesAt(state: DeliveryState, now: number): string {
	return addressOf("/console/deliveries", { state, since: timestamp(now - recentMs) });
}

/** Formats a count that ends one past the cap. */
export function capped(n: number, language: Language): string {
	if (n <= cap) return readableNumber(n, language);
	return fill(T.moreThan, { n: readableNumber(cap, language) })[language];
}
