import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** SHA-256 of each migration's text, by its file's name. */
type Hashes = Record<string, string>;

/**
 * Deletes a folder of local databases that other migrations made than those of today: one that is gone, or whose text has
 * changed, as the first one may until the first release. Notes in the folder which migrations it is for.
 * @returns whether there was something to delete.
 */
export async function discardOutdatedState(state: string, migrations: string): Promise<boolean> {
	const file = join(state, "migrations.json");
	const today = await hashMigrations(migrations);
	const noted = await readNote(file);
	const isUsed = (await readdir(state).catch(() => [])).length > 0;
	const isOutdated =
		isUsed && (noted === null || Object.entries(noted).some(([name, hash]) => today[name] !== hash));
	if (isOutdated) await rm(state, { recursive: true });
	await mkdir(state, { recursive: true });
	await writeFile(file, JSON.stringify(today));
	return isOutdated;
}

async function hashMigrations(folder: string): Promise<Hashes> {
	const names = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
	const hashed = names.map(async (name) => {
		const text = await readFile(join(folder, name));
		return [name, createHash("sha256").update(text).digest("hex")];
	});
	return Object.fromEntries(await Promise.all(hashed));
}

async function readNote(file: string): Promise<Hashes | null> {
	try {
		return JSON.parse(await readFile(file, "utf8"));
	} catch {
		return null;
	}
}
