import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProductCode } from "../domain/products.ts";
import type { UsageKind } from "../domain/usage.ts";

/* Counts of a partner's codes, kept by triggers, and the offsets by which these know the day in Chile. */

/** How many codes of a facet and product lie in a block of `seq >> level`; reference '' counts them all. Kept by triggers. */
export const codeCounts = sqliteTable(
	"code_counts",
	{
		partnerId: text("partner_id").notNull(),
		reference: text().notNull(),
		facet: text().notNull(),
		level: integer().notNull(),
		block: integer().notNull(),
		product: text().$type<ProductCode>().notNull(),
		n: integer().notNull(),
	},
	(table) => [
		primaryKey({
			columns: [table.partnerId, table.reference, table.facet, table.level, table.block, table.product],
		}),
	],
);

/** Offsets of America/Santiago's clocks from UTC, each with its beginning. A migration corrects it when the law changes. */
export const santiagoOffsets = sqliteTable("santiago_offsets", {
	startsAt: integer("starts_at").primaryKey(),
	offset: integer("offset_ms").notNull(),
});

/**
 * Counts what happened on a day of America/Santiago to the codes of a block of 16,384 (`seq >> 14`). Kept by triggers, whoever
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
