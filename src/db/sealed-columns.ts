import { and, asc, eq, getTableColumns, gt } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { keyIdOf, type SealedRecord, type Sealer } from "../secrets/sealing.ts";
import { type DatabaseDb, openHere, query, type Statement } from "./query.ts";
import { certificates, leaves } from "./schema-certificates.ts";
import { outbox, webhookSecrets } from "./schema-delivery.ts";
import { holderRequests, holders } from "./schema-holder.ts";

/** A table with sealed columns. Its key is the `row` of each value's place, the column's name its `column`. */
export interface SealedTable {
	name: string;
	table: SQLiteTable;
	key: SQLiteColumn;
	/** Another table that points to the rows; then its key is the `row` of the places. */
	owner?: { table: SQLiteTable; key: SQLiteColumn; pointer: SQLiteColumn };
	/** Sealed columns by the table's property names. */
	columns: Readonly<Record<string, SQLiteColumn>>;
}

/** Every sealed column of D1. A test compares it with the schema. */
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
		name: "holder_requests",
		table: holderRequests,
		key: holderRequests.id,
		columns: { detailSealed: holderRequests.detailSealed, answerSealed: holderRequests.answerSealed },
	},
	{
		name: "leaves",
		table: leaves,
		key: leaves.id,
		owner: { table: certificates, key: certificates.serial, pointer: certificates.leafId },
		columns: { sealed: leaves.sealed },
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

export interface ResealedPage {
	/** Rows looked at. */
	looked: number;
	/** Rows with a value under another key than the one that seals now. */
	stale: number;
	/** Rows with a value that no key opens: altered, or its key is gone. They are left as they are. */
	unopenable: string[];
	statements: Statement[];
	/** Key of the last row looked at, null when there were none after. */
	last: string | null;
}

/**
 * Seals a page of rows anew, with the first key. Each update holds only while the row's values are those that
 * were read, so a holder who is validated again meanwhile is not overwritten.
 */
export async function resealPage(
	db: DatabaseDb,
	sealer: Sealer,
	sealed: SealedTable,
	{ after, limit }: { after: string; limit: number },
): Promise<ResealedPage> {
	const { name, table, key, columns } = sealed;
	const rows = await query(selectPage(db, sealed, after, limit));
	const page: ResealedPage = {
		looked: rows.length,
		stale: 0,
		unopenable: [],
		statements: [],
		last: rows.length < limit ? null : rows.at(-1)!.key,
	};
	for (const { key: rowKey, id, ...values } of rows) {
		const old = Object.entries(values as Record<string, SealedRecord | null>).filter(isStale(sealer));
		if (old.length === 0) continue;
		page.stale += 1;
		try {
			const fresh: Record<string, SealedRecord> = {};
			for (const [property, record] of old) {
				const place = { table: name, row: rowKey, column: columns[property]!.name };
				const value = await sealer.open(record, place);
				fresh[property] =
					typeof record === "string" ? await sealer.seal(value, place) : await sealer.sealBytes(value, place);
			}
			const unchanged = old.map(([property, record]) => eq(columns[property]!, record));
			page.statements.push(
				db
					.update(table)
					.set(fresh)
					.where(and(eq(key, id), ...unchanged)),
			);
		} catch {
			page.unopenable.push(rowKey);
		}
	}
	return page;
}

/** `key`: the row of the places; `id`: the key of the table itself. */
type SealedRow = { key: string; id: string | number } & Record<string, unknown>;

function selectPage(
	db: DatabaseDb,
	{ table, key, owner, columns }: SealedTable,
	after: string,
	limit: number,
): Promise<SealedRow[]> {
	const placed = owner?.key ?? key;
	const from = db.select({ key: placed, id: key, ...columns }).from(owner?.table ?? table);
	const rows = owner ? from.innerJoin(table, eq(key, owner.pointer)) : from;
	const { partnerId } = getTableColumns(owner?.table ?? table);
	return rows
		.where(and(gt(placed, after), openHere(partnerId!)))
		.orderBy(asc(placed))
		.limit(limit) as unknown as Promise<SealedRow[]>;
}

function isStale(sealer: Sealer) {
	return (entry: [string, SealedRecord | null]): entry is [string, SealedRecord] =>
		entry[1] !== null && keyIdOf(entry[1]) !== sealer.currentKeyId;
}
