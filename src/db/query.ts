import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { timed } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";

/** Authenticates audit rows by their hash: `secrets/audit-key.ts`. */
export interface AuditKey {
	macOf(rowHash: string): Promise<string>;
	isMacOf(mac: string, rowHash: string): Promise<boolean>;
}

/** Whoever writes has the key: no audit row is written without its mac. */
export type Db = DrizzleD1Database & { $client: D1Database; auditKey: AuditKey };
export type Statement = BatchItem<"sqlite">;
/** A statement that returns rows. */
export type RowsStatement<Row> = RunnableQuery<Row[], "sqlite">;

export function openDb(database: D1Database, auditKey: AuditKey): Db {
	return Object.assign(drizzle(database), { auditKey });
}

/** A batch ran into a UNIQUE or NOT NULL constraint; nothing of it was written. */
export class ConstraintViolated extends Error {
	/** `table.column`, the first if the constraint spans several. */
	readonly constraint: string;
	constructor(constraint: string) {
		super(`constraint failed: ${constraint}`);
		this.constraint = constraint;
	}
}

/**
 * Awaits one round trip to D1.
 * @throws {ConstraintViolated} or {@link Unavailable} in place of what drizzle threw, whose message quotes the values
 * of the statement.
 */
export async function query<T>(roundTrip: PromiseLike<T>): Promise<T> {
	try {
		return await timed("d1", () => roundTrip);
	} catch (error) {
		const message = innermostMessage(error);
		const violated = /(?:UNIQUE|NOT NULL) constraint failed: ([a-z_]+\.[a-z_]+)/.exec(message);
		throw violated ? new ConstraintViolated(violated[1]!) : new Unavailable("db", message);
	}
}

/** One statement, several, or null for one that this call does not need. */
type Part = Statement | readonly Statement[] | null;

type ResultOf<P> = P extends Statement ? P["_"]["result"] : P extends readonly Statement[] ? unknown[] : null;

/** What {@link batch} returns: the same names. */
export type BatchResult<Parts> = { [Name in keyof Parts]: ResultOf<Parts[Name]> };

/**
 * One atomic round trip: all statements in the order of their names, or none. The result has the same names: the rows
 * of a statement, an array of results for several, null for none.
 */
export async function batch<Parts extends Record<string, Part>>(
	db: Db,
	parts: Parts,
): Promise<BatchResult<Parts>> {
	const [first, ...rest] = Object.values(parts).flatMap((part) => part ?? []);
	const results = first ? await query(db.batch([first, ...rest])) : [];
	return nameResults(parts, results) as BatchResult<Parts>;
}

type SqlPart = SQL | readonly SQL[];

type RowsOf<P> = P extends SQL<infer Row> ? Row[] : P extends readonly SQL[] ? unknown[] : never;

/** The same for hand-written SQL, which drizzle's own batch cannot bind: `sql<Row>` types the rows. */
export async function batchSql<Parts extends Record<string, SqlPart>>(
	db: Db,
	parts: Parts,
): Promise<{ [Name in keyof Parts]: RowsOf<Parts[Name]> }> {
	const statements = Object.values(parts)
		.flat()
		.map((part) => {
			const { sql, params } = DIALECT.sqlToQuery(part as SQL);
			return db.$client.prepare(sql).bind(...params);
		});
	const results = await query(db.$client.batch(statements));
	const rows = results.map((result) => result.results);
	return nameResults(parts, rows) as { [Name in keyof Parts]: RowsOf<Parts[Name]> };
}

/** Hand-written SQL among the statements of a {@link batch}. Nobody reads its rows. */
export function handWritten(db: Db, text: SQL): Statement {
	const query = DIALECT.sqlToQuery(text);
	const prepared = {
		stmt: db.$client.prepare(query.sql),
		getQuery: () => query,
		mapResult: (result: unknown) => result,
	};
	return { _prepare: () => prepared } as unknown as Statement;
}

const DIALECT = new SQLiteAsyncDialect();

function nameResults(parts: Record<string, unknown>, results: readonly unknown[]): Record<string, unknown> {
	const left = [...results];
	const named = Object.entries(parts).map(([name, part]) => {
		if (part === null) return [name, null];
		return [name, Array.isArray(part) ? left.splice(0, part.length) : left.shift()];
	});
	return Object.fromEntries(named);
}

function innermostMessage(error: unknown): string {
	let innermost = error;
	while (innermost instanceof Error && innermost.cause) innermost = innermost.cause;
	return innermost instanceof Error ? innermost.message : String(innermost);
}
