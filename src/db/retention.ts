import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { IS_CARRIED } from "./holders.ts";
import { batch, type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { certificates, leaves } from "./schema-certificates.ts";
import { outbox } from "./schema-delivery.ts";
import { holderEmails, holders } from "./schema-holder.ts";
import { idempotencyKeys } from "./schema-operations.ts";

/*
 * Personal data by age, of every partner: pages along a primary key, and the statements that erase rows of a page.
 * The jobs decide which rows are past their time.
 */

/** Where a page starts: the key of the last row before it, '' from the start. */
interface Page {
	after: string;
	limit: number;
	/** Rows of this partner alone; null: of all. */
	only: string | null;
}

/** Pages holders by code, with the facts that retention decides on. */
export function pageHolders(db: DatabaseDb, { after, limit, only }: Page) {
	const { partnerId, code, issuedAt, certificateNotAfter, cancelledAt, blockedAt } = purchaseCodes;
	return query(
		db
			.select({ partnerId, code, issuedAt, certificateNotAfter, cancelledAt, blockedAt })
			.from(holders)
			.innerJoin(
				purchaseCodes,
				and(eq(purchaseCodes.code, holders.code), eq(purchaseCodes.partnerId, holders.partnerId)),
			)
			.where(and(gt(holders.code, after), openHere(holders.partnerId, only)))
			.orderBy(asc(holders.code))
			.limit(limit),
	);
}

const { validatedAt, issuedAt, blockedAt, cancelledAt } = purchaseCodes;

/** Validated codes that nobody has claimed and nothing has closed. */
export const IS_UNCLAIMED = and(
	isNotNull(validatedAt),
	isNull(issuedAt),
	isNull(blockedAt),
	isNull(cancelledAt),
);

/** Unclaimed codes validated until then, the oldest first. */
export function findLapsedValidations(db: DatabaseDb, until: number, limit: number, only: string | null) {
	const { partnerId, code } = purchaseCodes;
	return query(
		db
			.select({ partnerId, code })
			.from(purchaseCodes)
			.where(and(IS_UNCLAIMED, lte(validatedAt, until), openHere(partnerId, only)))
			.orderBy(asc(validatedAt))
			.limit(limit),
	);
}

/** Pages certificates that still have their leaf, by serial. */
export function pageLeaves(db: DatabaseDb, { after, limit }: Page) {
	return query(
		db
			.select({ serial: certificates.serial, notAfter: certificates.notAfter })
			.from(certificates)
			.where(
				and(gt(certificates.serial, after), isNotNull(certificates.leafId), openHere(certificates.partnerId)),
			)
			.orderBy(asc(certificates.serial))
			.limit(limit),
	);
}

export function eraseLeavesOf(db: DatabaseDb, serials: readonly string[]): Statement[] {
	const theirs = and(isOneOf(certificates.serial, serials), openHere(certificates.partnerId));
	const ids = db.select({ id: certificates.leafId }).from(certificates).where(theirs);
	return [
		db.delete(leaves).where(inArray(leaves.id, ids)),
		db.update(certificates).set({ leafId: null }).where(theirs),
	];
}

/** Pages deliveries, by id, created by `until` that are not tried any more and still have a recipient or a payload. */
export function pageFinishedDeliveries(db: DatabaseDb, { after, limit, only }: Page, until: number) {
	const details = or(isNotNull(outbox.recipientSealed), isNotNull(outbox.payloadSealed));
	return query(
		db
			.select({ id: outbox.id })
			.from(outbox)
			.where(and(gt(outbox.id, after), isFinished(until), details, openHere(outbox.partnerId, only)))
			.orderBy(asc(outbox.id))
			.limit(limit),
	);
}

/** Leaves out deliveries that ops have reopened since. */
export function eraseDetailsOf(db: DatabaseDb, ids: readonly string[], until: number): Statement {
	return db
		.update(outbox)
		.set({ recipientSealed: null, payloadSealed: null })
		.where(and(isOneOf(outbox.id, ids), isFinished(until), openHere(outbox.partnerId)));
}

/** Erases recipients and payloads of a code's deliveries that are not tried any more. */
export function eraseDetailsOfCode(db: PartnerDb, partnerId: string, code: string): Statement {
	return db
		.update(outbox)
		.set({ recipientSealed: null, payloadSealed: null })
		.where(and(eq(outbox.partnerId, partnerId), eq(outbox.code, code), isNull(outbox.nextAttemptAt)));
}

/** A partner and the index of an e-mail that one of its holders had. */
export type EmailKey = readonly [partnerId: string, emailIndex: string];

/** Pages e-mails by key. `orphan`: its RUT has it no more. Written by hand: drizzle compares no pairs. */
export async function pageEmails(
	db: DatabaseDb,
	[partnerId, emailIndex]: EmailKey,
	limit: number,
): Promise<{ key: EmailKey; orphan: boolean }[]> {
	const { page } = await batch(db, {
		page: sql<{
			partner_id: string;
			email_index: string;
			orphan: number;
		}>`SELECT partner_id, email_index, NOT ${IS_CARRIED} AS orphan FROM holder_emails
			WHERE (partner_id, email_index) > (${partnerId}, ${emailIndex}) AND ${openHere(holderEmails.partnerId)}
			ORDER BY partner_id, email_index LIMIT ${limit}`,
	});
	return page.map((row) => ({ key: [row.partner_id, row.email_index], orphan: row.orphan === 1 }));
}

/** Leaves out e-mails that are carried again. */
export function deleteEmails(db: DatabaseDb, keys: readonly EmailKey[]): Statement {
	return db.delete(holderEmails).where(
		sql`(partner_id, email_index) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(keys)}))
			AND NOT ${IS_CARRIED} AND ${openHere(holderEmails.partnerId)}`,
	);
}

/** Deletes at most `limit` keys that have expired. @returns how many. */
export async function deleteExpiredKeys(db: DatabaseDb, limit: number, now: number): Promise<number> {
	const expired = sql`(partner_id, key_id) IN (SELECT partner_id, key_id FROM idempotency_keys
		WHERE expires_at <= ${now} AND ${openHere(idempotencyKeys.partnerId)} ORDER BY expires_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(idempotencyKeys).where(expired));
	return meta.changes;
}

function isFinished(until: number): SQL | undefined {
	return and(isNull(outbox.nextAttemptAt), lte(outbox.createdAt, until));
}

/** One JSON parameter holds all: D1 takes at most 100 parameters a statement. */
function isOneOf(column: typeof certificates.serial | typeof outbox.id, keys: readonly string[]): SQL {
	return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}
