import { BOUND } from "./db.ts";
import { tableNames } from "./tables.ts";

/* D1 set back to an earlier moment, as Time Travel does; objects and buckets stay as they are. */

const KEPT = "kept_";

/** Keeps every row of all databases, in place of what was kept before. */
export async function keepDatabase(): Promise<void> {
	await Promise.all(BOUND.map(keep));
}

async function keep(database: D1Database): Promise<void> {
	const tables = await ownTables(database);
	await database.batch(
		tables.flatMap(({ name, columns }) => [
			database.prepare(`DROP TABLE IF EXISTS "${KEPT}${name}"`),
			database.prepare(`CREATE TABLE "${KEPT}${name}" AS SELECT ${columns} FROM "${name}"`),
		]),
	);
}

/** Puts what was kept in place of what there is. Triggers would count it, and keep the audit from going. */
export async function setDatabaseBack(databases: readonly D1Database[] = BOUND): Promise<void> {
	await Promise.all(databases.map(setBack));
}

async function setBack(database: D1Database): Promise<void> {
	const tables = await ownTables(database);
	const { results: triggers } = await database
		.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
		.all<{ name: string; sql: string }>();
	await database.batch([
		...triggers.map(({ name }) => database.prepare(`DROP TRIGGER "${name}"`)),
		...tables.flatMap(({ name, columns }) => [
			database.prepare(`DELETE FROM "${name}"`),
			database.prepare(`INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM "${KEPT}${name}"`),
		]),
		...triggers.map(({ sql }) => database.prepare(sql)),
	]);
}

/** Each with the columns that are not computed. */
async function ownTables(database: D1Database): Promise<{ name: string; columns: string }[]> {
	const names = (await tableNames(database)).filter((name) => !name.startsWith(KEPT));
	const read = await database.batch<{ name: string }>(
		names.map((name) => database.prepare(`SELECT name FROM pragma_table_info('${name}')`)),
	);
	return names.map((name, i) => ({
		name,
		columns: read[i]!.results.map((column) => `"${column.name}"`).join(", "),
	}));
}
