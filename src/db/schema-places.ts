import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/* The schema, continued: where partners are, and what changed there during a move. Conventions as in schema.ts. */

/**
 * A partner that is or was in this database. Triggers refuse every write of one whose place is not open here.
 * `frozen`: the writes wait for a move's end. `leaving`: no write comes any more, and what spans partners reads the rows
 * here until the new place is open. `mover`: within one batch of the mover, which may write then and for whom counting
 * triggers rest.
 */
export type PlaceState = "open" | "frozen" | "leaving" | "closed" | "mover";

export const partnerPlaces = sqliteTable(
	"partner_places",
	{
		partnerId: text("partner_id").primaryKey(),
		/** The directory's number of the partner, from which a lost directory is made again. */
		number: integer().notNull(),
		/** Grows with each move. Of two open places the one with the higher epoch is true. */
		epoch: integer().notNull(),
		state: text().$type<PlaceState>().notNull(),
		/** When it came to this state, by the real clock. */
		since: integer().notNull(),
		/** Whether triggers note the keys of the rows that change: a move copies from here. */
		noting: integer({ mode: "boolean" }).notNull().default(false),
		/** How far a move to here has come, JSON; null: nothing moves to here. */
		copied: text(),
	},
	(table) => [index("partner_places_state").on(table.state)],
);

/** Keys of a moving partner's rows that changed since the move began, in the order of the changes. */
export const partnerChanges = sqliteTable(
	"partner_changes",
	{
		id: integer().primaryKey(),
		partnerId: text("partner_id").notNull(),
		ofTable: text("of_table").notNull(),
		/** Values of the key's columns, a JSON array. */
		key: text().notNull(),
	},
	(table) => [index("partner_changes_partner").on(table.partnerId, table.id)],
);
