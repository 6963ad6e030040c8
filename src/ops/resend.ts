import { findDelivery } from "../db/find-deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { resendDelivery } from "../delivery/resend.ts";
import type { OpsContext } from "./authorize.ts";

/** A new round of attempts for a delivery of any partner. */
export async function resendById(
	{ platform, origin, later }: OpsContext,
	id: string,
): Promise<OutboxRow | "not_found" | "payload_erased"> {
	const row = await findDelivery(platform.db, { id, partnerId: null });
	if (!row) return "not_found";
	const resent = await resendDelivery(platform, row, origin);
	if (!resent) return "payload_erased";
	later(resent.queued);
	return resent.row;
}
