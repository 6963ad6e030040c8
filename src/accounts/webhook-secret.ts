import type { ChangeOrigin } from "../db/audit-events.ts";
import { changePartner } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { endOfOverlap, mintWebhookSecret } from "./new-secrets.ts";
import { Notices } from "./tell-partner.ts";

/** A new secret for a partner's webhooks; the one before signs too during the overlap. @returns null for no partner. */
export async function rotateSecret(
	platform: Platform,
	{ partnerId, origin }: { partnerId: string; origin: ChangeOrigin },
	overlapHours: number | undefined,
): Promise<{ secret: string; previousUntil: number } | null> {
	const { db } = platform;
	const previousUntil = endOfOverlap(origin.now, overlapHours);
	const { secret, row } = await mintWebhookSecret(platform, partnerId);
	const rotation = rotateWebhookSecret(db, row, { now: origin.now, overlapUntil: previousUntil });
	const notices = new Notices(platform, origin);
	const action = "webhook_secret_rotated";
	const partner = await changePartner(
		db,
		partnerId,
		async (before) => {
			const told = await notices.of(before, ["webhook"], action);
			return { action, outcome: row.id, alongside: [...rotation, ...told] };
		},
		origin,
	);
	await notices.send();
	return partner && { secret, previousUntil };
}
