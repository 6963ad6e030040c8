import { and, asc, eq, gt } from "drizzle-orm";
import { keyIdOf, type Sealer } from "../secrets/sealing.ts";
import { ask, type Db, type Statement } from "./query.ts";
import type { SealedTable } from "./sealed-columns.ts";

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
	db: Db,
	sealer: Sealer,
	{ name, table, key, columns }: SealedTable,
	{ after, limit }: { after: string; limit: number },
): Promise<ResealedPage> {
	const rows = (await ask(
		db
			.select({ key, ...columns })
			.from(table)
			.where(gt(key, after))
			.orderBy(asc(key))
			.limit(limit),
	)) as Record<string, string | null>[];
	const page: ResealedPage = {
		looked: rows.length,
		stale: 0,
		unopenable: [],
		statements: [],
		last: rows.length < limit ? null : rows.at(-1)!.key!,
	};
	for (const { key: rowKey, ...values } of rows) {
		const old = Object.entries(values).filter(isStale(sealer));
		if (old.length === 0) continue;
		page.stale += 1;
		try {
			const fresh: Record<string, string> = {};
			for (const [property, record] of old) {
				const place = { table: name, row: rowKey!, column: columns[property]!.name };
				fresh[property] = await sealer.seal(await sealer.open(record, place), place);
			}
			const unchanged = old.map(([property, record]) => eq(columns[property]!, record));
			page.statements.push(
				db
					.update(table)
					.set(fresh)
					.where(and(eq(key, rowKey!), ...unchanged)),
			);
		} catch {
			page.unopenable.push(rowKey!);
		}
	}
	return page;
}

function isStale(sealer: Sealer) {
	return (entry: [string, string | null]): entry is [string, string] =>
		entry[1] !== null && keyIdOf(entry[1]) !== sealer.currentKeyId;
}
