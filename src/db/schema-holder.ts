import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { RequestKind, RequestOutcome } from "../domain/holder-requests.ts";

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

/** Requests of holders about their data, each about one code, for ops to answer. */
export const holderRequests = sqliteTable(
	"holder_requests",
	{
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		code: text().notNull(),
		kind: text().$type<RequestKind>().notNull(),
		/** Text of the holder. */
		detailSealed: text("detail_sealed").notNull(),
		askedAt: integer("asked_at").notNull(),
		closedAt: integer("closed_at"),
		outcome: text().$type<RequestOutcome>(),
		/** Text of ops, for the holder. */
		answerSealed: text("answer_sealed"),
	},
	(table) => [
		index("holder_requests_code").on(table.partnerId, table.code),
		index("holder_requests_open").on(table.askedAt).where(sql.raw("closed_at IS NULL")),
	],
);

/** A code whose holder a visit has found: its partner, itself. */
export type FoundCode = readonly [partnerId: string, code: string];

/** A visit to the page of a holder, from the RUT and e-mail on. Neither is stored. */
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
		/** Null: RUT and e-mail match no holder, or nobody has looked yet. */
		found: text({ mode: "json" }).$type<readonly FoundCode[]>(),
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
