import { env } from "cloudflare:workers";
import { tableNames } from "./tables.ts";

/* D1 set back to an earlier moment, as Time Travel does; objects and buckets stay as they are. */

const KEPT = "kept_";

/** Keeps every row, in place of what was kept before. */
export async function keepDatabase(): Promise<void> {
	const tables = await ownTables();
	await env.DB_2.batch(
		tables.flatMap(({ name, columns }) => [
			env.DB_2.prepare(`DROP TABLE IF EXISTS "${KEPT}${name}"`),
			env.DB_2.prepare(`CREATE TABLE "${KEPT}${name}" AS SELECT ${columns} FROM "${name}"`),
		]),
	);
}

/** Puts what was kept in place of what there is. Triggers would count it, and keep the audit from going. */
export async function setDatabaseBack(): Promise<void> {
	const tables = await ownTables();
	const { results: triggers } = await env.DB_2.prepare(
		"SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
	).all<{ name: string; sql: string }>();
	await env.DB_2.batch([
		...triggers.map(({ name }) => env.DB_2.prepare(`DROP TRIGGER "${name}"`)),
		...tables.flatMap(({ name, columns }) => [
			env.DB_2.prepare(`DELETE FROM "${name}"`),
			env.DB_2.prepare(`INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM "${KEPT}${name}"`),
		]),
		...triggers.map(({ sql }) => env.DB_2.prepare(sql)),
	]);
}

/** Each with the columns that are not computed. */
async function ownTables(): Promise<{ name: string; columns: string }[]> {
	const names = (await tableNames()).filter((name) => !name.startsWith(KEPT));
	const read = await env.DB_2.batch<{ name: string }>(
		names.map((name) => env.DB_2.prepare(`SELECT name FROM pragma_table_info('${name}')`)),
	);
	return names.map((name, i) => ({
		name,
		columns: read[i]!.results.map((column) => `"${column.name}"`).join(", "),
	}));
}
