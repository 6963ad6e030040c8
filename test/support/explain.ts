import { REGISTER } from "./db.ts";
import { tripsDuring } from "./failing-db.ts";
import { ops } from "./service.ts";

/** SQLite's query plan for a table in the first statement of a job that names it. */
export async function explain(job: string, table: string): Promise<string> {
	const [, trips] = await tripsDuring(() => ops("POST", `/upkeep/${job}`, {}));
	const { statement, params } = trips.flat().find(({ statement }) => statement.includes(`from "${table}"`))!;
	const { results } = await REGISTER.prepare(`EXPLAIN QUERY PLAN ${statement}`)
		.bind(...params)
		.all<{ detail: string }>();
	return results.find(({ detail }) => detail.includes(table))!.detail;
}
