import { REGISTER } from "./db.ts";

type Row = Record<string, unknown>;

/** Every row of every table of the register. */
export async function readTables(): Promise<Record<string, Row[]>> {
	const tables = await tableNames();
	const results = await REGISTER.batch<Row>(
		tables.map((table) => REGISTER.prepare(`SELECT * FROM "${table}"`)),
	);
	return Object.fromEntries(tables.map((table, i) => [table, results[i]!.results]));
}

/** Reads the tables without the last use of keys, which authentication notes by itself. */
export async function readTablesWithoutKeyUse(): Promise<Record<string, Row[]>> {
	const { api_keys = [], ...tables } = await readTables();
	return { ...tables, api_keys: api_keys.map(({ last_used_at, ...key }) => key) };
}

/** Counts the rows of each table. */
export async function countRows(): Promise<Record<string, unknown>> {
	const tables = await tableNames();
	const counts = tables.map((table) => `(SELECT count(*) FROM "${table}") AS "${table}"`);
	return (await REGISTER.prepare(`SELECT ${counts.join(", ")}`).first()) ?? {};
}

/** The rows of one table that belong to a purchase code, in no order. */
export async function rowsOfCode(table: string, pCode: string): Promise<Row[]> {
	const { results } = await REGISTER.prepare(`SELECT * FROM "${table}" WHERE code = ?`)
		.bind(pCode)
		.all<Row>();
	return results;
}

/** Names of the register's tables: without SQLite's, D1's and the migrations' own. */
export async function tableNames(database = REGISTER): Promise<string[]> {
	const { results } = await database
		.prepare(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'",
		)
		.all<{ name: string }>();
	return results.map(({ name }) => name);
}
