import {
	and,
	asc,
	eq,
	getTableColumns,
	gt,
	inArray,
	isNotNull,
	isNull,
	lte,
	type SQL,
	sql,
} from "drizzle-orm";
import type { ReminderDays } from "../domain/reminders.ts";
import type { Facet } from "../domain/status-tables.ts";
import { HOLDER_COLUMNS } from "./holders.ts";
import { type DatabaseDb, openHere, query, type Statement } from "./query.ts";
import { IS_UNCLAIMED } from "./retention.ts";
import { batches, partners, purchaseCodes } from "./schema.ts";
import { certificates } from "./schema-certificates.ts";
import { holders } from "./schema-holder.ts";

/* Pages, by time, what expires soon and was not told, of every partner, each row with its partner's settings. */

/** Settings of a reminder's partner. */
const PARTNER_COLUMNS = {
	webhookUrl: partners.webhookUrl,
	webhookEvents: partners.webhookEvents,
	listeningUntil: partners.listeningUntil,
	holderReminders: partners.holderReminders,
};

/** Another certificate, one that was issued and not revoked, names it as what it renews. */
const IS_RENEWED = sql<number>`EXISTS (SELECT 1 FROM certificates AS later
	WHERE later.partner_id = certificates.partner_id AND later.renews = certificates.serial
		AND later.issued_at IS NOT NULL AND later.revoked_at IS NULL)`;

/** The first to expire first. @param range - of {@link reminderRanges}; `only`: of this partner alone */
export function findExpiring(
	db: DatabaseDb,
	range: { done: ReminderDays | null; endsBy: number; now: number; limit: number; only: string | null },
) {
	const { done, endsBy, now, limit, only } = range;
	const { remindedDays, notAfter } = certificates;
	return query(
		db
			.select({
				certificate: { ...getTableColumns(certificates), isRenewed: IS_RENEWED.as("is_renewed") },
				referenceId: purchaseCodes.externalReferenceId,
				partner: PARTNER_COLUMNS,
				holder: HOLDER_COLUMNS,
			})
			.from(certificates)
			.innerJoin(partners, eq(partners.id, certificates.partnerId))
			.innerJoin(
				purchaseCodes,
				and(eq(purchaseCodes.code, certificates.code), eq(purchaseCodes.partnerId, certificates.partnerId)),
			)
			.leftJoin(
				holders,
				and(eq(holders.code, certificates.code), eq(holders.partnerId, certificates.partnerId)),
			)
			.where(
				and(
					done === null ? isNull(remindedDays) : eq(remindedDays, done),
					gt(notAfter, now),
					lte(notAfter, endsBy),
					isNotNull(certificates.issuedAt),
					isNull(certificates.revokedAt),
					openHere(certificates.partnerId, only),
				),
			)
			.orderBy(asc(notAfter))
			.limit(limit),
	);
}

/** Their reminder is done with. */
export function markReminded(db: DatabaseDb, serials: readonly string[], days: ReminderDays): Statement {
	return db.update(certificates).set({ remindedDays: days }).where(isListed(certificates.serial, serials));
}

const UNUSED: Facet = "unused";

const UNUSED_CODES = sql<number>`(SELECT count(*) FROM purchase_codes WHERE partner_id = batches.partner_id
	AND facet = ${UNUSED} AND product = batches.product AND seq BETWEEN batches.first_seq AND batches.last_seq)`;

/** Batches that nobody was reminded of, the oldest first, and how many of their codes are unused. */
export function findExpiringBatches(
	db: DatabaseDb,
	window: { createdAfter: number; createdBy: number; limit: number; only: string | null },
) {
	const { createdAfter, createdBy, limit, only } = window;
	const { id, partnerId, createdAt, remindedAt } = batches;
	return query(
		db
			.select({
				batch: { id, partnerId, createdAt, unused: UNUSED_CODES.as("unused") },
				partner: PARTNER_COLUMNS,
			})
			.from(batches)
			.innerJoin(partners, eq(partners.id, partnerId))
			.where(
				and(
					isNull(remindedAt),
					gt(createdAt, createdAfter),
					lte(createdAt, createdBy),
					openHere(partnerId, only),
				),
			)
			.orderBy(asc(createdAt))
			.limit(limit),
	);
}

export function markBatchesReminded(db: DatabaseDb, ids: readonly string[], now: number): Statement {
	return db.update(batches).set({ remindedAt: now }).where(isListed(batches.id, ids));
}

/** Codes whose validation lapses soon, of whom nobody was reminded, the first to lapse first. */
export function findLapsing(
	db: DatabaseDb,
	window: { validatedAfter: number; validatedBy: number; limit: number; only: string | null },
) {
	const { validatedAfter, validatedBy, limit, only } = window;
	const { partnerId, code, externalReferenceId, validatedAt, lapseRemindedAt } = purchaseCodes;
	const found = and(isNull(lapseRemindedAt), gt(validatedAt, validatedAfter), lte(validatedAt, validatedBy));
	return query(
		db
			.select({
				code: { partnerId, code, referenceId: externalReferenceId, validatedAt: sql<number>`${validatedAt}` },
				partner: PARTNER_COLUMNS,
			})
			.from(purchaseCodes)
			.innerJoin(partners, eq(partners.id, partnerId))
			.where(and(IS_UNCLAIMED, found, openHere(partnerId, only)))
			.orderBy(asc(validatedAt))
			.limit(limit),
	);
}

/** Beside the codes' steps: it takes no version of the code, and leaves out those claimed or closed meanwhile. */
export function markLapseReminded(db: DatabaseDb, codes: readonly string[], now: number): Statement {
	return db
		.update(purchaseCodes)
		.set({ lapseRemindedAt: now })
		.where(and(isListed(purchaseCodes.code, codes), IS_UNCLAIMED));
}

/** One JSON parameter holds all: D1 takes at most 100 parameters a statement. */
function isListed(
	column: typeof certificates.serial | typeof batches.id | typeof purchaseCodes.code,
	keys: readonly string[],
): SQL {
	return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}
