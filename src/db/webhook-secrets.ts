import { and, desc, eq, gt, isNotNull, isNull, or } from "drizzle-orm";
import type { PartnerDb, Statement } from "./query.ts";
import { webhookSecrets } from "./schema-delivery.ts";

export type WebhookSecretRow = typeof webhookSecrets.$inferSelect;

/** The secrets that sign now, newest first: one, or two while it is rotated. */
export function selectWebhookSecrets(db: PartnerDb, partnerId: string, now: number) {
	return db
		.select()
		.from(webhookSecrets)
		.where(
			and(
				eq(webhookSecrets.partnerId, partnerId),
				or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, now)),
			),
		)
		.orderBy(desc(webhookSecrets.createdAt))
		.limit(2);
}

/**
 * A partner's new secret; the current one signs too until `overlapUntil`, the one before that no more.
 * @param secret - `secretSealed` bound to its id.
 */
export function rotateWebhookSecret(
	db: PartnerDb,
	secret: { id: string; partnerId: string; secretSealed: string },
	{ now, overlapUntil }: { now: number; overlapUntil: number },
): Statement[] {
	const own = eq(webhookSecrets.partnerId, secret.partnerId);
	return [
		db.delete(webhookSecrets).where(and(own, isNotNull(webhookSecrets.expiresAt))),
		db.update(webhookSecrets).set({ expiresAt: overlapUntil }).where(own),
		db.insert(webhookSecrets).values({ ...secret, createdAt: now }),
	];
}

export function secretPlace(id: string) {
	return { table: "webhook_secrets", row: id, column: "secret_sealed" };
}
