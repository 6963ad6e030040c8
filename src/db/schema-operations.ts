import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

import type { AuditAction } from "../domain/audit-actions.ts";

/* The schema, continued: audit, idempotency keys, forms and jobs. Conventions as in schema.ts. */

/** Changes of a code that record a validation or a claim which was refused, with the reason as their outcome. */
export const FAILED_ACTIONS = ["validation_failed", "validation_refused", "claim_failed"] as const;

/** Changes that a partner makes only so often in an hour. */
export const LIMITED_ACTIONS = ["key_added", "key_rotated", "key_revoked", "delivery_email_asked"] as const;
export type LimitedAction = (typeof LIMITED_ACTIONS)[number];

/**
 * One row per change, append-only, chained by hash. (entity, version) is unique: writing the row of a
 * change that another writer made first fails and takes its whole batch with it. That is the compare-and-set.
 */
export const auditEvents = sqliteTable(
	"audit_events",
	{
		/** `code:…`, `partner:…`, `batch:…`, `evidence:…`, `delivery:…`, `console:…` or `upkeep:…`. */
		entity: text().notNull(),
		version: integer().notNull(),
		partnerId: text("partner_id").notNull(),
		at: integer().notNull(),
		actor: text().notNull(),
		action: text().$type<AuditAction>().notNull(),
		outcome: text().notNull(),
		requestId: text("request_id").notNull(),
		/** Which run of a step wrote it; shows after a crash whether its commit arrived. */
		step: text(),
		previousHash: text("previous_hash").notNull(),
		hash: text().notNull(),
		/** HMAC-SHA-256 of the hash under AUDIT_KEY, base64url; null only in a row that the service did not write. */
		mac: text(),
	},
	(table) => [
		primaryKey({ columns: [table.entity, table.version] }),
		index("audit_events_partner").on(table.partnerId, table.at),
		/** Failures of a partner, by time, with their reason. */
		index("audit_events_failures")
			.on(table.partnerId, table.at, table.outcome)
			.where(sql.raw(isOneOf(FAILED_ACTIONS))),
		index("audit_events_limited")
			.on(table.partnerId, table.at)
			.where(sql.raw(isOneOf(LIMITED_ACTIONS))),
	],
);

/** Which Idempotency-Keys a partner has used; the kept answers lie sealed in the code's object. */
export const idempotencyKeys = sqliteTable(
	"idempotency_keys",
	{
		partnerId: text("partner_id").notNull(),
		/** Keyed hash of the caller's key. */
		keyId: text("key_id").notNull(),
		/** Keyed hash of route and body. */
		fingerprint: text().notNull(),
		/** The batch a pcode/bulk made: its answer is read from D1 again. */
		batchId: text("batch_id"),
		/** Set while the first call may still be running. */
		runningUntil: integer("running_until"),
		expiresAt: integer("expires_at").notNull(),
	},
	(table) => [
		primaryKey({ columns: [table.partnerId, table.keyId] }),
		index("idempotency_keys_expiry").on(table.expiresAt),
	],
);

/** Forms of the consoles and of `/revocar` that were sent, so that none is done twice. */
export const sentForms = sqliteTable(
	"sent_forms",
	{
		/** Keyed hash of the form, its page, its recipient and its values. */
		id: text().primaryKey(),
		/** Its first answer, sealed with a key that only the form sent again yields; null: none yet, or it broke off. */
		answerCiphertext: blob("answer_ciphertext", { mode: "buffer" }).$type<Uint8Array>(),
		/** When no page's form can be this one any more. */
		eraseAt: integer("erase_at").notNull(),
	},
	(table) => [index("sent_forms_erase").on(table.eraseAt)],
);

/** How far each job of the upkeep has come; its deletions and repairs are in the audit as `upkeep:<job>`. */
export const upkeepJobs = sqliteTable("upkeep_jobs", {
	job: text().primaryKey(),
	/** Version of the job's last audit row. */
	version: integer().notNull().default(0),
	/** Where the next run goes on, as the job wrote it; null: from the start. */
	cursor: text(),
	ranAt: integer("ran_at").notNull(),
	/** Counts of what the last run found and did, JSON. */
	report: text().notNull(),
});

/** A condition on `action`, as an index has it. */
export function isOneOf(actions: readonly string[]): string {
	return `action IN (${actions.map((action) => `'${action}'`).join(", ")})`;
}
