import { changePartner } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import { originOf, type PartnerCaller } from "./caller.ts";
import { endOfOverlap, mintWebhookSecret } from "./new-secrets.ts";
import { Notices } from "./tell-partner.ts";

/**
 * Makes a new secret for a partner's webhooks; the one before signs too during the overlap.
 * @returns `previousUntil` in epoch milliseconds.
 */
export async function rotateSecret(
	caller: PartnerCaller,
	overlapHours?: number,
): Promise<
	{ kind: "done"; secret: string; previousUntil: number } | { kind: "refused"; reason: "not_found" }
> {
	const { db, partnerId, at } = caller;
	const previousUntil = endOfOverlap(at, overlapHours);
	const { secret, row } = await mintWebhookSecret(caller, partnerId);
	const rotation = rotateWebhookSecret(db, row, { now: at, overlapUntil: previousUntil });
	const notices = new Notices(caller);
	const action = "webhook_secret_rotated";
	const rotated = await changePartner(
		db,
		partnerId,
		async (before) => {
			const told = await notices.of(before, ["webhook"], action);
			const alongside = [...rotation, ...told];
			return { answer: { secret, previousUntil }, change: { action, outcome: row.id, alongside } };
		},
		originOf(caller),
	);
	await notices.send();
	return rotated ? { kind: "done", ...rotated.answer } : { kind: "refused", reason: "not_found" };
}
