import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { KeyScope } from "../domain/key-scopes.ts";
import type { ProductCode } from "../domain/products.ts";
import { FACET_TABLE } from "../domain/status-tables.ts";
import { DEFAULT_WEBHOOK_EVENTS, type Subscription, type WebhookSwitch } from "../domain/webhook-events.ts";
import { BUSY_UNTIL, statusSql } from "./status-sql.ts";

/*
 * The schema of D1. Times are epoch milliseconds; `*_sealed` is AES-256-GCM bound to its table, row and column;
 * `*_index` is a keyed hash for equality. docs/operators/storage.md describes every record.
 */

export const partners = sqliteTable(
	"partners",
	{
		id: text().primaryKey(),
		version: integer().notNull().default(1),
		name: text().notNull(),
		mode: text().$type<"B2C" | "B2B">().notNull(),
		requireCardSerial: integer("require_cedula_serie", { mode: "boolean" }).notNull(),
		validateCardExpiry: integer("validate_vencimiento", { mode: "boolean" }).notNull(),
		requireSso: integer("require_sso", { mode: "boolean" }).notNull(),
		requireSerialWithSso: integer("require_serial_with_sso", { mode: "boolean" }).notNull(),
		allowedProducts: text("allowed_products", { mode: "json" }).$type<readonly ProductCode[]>().notNull(),
		pfxProfile: text("pfx_profile").$type<"modern" | "legacy">().notNull(),
		keyAlgorithm: text("key_algorithm").$type<"rsa-2048" | "ec-p256">().notNull(),
		maxCodes14Days: integer("max_codes_14_days").notNull().default(100_000),
		webhookUrl: text("webhook_url"),
		webhookEvents: text("webhook_events", { mode: "json" })
			.$type<readonly Subscription[]>()
			.notNull()
			.default(DEFAULT_WEBHOOK_EVENTS),
		/** When it was switched off; null while it is on. */
		webhookOffAt: integer("webhook_off_at"),
		/** Null while it is on. */
		webhookOffBy: text("webhook_off_by").$type<WebhookSwitch>(),
		deliveryEmail: text("delivery_email"),
		/** One that the partner set and whose owner has not confirmed it; it counts for nothing. */
		deliveryEmailPending: text("delivery_email_pending"),
		/** Until when it can be confirmed; null without one. */
		deliveryEmailPendingUntil: integer("delivery_email_pending_until"),
		/** Where the widget may be embedded: `https://shop.example`. */
		widgetOrigins: text("widget_origins", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
		/** `#rrggbb`. */
		widgetAccent: text("widget_accent"),
		/** SHA-256 of the logo in `widget_logos`, hex. */
		widgetLogo: text("widget_logo"),
		holderReminders: integer("holder_reminders", { mode: "boolean" }).notNull().default(false),
		/** E-mails are written in it. */
		language: text().$type<"es" | "en">().notNull().default("es"),
		suspendedAt: integer("suspended_at"),
		/** How far its own time is ahead, milliseconds: `domain/partner-clock.ts`. 0 in prod. */
		clockOffset: integer("clock_offset").notNull().default(0),
		/** Until when its `npm run listen` counts as connected, by the real clock; null in prod. */
		listeningUntil: integer("listening_until"),
		createdAt: integer("created_at").notNull(),
		updatedAt: integer("updated_at").notNull(),
	},
	/** Finds partners by the beginning of their name. */
	() => [index("partners_name").on(sql.raw("name COLLATE NOCASE"))],
);

/** When a key ends or ended; the greatest number where nothing ends it. Indexes hold this text. */
export const KEY_ENDS_AT = "min(ifnull(expires_at, 9007199254740991), ifnull(revoked_at, 9007199254740991))";

export const apiKeys = sqliteTable(
	"api_keys",
	{
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		/** SHA-256 of the key, hex; the key itself is nowhere. */
		hash: text().notNull(),
		label: text().notNull(),
		scopes: text({ mode: "json" })
			.$type<readonly KeyScope[]>()
			.notNull()
			.default(["codes", "redeem", "read"]),
		/** Null: never. */
		expiresAt: integer("expires_at"),
		/** Address ranges that it may be used from, `203.0.113.0/24`; null: from anywhere. */
		allowedCidrs: text("allowed_cidrs", { mode: "json" }).$type<readonly string[]>(),
		createdAt: integer("created_at").notNull(),
		lastUsedAt: integer("last_used_at"),
		/** When it ends or ended; later than now while a rotated key overlaps its successor. */
		revokedAt: integer("revoked_at"),
	},
	(table) => [
		uniqueIndex("api_keys_hash").on(table.hash),
		/** A partner's keys in force, and its ended ones in the order of their list. */
		index("api_keys_partner").on(table.partnerId, sql.raw(KEY_ENDS_AT), table.id),
		index("api_keys_ended").on(sql.raw(KEY_ENDS_AT)),
	],
);

export const batches = sqliteTable(
	"batches",
	{
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		product: text().$type<ProductCode>().notNull(),
		/** The batch holds the partner's codes first_seq to last_seq; both grow with created_at. */
		firstSeq: integer("first_seq").notNull(),
		lastSeq: integer("last_seq").notNull(),
		createdAt: integer("created_at").notNull(),
		/** When it was looked at because its unused codes expire soon. */
		remindedAt: integer("reminded_at"),
	},
	(table) => [
		uniqueIndex("batches_seq").on(table.partnerId, table.lastSeq),
		uniqueIndex("batches_created").on(table.partnerId, table.createdAt),
		index("batches_expiring").on(table.createdAt).where(sql.raw("reminded_at IS NULL")),
	],
);

/** Descending `seq` is the order of the list: newest first, then by code. */
export const purchaseCodes = sqliteTable(
	"purchase_codes",
	{
		partnerId: text("partner_id").notNull(),
		/** 1, 2, 3 … without a gap within a partner. */
		seq: integer().notNull(),
		code: text().notNull(),
		batchId: text("batch_id").notNull(),
		product: text().$type<ProductCode>().notNull(),
		version: integer().notNull().default(0),
		createdAt: integer("created_at").notNull(),
		updatedAt: integer("updated_at").notNull(),
		externalReferenceId: text("external_reference_id"),
		validatedAt: integer("validated_at"),
		boundRut: text("bound_rut_index"),
		issuedAt: integer("issued_at"),
		certificateSerial: text("certificate_serial"),
		certificateNotAfter: integer("certificate_not_after"),
		cancelledAt: integer("cancelled_at"),
		blockedAt: integer("blocked_at"),
		/** The locks of certificate_request, until then and permanently, which no claim reads. */
		validationLockedUntil: integer("validation_locked_until"),
		validationBlockedAt: integer("validation_blocked_at"),
		/** The lock of certificate_claim, which no certificate_request reads. */
		claimLockedUntil: integer("claim_locked_until"),
		onboardingUntil: integer("onboarding_until"),
		processingUntil: integer("processing_until"),
		/** RUT whose validation runs until processing_until: one per RUT and partner. */
		processingRut: text("processing_rut_index"),
		validationFailures: integer("validation_failures").notNull().default(0),
		validationLocks: integer("validation_locks").notNull().default(0),
		claimFailures: integer("claim_failures").notNull().default(0),
		claimLocks: integer("claim_locks").notNull().default(0),
		/** When it was looked at because its validation lapses soon: once. No version of the code. */
		lapseRemindedAt: integer("lapse_reminded_at"),
		facet: text().generatedAlwaysAs(sql.raw(statusSql(FACET_TABLE)), { mode: "virtual" }),
	},
	(table) => [
		primaryKey({ columns: [table.partnerId, table.seq] }),
		uniqueIndex("purchase_codes_code").on(table.code),
		index("purchase_codes_facet").on(table.partnerId, table.facet, table.product, table.seq),
		index("purchase_codes_reference")
			.on(table.partnerId, table.externalReferenceId, table.facet, table.product, table.seq)
			.where(sql.raw("external_reference_id IS NOT NULL")),
		/** All that the list status of a busy code derives from. SQLite takes no generated column from an index alone. */
		index("purchase_codes_busy_facts")
			.on(
				table.partnerId,
				sql.raw(BUSY_UNTIL),
				table.validationLockedUntil,
				table.claimLockedUntil,
				table.onboardingUntil,
				table.processingUntil,
				table.cancelledAt,
				table.issuedAt,
				table.blockedAt,
				table.validatedAt,
				table.createdAt,
				table.externalReferenceId,
				table.product,
			)
			.where(sql.raw(`${BUSY_UNTIL} IS NOT NULL`)),
		/** Validations that may lapse, oldest first. */
		index("purchase_codes_validated")
			.on(table.validatedAt, table.lapseRemindedAt)
			.where(
				sql.raw(
					"validated_at IS NOT NULL AND issued_at IS NULL AND blocked_at IS NULL AND cancelled_at IS NULL",
				),
			),
		index("purchase_codes_processing")
			.on(table.partnerId, table.processingRut)
			.where(sql.raw("processing_rut_index IS NOT NULL")),
	],
);

/** A browser that a `manage` key has signed in. It is one only while its key is in force. */
export const consoleSessions = sqliteTable(
	"console_sessions",
	{
		/** Keyed hash of the browser's cookie. */
		tokenHash: text("token_hash").primaryKey(),
		partnerId: text("partner_id").notNull(),
		keyId: text("key_id").notNull(),
		/** `Firefox, Windows`, of our own words; null: none of those that we know. */
		browser: text(),
		/** Two letters (ISO 3166-1), where it signed in; null: not known. */
		country: text(),
		createdAt: integer("created_at").notNull(),
		/** Last use, to ten minutes. */
		lastUsedAt: integer("last_used_at").notNull(),
		expiresAt: integer("expires_at").notNull(),
	},
	(table) => [
		index("console_sessions_partner").on(table.partnerId, table.createdAt),
		index("console_sessions_expiry").on(table.expiresAt),
	],
);
