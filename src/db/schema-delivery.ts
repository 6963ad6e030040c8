import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DeliveryKind } from "../domain/holder-messages.ts";
import type { Noticed } from "../domain/notices.ts";

/* The schema, continued: deliveries to partners. Conventions as in schema.ts. */

/** State of a delivery; an index holds this text. */
export const DELIVERY_STATE =
	"CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN dead_at IS NOT NULL THEN 'dead' ELSE 'pending' END";

/** Deliveries, created in the commit of the change that they report. Pending while `next_attempt_at` is set. */
export const outbox = sqliteTable(
	"outbox",
	{
		/** The `webhook-id`. */
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		/** Empty for an event of a batch. */
		code: text().notNull(),
		event: text().$type<DeliveryKind>().notNull(),
		/** Kind of change that a notice tells of; null for every other event. */
		noticed: text().$type<Noticed>(),
		/** The channel of the last attempt, or of the next one. */
		channel: text().$type<"webhook" | "email">().notNull(),
		/** It carries the certificate to a B2B partner, to the address that the partner has when it is tried. */
		toPartner: integer("to_partner", { mode: "boolean" }).notNull().default(false),
		/** Address of a copy, of a holder's message or of a notice; null: the partner's address of the moment. */
		recipientSealed: text("recipient_sealed"),
		/** Null once the payload was erased. */
		payloadSealed: text("payload_sealed"),
		createdAt: integer("created_at").notNull(),
		/** When it is due; while an attempt runs, when the attempt counts as crashed. */
		nextAttemptAt: integer("next_attempt_at"),
		/** Attempts of this round, the running one included. */
		attempts: integer().notNull().default(0),
		lastAttemptAt: integer("last_attempt_at"),
		/** `delivered`, `http 503`, `timeout` …: never anything the receiver said. */
		lastOutcome: text("last_outcome"),
		deliveredAt: integer("delivered_at"),
		/** Dead letter: no attempt follows unless ops ask for one. */
		deadAt: integer("dead_at"),
		/** When the payload of a dead letter is erased. */
		eraseAt: integer("erase_at"),
		/** When ops last asked for a new round of attempts. */
		resentAt: integer("resent_at"),
		/** When the sweep last put it in the queue. */
		sweptAt: integer("swept_at"),
	},
	(table) => [
		index("outbox_due").on(table.nextAttemptAt).where(sql.raw("next_attempt_at IS NOT NULL")),
		index("outbox_erase").on(table.eraseAt).where(sql.raw("erase_at IS NOT NULL")),
		index("outbox_dead").on(table.deadAt).where(sql.raw("dead_at IS NOT NULL")),
		/** Finds a partner's dead letters that can be sent again. */
		index("outbox_own_dead")
			.on(table.partnerId, table.deadAt)
			.where(sql.raw("dead_at IS NOT NULL AND payload_sealed IS NOT NULL")),
		index("outbox_code").on(table.partnerId, table.code, table.createdAt),
		/** Finds what carries a code's certificate to its partner, however many events the code has had. */
		index("outbox_certificate").on(table.partnerId, table.code).where(sql.raw("to_partner = 1")),
		index("outbox_partner").on(table.partnerId, table.createdAt),
		index("outbox_created").on(table.createdAt),
		index("outbox_notices")
			.on(table.partnerId, table.noticed, table.createdAt)
			.where(sql.raw("noticed IS NOT NULL")),
		/** A partner's deliveries of a state and event, in the order of its list. */
		index("outbox_partner_state").on(
			table.partnerId,
			sql.raw(DELIVERY_STATE),
			table.event,
			table.createdAt,
			table.id,
		),
	],
);

/** How each attempt of a delivery ended, in the order in which they did. One that crashed has no row. */
export const deliveryAttempts = sqliteTable(
	"delivery_attempts",
	{
		id: integer().primaryKey(),
		partnerId: text("partner_id").notNull(),
		deliveryId: text("delivery_id").notNull(),
		/** When it began. */
		at: integer().notNull(),
		durationMs: integer("duration_ms").notNull(),
		channel: text().$type<"webhook" | "email">().notNull(),
		/** Outcome in the words of `last_outcome`. */
		outcome: text().notNull(),
		/** Null when there was no answer. */
		httpStatus: integer("http_status"),
	},
	(table) => [index("delivery_attempts_delivery").on(table.partnerId, table.deliveryId, table.id)],
);

/** Secrets that sign a partner's webhooks (Standard Webhooks 1.0): the current one, and while it is rotated the one before. */
export const webhookSecrets = sqliteTable(
	"webhook_secrets",
	{
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		secretSealed: text("secret_sealed").notNull(),
		createdAt: integer("created_at").notNull(),
		/** Set by the rotation that replaced it: until then both sign. */
		expiresAt: integer("expires_at"),
	},
	(table) => [index("webhook_secrets_partner").on(table.partnerId, table.createdAt)],
);
