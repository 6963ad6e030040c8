import type { CodeRow } from "../db/code-changes.ts";
import { openHolder } from "../db/holders.ts";
import type { NewDelivery } from "../db/outbox.ts";
import { holderDelivery } from "../delivery/outbox.ts";
import type { Actor } from "../domain/actor.ts";
import { type Revocation, revokerOf } from "../domain/revocation-reason.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/**
 * The message to the holder of a certificate that a change of its code revokes, for the commit. Null for a serial that
 * was never issued, for an erased holder, and for one that cannot be opened, so that the revocation is not delayed.
 */
export async function tellRevoked(
	{ sealer }: Platform,
	{ facts, holder }: CodeRow,
	{ serial, reason, at }: Revocation,
	{ actor, now }: { actor: Actor; now: number },
): Promise<NewDelivery | null> {
	const { partnerId, code } = facts;
	if (holder === null || facts.issuedAt === null || facts.certificateSerial !== serial) return null;
	try {
		const { email: address, fullName, language } = await openHolder(sealer, code, holder);
		const notice = { language, fullName, serial, revokedAt: at, by: revokerOf(actor), reason };
		return await holderDelivery(sealer, "holder.revoked", notice, { partnerId, code, address, now });
	} catch (error) {
		log("error", "unopenable", { table: "holders", row: code, ...describeError(error) });
		return null;
	}
}
