import { BOUND, REGISTER } from "./db.ts";

type Row = Record<string, unknown>;

/** Every row of every table, of all databases. */
export async function readTables(): Promise<Record<string, Row[]>> {
	const tables = await tableNames();
	const each = await Promise.all(
		BOUND.map((database) =>
			database.batch<Row>(tables.map((table) => database.prepare(`SELECT * FROM "${table}"`))),
		),
	);
	return Object.fromEntries(tables.map((table, i) => [table, each.flatMap((read) => read[i]!.results)]));
}

/** Reads every row that the service would: the old rows of a partner that moved, and the copy on its way, are none. */
export async function readLivingTables(): Promise<Record<string, Row[]>> {
	const tables = await tableNames();
	const each = await Promise.all(
		BOUND.map(async (database) => {
			const read = await database.batch<Row>(
				["partner_places", ...tables].map((table) => database.prepare(`SELECT * FROM "${table}"`)),
			);
			const [places, ...rest] = read.map(({ results }) => results);
			const away = new Set(
				places!.flatMap(({ state, partner_id }) => (state === "closed" ? [partner_id] : [])),
			);
			return rest.map((rows) => rows.filter((row) => !away.has(row.partner_id) && !away.has(row.id)));
		}),
	);
	return Object.fromEntries(tables.map((table, i) => [table, each.flatMap((rows) => rows[i]!)]));
}

/** Reads the tables without the last use of keys, which authentication notes by itself. */
export async function readTablesWithoutKeyUse(): Promise<Record<string, Row[]>> {
	const { api_keys = [], ...tables } = await readTables();
	return { ...tables, api_keys: api_keys.map(({ last_used_at, ...key }) => key) };
}

/** Counts the rows of each table, of all databases. */
export async function countRows(): Promise<Record<string, number>> {
	const tables = await tableNames();
	const counts = tables.map((table) => `(SELECT count(*) FROM "${table}") AS "${table}"`);
	const each = await Promise.all(
		BOUND.map((database) => database.prepare(`SELECT ${counts.join(", ")}`).first<Record<string, number>>()),
	);
	return Object.fromEntries(
		tables.map((table) => [table, each.reduce((sum, counted) => sum + counted![table]!, 0)]),
	);
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
