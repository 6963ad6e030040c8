import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RevocationReason } from "../domain/revocation-reason.ts";

/* The schema, continued: certificates and what their CRLs go by. Conventions as in schema.ts. */

/** All serials, those that never left the service included. */
export const certificates = sqliteTable(
	"certificates",
	{
		/** Upper-case hex, 32 digits. */
		serial: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		code: text().notNull(),
		/** Null for a serial that was reserved and never handed out. */
		issuedAt: integer("issued_at"),
		notBefore: integer("not_before"),
		notAfter: integer("not_after"),
		/** Row of {@link leaves}; null for a serial that was never handed out, and once the leaf is erased. */
		leafId: integer("leaf_id"),
		/** Key identifier of the authority that signed it, hex. */
		issuerKeyId: text("issuer_key_id").notNull(),
		/** Serial of the certificate that it renews, of the same holder and partner. */
		renews: text(),
		/** The signer's entry for it in its log; null where the key was in the Worker. */
		signerEntry: integer("signer_entry"),
		/** The log's head after that entry, hex, and the head's signature, base64. */
		signerHead: text("signer_head"),
		signerHeadSignature: text("signer_head_signature"),
		/** Days before its expiry of the last reminder that is done with; null: none yet. */
		remindedDays: integer("reminded_days"),
		revokedAt: integer("revoked_at"),
		/** CRLReason name, RFC 5280 §5.3.1. */
		revocationReason: text("revocation_reason").$type<RevocationReason>(),
	},
	(table) => [
		index("certificates_code").on(table.partnerId, table.code),
		/** Certificates that may still expire without their holder's knowledge, by what is done and when they expire. */
		index("certificates_expiring")
			.on(table.remindedDays, table.notAfter)
			.where(sql.raw("issued_at IS NOT NULL AND revoked_at IS NULL")),
		index("certificates_renews").on(table.partnerId, table.renews).where(sql.raw("renews IS NOT NULL")),
		/** Covers a CRL's columns, in its order, without the rows themselves. */
		index("certificates_revoked")
			.on(table.serial, table.revokedAt, table.notAfter, table.revocationReason)
			.where(sql.raw("revoked_at IS NOT NULL")),
		/** A partner's certificates by their end, those that were revoked apart. */
		index("certificates_validity")
			.on(table.partnerId, sql.raw("(revoked_at IS NULL)"), table.notAfter, table.serial)
			.where(sql.raw("issued_at IS NOT NULL")),
	],
);

/** Leaves, packed and sealed, as bytes in a table of their own: three of them share a page, and certificates stay small. */
export const leaves = sqliteTable("leaves", {
	id: integer().primaryKey(),
	sealed: blob({ mode: "buffer" }).$type<Uint8Array>().notNull(),
});

/** Numbers CRLs: a row for each issuing authority. */
export const crlState = sqliteTable("crl_state", {
	/** The authority's key id, hex. */
	keyId: text("key_id").primaryKey(),
	/** The highest CRL number ever reserved (RFC 5280 §5.2.3). */
	crlNumber: integer("crl_number").notNull(),
	/** Until when somebody builds a CRL; spares work, correctness does not rest on it. */
	buildingUntil: integer("building_until").notNull(),
	/** The bucket's etag of a published CRL all of whose entries the register has; null: of none that is known. */
	enteredEtag: text("entered_etag"),
});

/**
 * Revocations that a published CRL has and the register does not: a restore took them away. They stand before
 * what `certificates` says, since relying parties have acted on them.
 */
export const publishedRevocations = sqliteTable(
	"published_revocations",
	{
		/** Key identifier of the authority that signed the certificate, hex. */
		keyId: text("key_id").notNull(),
		/** Upper-case hex, 32 digits. */
		serial: text().notNull(),
		revokedAt: integer("revoked_at").notNull(),
		/** CRLReason name, RFC 5280 §5.3.1. */
		revocationReason: text("revocation_reason").$type<RevocationReason>().notNull(),
	},
	(table) => [primaryKey({ columns: [table.keyId, table.serial] })],
);

/** One row. Triggers give it a new random value at every revocation: a CRL with another one is out of date. */
export const revocationMark = sqliteTable("revocation_mark", {
	id: integer().primaryKey(),
	mark: text().notNull(),
});
