import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProductCode } from "../domain/products.ts";
import type { UsageKind } from "../domain/usage.ts";

/* The schema, continued: what a partner used. Conventions as in schema.ts. */

/** From when on how far the clocks of America/Santiago were, or will be, from UTC. A migration corrects it when the law changes. */
export const santiagoOffsets = sqliteTable("santiago_offsets", {
	startsAt: integer("starts_at").primaryKey(),
	offset: integer("offset_ms").notNull(),
});

/**
 * What happened on a day of America/Santiago to the codes of a block of 16,384 (`seq >> 14`). Kept by triggers, whoever
 * writes. `expired` is counted at the issue, on the day on which the certificate will end, and taken back by a revocation
 * before that: only days that are over are read from it.
 */
export const usageCounts = sqliteTable(
	"usage_counts",
	{
		partnerId: text("partner_id").notNull(),
		block: integer().notNull(),
		/** YYYY-MM-DD. */
		day: text().notNull(),
		product: text().$type<ProductCode>().notNull(),
		kind: text().$type<UsageKind>().notNull(),
		n: integer().notNull(),
	},
	(table) => [primaryKey({ columns: [table.partnerId, table.block, table.day, table.product, table.kind] })],
);
