import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { apiKeys, batches, consoleSessions, partners, purchaseCodes } from "./schema.ts";
import { certificates } from "./schema-certificates.ts";
import { codeCounts, usageCounts } from "./schema-counts.ts";
import { deliveryAttempts, outbox, webhookSecrets } from "./schema-delivery.ts";
import { evidence, holderEmails, holderRequests, holders, rutAttempts } from "./schema-holder.ts";
import { onboardingSessions, widgetLogos } from "./schema-onboarding.ts";
import { auditEvents, idempotencyKeys } from "./schema-operations.ts";

/* The tables whose rows belong to a partner: what a move copies, and what triggers guard. */

/** How a move reads and writes a table. Columns are named as SQL has them. */
export interface PartnerTable {
	name: string;
	/** The column with the partner's id. */
	owner: "id" | "partner_id";
	/** Columns that triggers note of a changed row: the rows of one key are copied anew together. */
	key: readonly string[];
	/** Whether an index has the key behind the partner; otherwise one has the key alone. */
	within: boolean;
	/** The order in which an index has one partner's rows. */
	walk: readonly string[];
	/** Columns of a copied row. Numbers that SQLite gives are given anew. */
	columns: readonly string[];
	/** Those of them that are bytes. */
	bytes: readonly string[];
	/** Most rows of a page. */
	page: number;
	/** Whether rows are deleted when their time is over, or a holder asks. */
	ends: boolean;
	/** Columns that are emptied then, while the row stays. */
	emptied: readonly string[];
}

interface Order {
	key: readonly string[];
	within?: true;
	walk?: readonly string[];
	page?: number;
	stays?: true;
	emptied?: readonly string[];
}

const SMALL_ROWS = 1_000;
const LARGE_ROWS = 200;

function partnerTable(
	table: SQLiteTable,
	{ key, within, walk = key, page = SMALL_ROWS, stays, emptied = [] }: Order,
): PartnerTable {
	const columns = Object.values(getTableColumns(table)).filter(
		({ generated, columnType, primary }) => !generated && !(primary && columnType === "SQLiteInteger"),
	);
	return {
		name: getTableName(table),
		owner: columns.some(({ name }) => name === "partner_id") ? "partner_id" : "id",
		key,
		within: within === true,
		walk,
		columns: columns.map(({ name }) => name),
		bytes: columns.filter(({ columnType }) => columnType === "SQLiteBlobBuffer").map(({ name }) => name),
		page,
		ends: !stays,
		emptied,
	};
}

const STAYS = { stays: true } as const;
const WITHIN = { within: true } as const;

export const PARTNER_TABLES: readonly PartnerTable[] = [
	partnerTable(partners, { ...STAYS, key: ["id"] }),
	partnerTable(apiKeys, { key: ["id"] }),
	partnerTable(batches, { ...STAYS, key: ["id"], walk: ["last_seq"] }),
	partnerTable(purchaseCodes, {
		...{ ...STAYS, ...WITHIN },
		key: ["seq"],
		emptied: ["bound_rut_index", "processing_rut_index"],
	}),
	partnerTable(codeCounts, {
		...{ ...STAYS, ...WITHIN },
		key: ["reference", "facet", "level", "block", "product"],
	}),
	partnerTable(usageCounts, { ...STAYS, ...WITHIN, key: ["block", "day", "product", "kind"] }),
	partnerTable(holders, { key: ["code"], walk: ["rut_index", "code"], emptied: ["pin_salt", "pin_hash"] }),
	partnerTable(holderEmails, { ...WITHIN, key: ["email_index"] }),
	partnerTable(rutAttempts, { ...WITHIN, key: ["rut_index"] }),
	partnerTable(evidence, { key: ["object_key"], walk: ["code", "object_key"] }),
	partnerTable(certificates, {
		...STAYS,
		key: ["serial"],
		walk: ["code", "serial"],
		page: LARGE_ROWS,
		emptied: ["leaf_id"],
	}),
	partnerTable(outbox, {
		...STAYS,
		key: ["id"],
		walk: ["created_at", "id"],
		page: LARGE_ROWS,
		emptied: ["recipient_sealed", "payload_sealed"],
	}),
	partnerTable(deliveryAttempts, { ...WITHIN, key: ["delivery_id"], walk: ["delivery_id", "id"] }),
	partnerTable(webhookSecrets, { key: ["id"], walk: ["created_at", "id"] }),
	partnerTable(holderRequests, { key: ["id"], walk: ["code", "id"], page: LARGE_ROWS }),
	// No index has these by partner: they are deleted a day after their end, so all pages together read a day's sessions.
	partnerTable(onboardingSessions, { key: ["id"] }),
	partnerTable(widgetLogos, { ...WITHIN, key: ["hash"], page: 1 }),
	partnerTable(consoleSessions, { key: ["token_hash"], walk: ["created_at", "token_hash"] }),
	partnerTable(idempotencyKeys, { ...WITHIN, key: ["key_id"] }),
	partnerTable(auditEvents, { ...STAYS, key: ["entity", "version"], walk: ["at", "entity", "version"] }),
];
