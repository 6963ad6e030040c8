import { findOwnChanges } from "../db/audit-events.ts";
import type { LimitedAction } from "../db/schema-operations.ts";
import { HOUR_MS } from "../domain/durations.ts";
import type { PartnerCaller } from "./caller.ts";

/**
 * Counts the changes of some kinds that a partner itself made within an hour.
 * @returns milliseconds until it may make another; null: it may now.
 */
export async function waitForNext(
	{ db, partnerId, at }: PartnerCaller,
	actions: readonly LimitedAction[],
	perHour: number,
): Promise<number | null> {
	const changes = await findOwnChanges(db, partnerId, {
		actions,
		since: at - HOUR_MS,
		limit: perHour,
	});
	return changes.length < perHour ? null : changes.at(-1)! + HOUR_MS - at;
}
