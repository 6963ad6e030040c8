import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { components } from "../ops-openapi.ts";
import { UsageError } from "../run-command.ts";

type Table = components["schemas"]["SettingsRow"]["table"];
export type Row = Record<string, string | number | null>;
export type Dump = Record<Table, Row[]>;

const TABLES: readonly Table[] = ["partners", "api_keys", "webhook_secrets"];
const WANTED = new RegExp(`^(CREATE TABLE|INSERT INTO) [\\w ]*["\`]?(${TABLES.join("|")})["\`]?\\s*\\(`);

/**
 * Reads the tables that partners change from what `wrangler d1 export` wrote. The file may be large: it is read a
 * statement at a time.
 * @throws {UsageError} when it cannot be read, or has not these tables
 */
export async function readDump(file: string): Promise<Dump> {
	const { DatabaseSync } = await import("node:sqlite");
	const db = new DatabaseSync(":memory:");
	try {
		for await (const statement of statementsOf(file)) if (WANTED.test(statement)) db.exec(statement);
		return Object.fromEntries(
			TABLES.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
		) as Dump;
	} catch (error) {
		throw new UsageError(`${file} is no export of the database: ${(error as Error).message}`);
	} finally {
		db.close();
	}
}

async function* statementsOf(file: string): AsyncGenerator<string> {
	let statement = "";
	const input = createReadStream(file);
	for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
		statement += statement === "" ? line : `\n${line}`;
		// A quote within a text is doubled: the number is even where no text is open.
		if (!line.endsWith(";") || statement.split("'").length % 2 === 0) continue;
		yield statement;
		statement = "";
	}
}
