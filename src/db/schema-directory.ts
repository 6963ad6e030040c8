import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WhereState } from "../domain/decide-move.ts";

/* The schema, continued: the directory. Every database has its tables; those of `DB` alone are used. Conventions as in schema.ts. */

/** Where each partner lives. It only locates: the partner's own row, in its database, is true. */
export const directoryPartners = sqliteTable("directory_partners", {
	partnerId: text("partner_id").primaryKey(),
	/** 32 random bits, never given twice: serials and ids of widget sessions carry it. */
	number: integer().notNull().unique(),
	/** 1 is `DB`, 2 is `DB_2` … */
	database: integer().notNull(),
	state: text().$type<WhereState>().notNull(),
	/** Grows with each change of the row. */
	epoch: integer().notNull(),
	/** The other database of a move: where it goes, and afterwards where the old rows are; null without any. */
	target: integer(),
	updatedAt: integer("updated_at").notNull(),
});

/** Whether a database takes new partners. */
export type DatabaseState = "open" | "closed";

/** States of the databases, as ops said. */
export const directoryDatabases = sqliteTable("directory_databases", {
	/** 1 is `DB`, 2 is `DB_2` … */
	number: integer().primaryKey(),
	state: text().$type<DatabaseState>().notNull(),
});

/** Partner of each API key, written before the key; the key's own row says whether it is in force. */
export const directoryKeys = sqliteTable("directory_keys", {
	/** SHA-256 of the key, as `api_keys` has it. */
	hash: text().primaryKey(),
	partnerId: text("partner_id").notNull(),
});
