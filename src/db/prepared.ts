import { fillPlaceholders, Placeholder } from "drizzle-orm";
import type { Db, Statement } from "./query.ts";

/** What drizzle's batch asks a statement for. */
interface Prepared {
	getQuery(): { sql: string; params: unknown[] };
	mapResult(result: unknown, isFromBatch?: boolean): unknown;
	stmt: D1PreparedStatement;
}

/**
 * A statement for batches whose SQL drizzle builds once per database: building it costs more than running it.
 * @param build - is given a placeholder by each value's name, once.
 */
export function preparedOnce<Values, S extends Statement>(
	build: (db: Db, values: Values) => S,
): (db: Db, values: Values) => S {
	const known = new WeakMap<Db, Prepared>();
	const prepare = (db: Db) => {
		const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;
		const prepared = (build(db, placeholders) as unknown as { _prepare(): Prepared })._prepare();
		known.set(db, prepared);
		return prepared;
	};
	return (db, values) => {
		const prepared = known.get(db) ?? prepare(db);
		const { sql, params } = prepared.getQuery();
		const bound: Prepared = {
			stmt: prepared.stmt,
			getQuery: () => ({ sql, params: fillPlaceholders(params, values as Record<string, unknown>) }),
			mapResult: (result, isFromBatch) => prepared.mapResult(result, isFromBatch),
		};
		return { _prepare: () => bound } as unknown as S;
	};
}
