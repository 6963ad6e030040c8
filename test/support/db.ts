import { env } from "cloudflare:workers";
import { openDb } from "../../src/db/query.ts";
import { writeCursor } from "../../src/http/cursor.ts";
import { createAuditKey } from "../../src/secrets/audit-key.ts";

const AUDIT_KEY = await createAuditKey([Uint8Array.fromBase64(env.AUDIT_KEY)]);

/**
 * The databases by number; system tests have four. New partners are put into the last, so that who forgets the directory
 * finds none of them.
 */
export const BOUND = [env.DB, env.DB_2, ...(env.DB_3 && env.DB_4 ? [env.DB_3, env.DB_4] : [])];
/** The database in which the partners under test are made. */
export const REGISTER = BOUND.at(-1)!;

/** Runs a statement in the database in which the partners under test are. */
export function execute(sql: string, ...values: unknown[]): Promise<D1Result> {
	return executeIn(REGISTER, sql, values);
}

/** Runs a statement in the first database: the directory, and what belongs to no partner. */
export function executeOfNobody(sql: string, ...values: unknown[]): Promise<D1Result> {
	return executeIn(env.DB, sql, values);
}

function executeIn(database: D1Database, sql: string, values: unknown[]): Promise<D1Result> {
	return database
		.prepare(sql)
		.bind(...values)
		.run();
}

/** Begins a walk over all databases there. */
export const AT_REGISTER = writeCursor({ database: BOUND.length, at: null });

/** A register as the service opens it, for any owner's statements. */
export function openRegister(database = REGISTER) {
	return openDb<never>(database, AUDIT_KEY);
}

/** All of them, as the platform has them. */
export function openDatabases() {
	return {
		directory: openRegister(env.DB),
		databases: BOUND.map((database, i) => {
			const number = i + 1;
			return {
				number,
				binding: number === 1 ? "DB" : `DB_${number}`,
				db: openRegister(database),
				isFrozen: false,
			};
		}),
	};
}
