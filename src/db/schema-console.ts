import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/* The schema, continued: who is signed in at a partner's console. Conventions as in schema.ts. */

/** A browser that a `manage` key has signed in. It is one only while its key is in force. */
export const consoleSessions = sqliteTable(
	"console_sessions",
	{
		/** Keyed hash of the browser's cookie. */
		tokenHash: text("token_hash").primaryKey(),
		partnerId: text("partner_id").notNull(),
		keyId: text("key_id").notNull(),
		createdAt: integer("created_at").notNull(),
		expiresAt: integer("expires_at").notNull(),
	},
	(table) => [
		index("console_sessions_partner").on(table.partnerId, table.createdAt),
		index("console_sessions_expiry").on(table.expiresAt),
	],
);
