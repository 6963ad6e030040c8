import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { timed } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";

export type Db = DrizzleD1Database & { $client: D1Database };
export type Statement = BatchItem<"sqlite">;

export function openDb(database: D1Database): Db {
	return drizzle(database);
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
 * @throws {ConstraintViolated} or {@link Unavailable} in place of what drizzle threw, whose message quotes
 * the values of the statement.
 */
export async function ask<T>(roundTrip: PromiseLike<T>): Promise<T> {
	try {
		return await timed("d1", () => roundTrip);
	} catch (error) {
		const message = innermostMessage(error);
		const violated = /(?:UNIQUE|NOT NULL) constraint failed: ([a-z_]+\.[a-z_]+)/.exec(message);
		throw violated ? new ConstraintViolated(violated[1]!) : new Unavailable("db", message);
	}
}

/** One atomic round trip: all statements or none. */
export async function askBatch(db: Db, statements: readonly Statement[]): Promise<unknown[]> {
	const [first, ...rest] = statements;
	return first ? ask(db.batch([first, ...rest])) : [];
}

/** The same for hand-written SQL, which drizzle's own batch cannot bind. @returns the rows of each statement. */
export async function askSql(db: Db, queries: readonly SQL[]): Promise<unknown[][]> {
	const statements = queries.map((query) => {
		const { sql, params } = DIALECT.sqlToQuery(query);
		return db.$client.prepare(sql).bind(...params);
	});
	const results = await ask(db.$client.batch(statements));
	return results.map((result) => result.results);
}

const DIALECT = new SQLiteAsyncDialect();

function innermostMessage(error: unknown): string {
	let innermost = error;
	while (innermost instanceof Error && innermost.cause) innermost = innermost.cause;
	return innermost instanceof Error ? innermost.message : String(innermost);
}
