import { and, eq, sql } from "drizzle-orm";
import type { Sealer } from "../secrets/sealing.ts";
import { IS_REPLACED } from "./insert-batch.ts";
import type { PartnerDb, Statement } from "./query.ts";
import { holderEmails, holders } from "./schema-holder.ts";

/** No column that purchase_codes has too: in a batch, D1 distinguishes columns by name alone. */
export const HOLDER_COLUMNS = {
	rutSealed: holders.rutSealed,
	rutIndex: holders.rutIndex,
	fullNameSealed: holders.fullNameSealed,
	emailSealed: holders.emailSealed,
	emailIndex: holders.emailIndex,
	phoneSealed: holders.phoneSealed,
	partnerCopySealed: holders.partnerCopySealed,
	pinSalt: holders.pinSalt,
	pinHash: holders.pinHash,
	renews: holders.renews,
	language: holders.language,
};

export type HolderRow = typeof holders.$inferSelect;
/** A holder as it is read with its code. */
export type SealedHolder = Pick<HolderRow, keyof typeof HOLDER_COLUMNS>;

/** Columns that are opened of a holder. */
type SealedRecord = Pick<
	SealedHolder,
	"rutSealed" | "fullNameSealed" | "emailSealed" | "phoneSealed" | "partnerCopySealed" | "renews" | "language"
>;

/** The holder of a code in the clear; in memory only. */
export interface HolderRecord {
	rut: string;
	fullName: string;
	email: string;
	phone: string | null;
	partnerCopy: string | null;
	/** Serial of the certificate that is renewed. */
	renews: string | null;
	/** Language of the widget in which it was validated; null by API. */
	language: "es" | "en" | null;
}

/** Keyed indexes stored with the sealed values, for equality; the PIN by keyed hash (null once issued). */
export interface HolderKeys {
	rutIndex: string;
	emailIndex: string;
	pin: { salt: string; hash: string } | null;
	/** Terms that the holder accepted in the widget; null by API. */
	consent: Consent | null;
}

/** Terms and privacy notice, accepted together: their version, and when, epoch milliseconds. */
export interface Consent {
	version: string;
	at: number;
}

/** The row of the holder of a successful validation. */
export async function sealHolder(
	sealer: Sealer,
	owner: { partnerId: string; code: string; now: number },
	holder: HolderRecord,
	keys: HolderKeys,
): Promise<HolderRow> {
	const seal = (column: string, value: string) => sealer.seal(value, place(owner.code, column));
	return {
		code: owner.code,
		partnerId: owner.partnerId,
		rutSealed: await seal("rut_sealed", holder.rut),
		rutIndex: keys.rutIndex,
		fullNameSealed: await seal("full_name_sealed", holder.fullName),
		emailSealed: await seal("email_sealed", holder.email),
		emailIndex: keys.emailIndex,
		phoneSealed: holder.phone === null ? null : await seal("phone_sealed", holder.phone),
		partnerCopySealed:
			holder.partnerCopy === null ? null : await seal("partner_copy_sealed", holder.partnerCopy),
		pinSalt: keys.pin?.salt ?? null,
		pinHash: keys.pin?.hash ?? null,
		renews: holder.renews,
		validatedAt: owner.now,
		termsVersion: keys.consent?.version ?? null,
		termsAcceptedAt: keys.consent?.at ?? null,
		language: holder.language,
	};
}

/** Stores a holder in place of the code's earlier one. */
export function storeHolder(db: PartnerDb, row: HolderRow): Statement {
	return db.insert(holders).values(row).onConflictDoUpdate({ target: holders.code, set: row });
}

/** @throws when a value was altered or its sealing key is gone. */
export async function openHolder(sealer: Sealer, code: string, row: SealedRecord): Promise<HolderRecord> {
	const open = (column: string, sealed: string) => sealer.openText(sealed, place(code, column));
	return {
		...(await openNameAndRut(sealer, code, row)),
		email: await open("email_sealed", row.emailSealed),
		phone: row.phoneSealed === null ? null : await open("phone_sealed", row.phoneSealed),
		partnerCopy:
			row.partnerCopySealed === null ? null : await open("partner_copy_sealed", row.partnerCopySealed),
		renews: row.renews,
		language: row.language,
	};
}

/** @throws as {@link openHolder}. */
export async function openNameAndRut(
	sealer: Sealer,
	code: string,
	row: Pick<SealedHolder, "rutSealed" | "fullNameSealed">,
): Promise<Pick<HolderRecord, "rut" | "fullName">> {
	return {
		rut: await sealer.openText(row.rutSealed, place(code, "rut_sealed")),
		fullName: await sealer.openText(row.fullNameSealed, place(code, "full_name_sealed")),
	};
}

function place(code: string, column: string) {
	return { table: "holders", row: code, column };
}

/** Erases the holder of a code, PIN hash included. */
export function deleteHolder(db: PartnerDb, partnerId: string, code: string): Statement {
	return db.delete(holders).where(and(eq(holders.code, code), eq(holders.partnerId, partnerId)));
}

/** The PIN has done its work once the certificate is issued. */
export function forgetPin(db: PartnerDb, partnerId: string, code: string): Statement {
	return db
		.update(holders)
		.set({ pinSalt: null, pinHash: null })
		.where(and(eq(holders.code, code), eq(holders.partnerId, partnerId)));
}

/**
 * Whether a code of its RUT carries the e-mail: validated or issued, neither cancelled nor replaced. By itself SQLite would walk through the partner's whole stock.
 */
export const IS_CARRIED = sql`EXISTS (SELECT 1 FROM holders INDEXED BY holders_rut
		CROSS JOIN purchase_codes AS codes INDEXED BY purchase_codes_code
		ON codes.code = holders.code AND codes.partner_id = holders.partner_id
	WHERE holders.partner_id = holder_emails.partner_id AND holders.rut_index = holder_emails.rut_index
		AND holders.email_index = holder_emails.email_index
		AND codes.cancelled_at IS NULL AND NOT ${IS_REPLACED})`;

/** Selects the RUT that has this e-mail with this partner. */
export function selectEmailOwner(db: PartnerDb, partnerId: string, emailIndex: string) {
	return db
		.select({ rutIndex: holderEmails.rutIndex })
		.from(holderEmails)
		.where(and(eq(holderEmails.partnerId, partnerId), eq(holderEmails.emailIndex, emailIndex), IS_CARRIED));
}

/** Deletes the row of an e-mail that its RUT carries no more. */
export function freeEmail(
	db: PartnerDb,
	{ partnerId, emailIndex, rutIndex }: { partnerId: string; emailIndex: string; rutIndex: string },
): Statement {
	const { partnerId: partner, emailIndex: email, rutIndex: rut } = holderEmails;
	return db
		.delete(holderEmails)
		.where(and(eq(partner, partnerId), eq(email, emailIndex), eq(rut, rutIndex), sql`NOT ${IS_CARRIED}`));
}

/** Gives the e-mail to the RUT; a batch with it fails while another RUT carries the e-mail. */
export function ownEmail(
	db: PartnerDb,
	owner: { partnerId: string; emailIndex: string; rutIndex: string; now: number },
): Statement {
	const { partnerId, emailIndex, rutIndex, now } = owner;
	return db
		.insert(holderEmails)
		.values({ partnerId, emailIndex, rutIndex, createdAt: now })
		.onConflictDoUpdate({
			target: [holderEmails.partnerId, holderEmails.emailIndex],
			set: {
				rutIndex: sql`CASE WHEN rut_index = excluded.rut_index OR NOT ${IS_CARRIED} THEN excluded.rut_index END`,
			},
		});
}
