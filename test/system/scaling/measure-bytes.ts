import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createStock, liveAgain } from "./copy-lives.ts";
import { type Life, sampleLives } from "./sample-rows.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");

/** Bytes of one code, its indexes and its share of half-empty pages included. */
export interface Bytes {
	/** By table, of a code nobody has used. */
	unused: Record<string, number>;
	/** By table, of a code with its certificate: validated once, claimed once. */
	issued: Record<string, number>;
	/** The same without the sealed leaf, as if that lay in R2. */
	withoutLeaf: Record<string, number>;
}

/**
 * Fills registers with copies of a real service's rows, in an order like life's (batches of a partner in turn,
 * certificates at random) and asks SQLite which pages belong to which table.
 */
export async function measureBytes(codes: number): Promise<Bytes> {
	const lives = await sampleLives(5);
	const unused = await fill(codes, null);
	const issued = await fill(codes, lives);
	const bare = lives.map((life) => ({
		...life,
		certificates: life.certificates.map((row) => ({ ...row, leaf_sealed: null })),
	}));
	return { unused, issued, withoutLeaf: await fill(codes, bare) };
}

async function fill(codes: number, lives: Life[] | null): Promise<Record<string, number>> {
	const db = new DatabaseSync(":memory:");
	for (const file of (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).sort())
		db.exec(await readFile(join(MIGRATIONS, file), "utf8"));
	const empty = pages(db);
	db.exec("BEGIN");
	const made = createStock(db, codes);
	if (lives)
		for (const [n, code] of shuffle(made).entries()) liveAgain(db, code, lives[n % lives.length]!, n);
	db.exec("COMMIT");
	const filled = pages(db);
	db.close();
	return Object.fromEntries(
		Object.entries(filled)
			.map(([table, bytes]) => [table, Math.round((bytes - (empty[table] ?? 0)) / codes)] as const)
			.filter(([, bytes]) => bytes > 0),
	);
}

function pages(db: DatabaseSync): Record<string, number> {
	const rows = db
		.prepare(`SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS bytes
		FROM dbstat AS s LEFT JOIN sqlite_master AS m ON m.name = s.name GROUP BY 1`)
		.all() as { name: string; bytes: number }[];
	return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

function shuffle<T>(values: readonly T[]): T[] {
	return values
		.map((value) => ({ value, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ value }) => value);
}
