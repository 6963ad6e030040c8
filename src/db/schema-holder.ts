import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/* The schema, continued: the page where a holder revokes. Conventions as in schema.ts. */

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
