import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_splitSqlQuery } from "wrangler";
import { readEnvironment } from "./deploy/check-environment.ts";

/*
 * Migrations of local databases, in this process: `wrangler d1 migrations apply` takes 5 s for each database. They are
 * noted in wrangler's own table, so that `wrangler d1 migrations list --local` knows them.
 */

const root = join(import.meta.dirname, "..");
const NOTES = `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT,
	name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

interface Migration {
	/** Its file. */
	name: string;
	statements: string[];
}

/** Applies the migrations to the databases of wrangler.toml in a folder of wrangler's. @param state - its absolute path */
export async function migrateFolder(state: string): Promise<void> {
	const databases = readEnvironment("local").d1_databases;
	const d1Databases = Object.fromEntries(databases.map(({ binding, database_id }) => [binding, database_id]));
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			resourcePersistencePath: join(state, "v3"),
			workers: [
				{
					name: "migrations",
					modules: [{ type: "ESModule", path: "none.mjs", contents: "export default {}" }],
					d1Databases,
				},
			],
		} as Parameters<typeof convertV4MiniflareOptions>[0]),
	);
	try {
		await applyMigrations(miniflare, Object.keys(d1Databases));
	} finally {
		await miniflare.dispose();
	}
}

/** Applies to databases of a local service what they lack. @returns the last one */
export async function applyMigrations(
	miniflare: Miniflare,
	bindings: readonly string[],
): Promise<D1Database> {
	const opened = await Promise.all(bindings.map((binding) => miniflare.getD1Database(binding)));
	const databases = opened as unknown as D1Database[];
	const migrations = await readMigrations();
	for (const db of databases) await migrate(db, migrations);
	return databases.at(-1)!;
}

async function readMigrations(): Promise<Migration[]> {
	const folder = join(root, "migrations");
	const files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
	return Promise.all(
		files.map(async (name) => ({
			name,
			statements: unstable_splitSqlQuery(await readFile(join(folder, name), "utf8")),
		})),
	);
}

async function migrate(db: D1Database, migrations: readonly Migration[]): Promise<void> {
	await wakeDatabase(db);
	await db.prepare(NOTES).run();
	const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
	const applied = new Set(results.map(({ name }) => name));
	for (const { name, statements } of migrations)
		if (!applied.has(name))
			await db.batch([
				...statements.map((statement) => db.prepare(statement)),
				db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name),
			]);
}

/**
 * Makes sure of the connection that statements of this process take to D1: workerd closes one that was idle for
 * seconds, and the next statement on it may fail before it is sent. A read that fails is repeated once.
 */
export async function wakeDatabase(db: D1Database): Promise<D1Result> {
	const read = () => db.prepare("SELECT 1").run();
	return read().catch(read);
}
