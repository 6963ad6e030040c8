import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/* The schema, continued: holders, and the page where they revoke. Conventions as in schema.ts. */

/** The holder a code was last validated for. */
export const holders = sqliteTable(
	"holders",
	{
		code: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		rutSealed: text("rut_sealed").notNull(),
		rutIndex: text("rut_index").notNull(),
		fullNameSealed: text("full_name_sealed").notNull(),
		emailSealed: text("email_sealed").notNull(),
		emailIndex: text("email_index").notNull(),
		phoneSealed: text("phone_sealed"),
		partnerCopySealed: text("partner_copy_sealed"),
		/** HMAC-SHA-256 of the PIN under the pepper and this salt; both gone once the certificate is issued. */
		pinSalt: text("pin_salt"),
		pinHash: text("pin_hash"),
		/** Serial of the certificate that the holder renews. */
		renews: text(),
		validatedAt: integer("validated_at").notNull(),
		/** The terms that the holder accepted in the widget before this validation, and when; null by API. */
		termsVersion: text("terms_version"),
		termsAcceptedAt: integer("terms_accepted_at"),
		/** The widget's, in which its e-mails are written; null by API. */
		language: text().$type<"es" | "en">(),
	},
	(table) => [index("holders_rut").on(table.partnerId, table.rutIndex)],
);

/** One e-mail belongs to one RUT per partner, from the first successful validation on. */
export const holderEmails = sqliteTable(
	"holder_emails",
	{
		partnerId: text("partner_id").notNull(),
		emailIndex: text("email_index").notNull(),
		rutIndex: text("rut_index").notNull(),
		createdAt: integer("created_at").notNull(),
	},
	(table) => [primaryKey({ columns: [table.partnerId, table.emailIndex] })],
);

/** ID validations of one RUT at one partner that failed, over all codes, since the last success. */
export const rutAttempts = sqliteTable(
	"rut_attempts",
	{
		partnerId: text("partner_id").notNull(),
		rutIndex: text("rut_index").notNull(),
		failures: integer().notNull(),
		/** Time of the first failure: the 24 hours begin here. */
		firstFailedAt: integer("first_failed_at").notNull(),
		lockedUntil: integer("locked_until"),
		/** When the row is erased. */
		eraseAt: integer("erase_at").notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.partnerId, table.rutIndex] }),
		index("rut_attempts_erase").on(table.eraseAt),
	],
);

/** Pictures of an identity card, sealed in R2 under `object_key`. */
export const evidence = sqliteTable(
	"evidence",
	{
		objectKey: text("object_key").primaryKey(),
		partnerId: text("partner_id").notNull(),
		code: text().notNull(),
		side: text().$type<"front" | "back">().notNull(),
		mediaType: text("media_type").notNull(),
		createdAt: integer("created_at").notNull(),
	},
	(table) => [index("evidence_code").on(table.partnerId, table.code)],
);

/** A certificate that a visit has found: whose it is, its code, its serial. */
export type FoundCertificate = readonly [partnerId: string, code: string, serial: string];

/** A visit to the page to revoke, from the RUT and e-mail on. Neither is stored. */
export const holderVisits = sqliteTable(
	"holder_visits",
	{
		/** Keyed hash of the browser's cookie. */
		tokenHash: text("token_hash").primaryKey(),
		/** Names the visit in the audit. */
		id: text().notNull(),
		/** Keyed hash of the one-time code, sent or not. */
		codeHash: text("code_hash").notNull(),
		codeExpiresAt: integer("code_expires_at").notNull(),
		/** Tries of the code, the right one included. */
		tries: integer().notNull().default(0),
		/** Null: RUT and e-mail match no certificate in force, or nobody has looked yet. */
		found: text({ mode: "json" }).$type<readonly FoundCertificate[]>(),
		/** When the code was entered. */
		provedAt: integer("proved_at"),
		eraseAt: integer("erase_at").notNull(),
	},
	(table) => [index("holder_visits_erase").on(table.eraseAt)],
);

/** How many codes a caller's address asked for in an hour, how often a code was sent, and whether it was entered. */
export const holderCounts = sqliteTable(
	"holder_counts",
	{
		/** Keyed hash of what is counted and its window: of the same RUT another one every six hours. */
		key: text().primaryKey(),
		n: integer().notNull(),
		/** The window's end, or later. */
		eraseAt: integer("erase_at").notNull(),
	},
	(table) => [index("holder_counts_erase").on(table.eraseAt)],
);
