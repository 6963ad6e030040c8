import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { unstable_splitSqlQuery } from "wrangler";
import { readEnvironment } from "../scripts/deploy/check-environment.ts";

/* Tables for each local service that Miniflare starts by itself, and no approximate limits. */

const root = join(import.meta.dirname, "..");
const MANY_CALLS = 1_000_000_000;

/** The rate-limit bindings of wrangler.toml, lifted. */
export const LIFTED_LIMITS = {
	BULK_RATE: unlimited("1001"),
	CALL_RATE: unlimited("1002"),
	ADDRESS_KEY_RATE: unlimited("1003"),
	ADDRESS_READYZ_RATE: unlimited("1004"),
	ADDRESS_OCSP_RATE: unlimited("1005"),
	SESSION_RATE: unlimited("1006"),
	SUBMIT_RATE: unlimited("1007"),
	ADDRESS_WIDGET_RATE: unlimited("1008"),
	SIGN_IN_RATE: unlimited("1009"),
};

function unlimited(namespace_id: string) {
	return { namespace_id, simple: { limit: MANY_CALLS, period: 60 as const } };
}

/** The databases of wrangler.toml. */
export const D1_BINDINGS = readEnvironment("local").d1_databases.map(({ binding }) => binding);

/** Applies the migrations to empty databases. @returns the last one, in which new partners are put */
export async function applyMigrations(
	miniflare: Miniflare,
	bindings: readonly string[] = D1_BINDINGS,
): Promise<D1Database> {
	const databases = await Promise.all(bindings.map((binding) => miniflare.getD1Database(binding)));
	const migrations = await readMigrations();
	for (const database of databases) await migrate(database as unknown as D1Database, migrations);
	return databases.at(-1) as unknown as D1Database;
}

/** The statements of each file of `migrations/`, in order. */
async function readMigrations(): Promise<string[][]> {
	const folder = join(root, "migrations");
	const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
	return Promise.all(
		files.map(async (file) => unstable_splitSqlQuery(await readFile(join(folder, file), "utf8"))),
	);
}

async function migrate(db: D1Database, migrations: readonly string[][]): Promise<void> {
	await wakeDatabase(db);
	for (const statements of migrations) await db.batch(statements.map((statement) => db.prepare(statement)));
}

/**
 * Makes sure of the connection that statements of this process take to D1: workerd closes one that was idle for
 * seconds, and the next statement on it may fail before it is sent. A read that fails is repeated once.
 */
export async function wakeDatabase(db: D1Database): Promise<D1Result> {
	const read = () => db.prepare("SELECT 1").run();
	return read().catch(read);
}

/** Reads the bytes of a database's pages. */
export async function sizeOf(db: D1Database): Promise<number> {
	return (await wakeDatabase(db)).meta.size_after;
}
