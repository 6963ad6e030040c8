import { and, fillPlaceholders, is, Placeholder, type Query, SQL, sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { timed } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";

/** Authenticates audit rows by their hash: `secrets/audit-key.ts`. */
export interface AuditKey {
	macOf(rowHash: string): Promise<string>;
	isMacOf(mac: string, rowHash: string): Promise<boolean>;
}

declare const owner: unique symbol;

/** Owner of the statements that a database takes: one partner's, those over all partners that live in it, or the directory's. */
type Owner = "partner" | "database" | "directory";

/**
 * Drizzle without its own `batch`: {@link batch} is the one. Whoever writes has the key: no audit row lacks its mac.
 * Without an argument: a database with partners' rows, for a statement that one partner's calls and the jobs share.
 */
export type Db<Of extends Owner = "partner" | "database"> = Omit<DrizzleD1Database, "batch"> & {
	$client: D1Database;
	auditKey: AuditKey;
	/** Type alone: the compiler refuses a statement on another owner's database. */
	readonly [owner]: Of;
};

/** The database in which one partner lives; every statement binds the partner's id. */
export type PartnerDb = Db<"partner">;
/** One database, over all partners that live in it: for jobs and ops. */
export type DatabaseDb = Db<"database">;
/** `DB` as the directory, and as the home of what belongs to no partner. */
export type DirectoryDb = Db<"directory">;
/** Any of them. */
export type AnyDb = Db<Owner>;

/** A statement that drizzle builds. */
interface Built<Result> {
	readonly _: { readonly result: Result };
	prepare(): { getQuery(): Query; mapResult(result: unknown, isFromBatch?: boolean): unknown };
}

/** A statement with its values, and what D1's result is read as. */
interface Bound<Result> {
	text: string;
	values: readonly unknown[];
	read(result: D1Result): Result;
}

/** A statement of a {@link batch}: built by drizzle, written by hand, {@link prepared} or {@link named}. */
export type Statement = Built<unknown> | Bound<unknown> | SQL;
/** A statement that returns rows. */
export type RowsStatement<Row> = Built<Row[]>;

/** The one place that knows D1's type. The caller says whose statements the database takes. */
export function openDb<Of extends Owner>(database: D1Database, auditKey: AuditKey): Db<Of> {
	return Object.assign(drizzle(database), { auditKey }) as unknown as Db<Of>;
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
		if (violated) throw new ConstraintViolated(violated[1]!);
		throw new Unavailable(message.includes(NOT_OPEN) ? "moving" : "db", message);
	}
}

/** Text of the triggers that refuse a partner's write where its place is not open. */
const NOT_OPEN = "partner_not_open";

/** One statement, several, or null for one that this call does not need. */
type Part = Statement | readonly Statement[] | null;

type ResultOf<P> =
	P extends SQL<infer Row>
		? Row[]
		: P extends Built<infer Result> | Bound<infer Result>
			? Result
			: P extends readonly (infer One)[]
				? ResultOf<One>[]
				: null;

/** Results of a {@link batch}, under the names of its statements. */
export type BatchResult<Parts> = { [Name in keyof Parts]: ResultOf<Parts[Name]> };

/**
 * One atomic round trip: all statements in the order of their names, or none. The result has the same names: the rows
 * of a statement, an array of results for several, null for none.
 * @throws as {@link query}
 */
export async function batch<Parts extends Record<string, Part>>(
	db: AnyDb,
	parts: Parts,
): Promise<BatchResult<Parts>> {
	const bound = Object.values<Part>(parts)
		.flatMap((part) => part ?? [])
		.map(bind);
	const results = bound.length > 0 ? await query(send(db, bound)) : [];
	const left = results.map((result, i) => bound[i]!.read(result));
	const named = Object.entries<Part>(parts).map(([name, part]) => {
		if (part === null) return [name, null];
		return [name, Array.isArray(part) ? left.splice(0, part.length) : left.shift()];
	});
	return Object.fromEntries(named) as BatchResult<Parts>;
}

/** An async function, so that also what `bind` throws reaches {@link query}. */
async function send(db: AnyDb, statements: readonly Bound<unknown>[]): Promise<D1Result[]> {
	return db.$client.batch(statements.map(({ text, values }) => db.$client.prepare(text).bind(...values)));
}

function bind(statement: Statement): Bound<unknown> {
	if (is(statement, SQL)) {
		const { sql, params } = DIALECT.sqlToQuery(statement);
		return { text: sql, values: params, read: readRows };
	}
	if ("text" in statement) return statement;
	const built = statement.prepare();
	const { sql, params } = built.getQuery();
	return { text: sql, values: params, read: (result) => built.mapResult(result, true) };
}

const DIALECT = new SQLiteAsyncDialect();

/**
 * A statement whose SQL drizzle builds once: building it costs more than running it.
 * @param build - is given a placeholder by each value's name, once
 */
export function prepared<Values extends Record<string, unknown>, Result>(
	build: (db: PartnerDb, values: Values) => Built<Result>,
): (db: PartnerDb, values: Values) => Bound<Result> {
	let known: ReturnType<Built<Result>["prepare"]> | null = null;
	return (db, values) => {
		known ??= build(db, PLACEHOLDERS as Values).prepare();
		const built = known;
		const { sql, params } = built.getQuery();
		return {
			text: sql,
			values: fillPlaceholders(params, values),
			read: (result) => built.mapResult(result, true) as Result,
		};
	};
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * A statement written by hand in which `:name` stands for a value. Its text never holds a value, so that D1 finds it
 * compiled when it comes again, and a value is one parameter however often its name occurs.
 */
export function named<Row>(text: string, values: Readonly<Record<string, string | number>>): Bound<Row[]> {
	const numbers = new Map<string, number>();
	const numbered = text.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => {
		if (values[name] === undefined) throw new Error(`no value for :${name}`);
		if (!numbers.has(name)) numbers.set(name, numbers.size + 1);
		return `?${numbers.get(name)}`;
	});
	return { text: numbered, values: [...numbers.keys()].map((name) => values[name]), read: readRows<Row> };
}

function readRows<Row>(result: D1Result): Row[] {
	return result.results as Row[];
}

function innermostMessage(error: unknown): string {
	let innermost = error;
	while (innermost instanceof Error && innermost.cause) innermost = innermost.cause;
	return innermost instanceof Error ? innermost.message : String(innermost);
}

/*
 * Conditions of every statement over all partners of a database: it also has rows of partners that moved away, or are on
 * their way here. NOT IN, so that no index of the rows is taken for it; rows of no partner ('') have no place, and stay.
 */

/** Text for statements whose rows' partner is in the column `partner_id`: rows of partners that live here. */
export const LIVES_HERE = notPlaced("partner_id", "'closed'");
/** Text for the rows of partners themselves. */
export const PARTNER_LIVES_HERE = notPlaced("id", "'closed'");

/** Condition for what is read: the partner lives here. One whose writes are refused for a move's end does. */
export function livesHere(partnerId: SQLiteColumn | SQL): SQL {
	return sql`${partnerId} ${sql.raw(notPlaced("", "'closed'"))}`;
}

/** Condition for what jobs read and change: the partner may write here, and is the asked one. @param only - null: all */
export function openHere(partnerId: SQLiteColumn | SQL, only: string | null | undefined = null): SQL {
	const open = sql`${partnerId} ${sql.raw(notPlaced("", "'closed', 'frozen', 'leaving'"))}`;
	return only == null ? open : and(open, sql`${partnerId} = ${only}`)!;
}

function notPlaced(column: string, states: string): string {
	return `${column} NOT IN (SELECT partner_id FROM partner_places WHERE state IN (${states}))`;
}
