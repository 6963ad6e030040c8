import { appendAudit, type ChangeOrigin } from "../db/audit-events.ts";
import { findDelivery } from "../db/find-deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { reopenDelivery, reopened } from "../db/reopen-deliveries.ts";
import type { Platform } from "../platform.ts";
import { Unavailable } from "../unavailable.ts";
import { enqueue } from "./queue.ts";

/**
 * Sends a delivery again: a new round of attempts under the same `webhook-id`, audited.
 * @param row - as it was found
 * @returns the row as it is now, and what is left to do after the answer; null when no payload is left to send.
 */
export async function resendDelivery(
	platform: Platform,
	row: OutboxRow,
	origin: ChangeOrigin,
): Promise<{ row: OutboxRow; queued: Promise<void> } | null> {
	if (row.payloadSealed === null) return null;
	const { db } = platform;
	const { id, partnerId } = row;
	const entry = {
		entity: `delivery:${id}`,
		partnerId,
		action: "delivery_resent",
		outcome: row.lastOutcome ?? "untried",
	};
	await appendAudit(db, entry, origin, [reopenDelivery(db, { id, partnerId }, origin.now)]);
	const queued = enqueue(platform, [id]);
	// It is done: D1 failing now must not say that nothing has happened.
	const after = await findDelivery(db, { id, partnerId }).catch((error: unknown) => {
		if (error instanceof Unavailable) return null;
		throw error;
	});
	return { row: after ?? { ...row, ...reopened(origin.now) }, queued };
}
