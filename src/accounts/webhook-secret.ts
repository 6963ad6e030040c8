import type { ChangeOrigin } from "../db/audit-events.ts";
import { changePartner } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { endOfOverlap, mintWebhookSecret } from "./new-secrets.ts";

/** A new secret for a partner's webhooks; the one before signs too during the overlap. @returns null for no partner. */
export async function rotateSecret(
	platform: Platform,
	{ partnerId, origin }: { partnerId: string; origin: ChangeOrigin },
	overlapHours: number | undefined,
): Promise<{ secret: string; previousUntil: number } | null> {
	const { db } = platform;
	const previousUntil = endOfOverlap(origin.now, overlapHours);
	const { secret, row } = await mintWebhookSecret(platform, partnerId);
	const alongside = rotateWebhookSecret(db, row, { now: origin.now, overlapUntil: previousUntil });
	const change = { action: "webhook_secret_rotated", outcome: row.id, alongside };
	const partner = await changePartner(db, partnerId, () => change, origin);
	return partner && { secret, previousUntil };
}
