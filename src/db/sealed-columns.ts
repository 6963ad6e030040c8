import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { certificates, holders } from "./schema.ts";
import { outbox, webhookSecrets } from "./schema-delivery.ts";

/** A table with sealed columns. Its key is the `row` of each value's place, the column's name its `column`. */
export interface SealedTable {
	name: string;
	table: SQLiteTable;
	key: SQLiteColumn;
	/** By property name of the table. */
	columns: Readonly<Record<string, SQLiteColumn>>;
}

/** Everything sealed in D1, for whoever must touch all of it. A test holds it against the schema. */
export const SEALED_TABLES: readonly SealedTable[] = [
	{
		name: "holders",
		table: holders,
		key: holders.code,
		columns: {
			rutSealed: holders.rutSealed,
			fullNameSealed: holders.fullNameSealed,
			emailSealed: holders.emailSealed,
			phoneSealed: holders.phoneSealed,
			partnerCopySealed: holders.partnerCopySealed,
		},
	},
	{
		name: "certificates",
		table: certificates,
		key: certificates.serial,
		columns: { leafSealed: certificates.leafSealed },
	},
	{
		name: "outbox",
		table: outbox,
		key: outbox.id,
		columns: { recipientSealed: outbox.recipientSealed, payloadSealed: outbox.payloadSealed },
	},
	{
		name: "webhook_secrets",
		table: webhookSecrets,
		key: webhookSecrets.id,
		columns: { secretSealed: webhookSecrets.secretSealed },
	},
];
