import { appendAudit } from "../db/audit-events.ts";
import { findDelivery } from "../db/deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { reopenDelivery, reopened } from "../db/reopen-deliveries.ts";
import { enqueue } from "../delivery/queue.ts";
import { findInOne, homeOf } from "../directory.ts";
import { Unavailable } from "../unavailable.ts";
import { type Caller, onBehalfOf, originOf, type PartnerCaller } from "./caller.ts";

type Resent =
	| { kind: "resent"; row: OutboxRow }
	| { kind: "refused"; reason: "not_found" | "payload_erased" };

/**
 * Sends a partner's delivery again: a new round of attempts under its `webhook-id`, audited.
 * @returns the row after the change.
 */
export async function resendDelivery(caller: PartnerCaller, id: string): Promise<Resent> {
	const { platform, db, partnerId, at } = caller;
	const row = await findDelivery(db, { id, partnerId });
	if (row === null) return { kind: "refused", reason: "not_found" };
	if (row.payloadSealed === null) return { kind: "refused", reason: "payload_erased" };
	const entry = {
		entity: `delivery:${id}`,
		partnerId,
		action: "delivery_resent" as const,
		outcome: row.lastOutcome ?? "untried",
	};
	await appendAudit(db, entry, originOf(caller), [reopenDelivery(db, { id, partnerId }, at)]);
	caller.later(enqueue(platform, partnerId, [id]));
	// The row is reopened already, so a failure of D1 here must not read as if nothing had happened.
	const after = await findDelivery(db, { id, partnerId }).catch((error: unknown) => {
		if (error instanceof Unavailable) return null;
		throw error;
	});
	return { kind: "resent", row: after ?? { ...row, ...reopened(at) } };
}

/** Sends a delivery of any partner again, for ops. */
export async function resendAnyDelivery(caller: Caller, id: string): Promise<Resent> {
	const { platform } = caller;
	const row = await findInOne(platform, ({ db }) => findDelivery(db, { id, partnerId: null }));
	if (row === null) return { kind: "refused", reason: "not_found" };
	return resendDelivery(onBehalfOf(caller, await homeOf(platform, row.partnerId)), id);
}
