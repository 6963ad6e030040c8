import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { SessionEnd } from "../domain/onboarding-session.ts";

/* The schema, continued: the widget. Conventions as in schema.ts. */

/** A holder's session in the widget; `OnboardingSession` in domain/onboarding.ts describes the columns. */
export const onboardingSessions = sqliteTable(
	"onboarding_sessions",
	{
		id: text().primaryKey(),
		partnerId: text("partner_id").notNull(),
		code: text().notNull(),
		/** SHA-256 of the token, hex; the token itself is nowhere. */
		tokenHash: text("token_hash").notNull(),
		reference: text().notNull(),
		locale: text().$type<"es" | "en">().notNull(),
		claim: integer({ mode: "boolean" }).notNull(),
		origins: text({ mode: "json" }).$type<readonly string[]>().notNull(),
		createdAt: integer("created_at").notNull(),
		startedAt: integer("started_at"),
		until: integer("until_at").notNull(),
		validatedAt: integer("validated_at"),
		completedAt: integer("completed_at"),
		endedAt: integer("ended_at"),
		endReason: text("end_reason").$type<SessionEnd>(),
	},
	(table) => [
		/** One session of a code at a time. */
		uniqueIndex("onboarding_sessions_open")
			.on(table.partnerId, table.code)
			.where(sql.raw("ended_at IS NULL")),
		index("onboarding_sessions_due").on(table.until).where(sql.raw("ended_at IS NULL")),
		index("onboarding_sessions_ended").on(table.endedAt).where(sql.raw("ended_at IS NOT NULL")),
	],
);

/** Logos that partners gave for the widget; `partners.widget_logo` names the one in use. */
export const widgetLogos = sqliteTable(
	"widget_logos",
	{
		partnerId: text("partner_id").notNull(),
		/** SHA-256 of the content, hex: a logo's address never shows another one. */
		hash: text().notNull(),
		mediaType: text("media_type").$type<"image/png" | "image/webp">().notNull(),
		content: blob({ mode: "buffer" }).$type<Uint8Array>().notNull(),
		createdAt: integer("created_at").notNull(),
	},
	(table) => [primaryKey({ columns: [table.partnerId, table.hash] })],
);
