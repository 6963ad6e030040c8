import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/* D1's files in the state that the service leaves on disk: what Time Travel sets back, apart from objects and R2. */

/** @returns the folder of D1's SQLite files. @throws unless there is exactly one. */
async function findDatabase(fixture: string): Promise<string> {
	const entries = await readdir(join(fixture, "state"), { recursive: true, withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory() && /D1DatabaseObject/.test(entry.name));
	if (folders.length !== 1) throw new Error(`${folders.length} folders look like D1's`);
	return join(folders[0]!.parentPath, folders[0]!.name);
}

/** Keeps D1 as it is now, while the service does not run. @returns what restores it. */
export async function keepDatabase(fixture: string): Promise<() => Promise<void>> {
	const database = await findDatabase(fixture);
	const kept = join(fixture, "kept");
	await cp(database, kept, { recursive: true });
	return async () => {
		await rm(database, { recursive: true });
		await cp(kept, database, { recursive: true });
	};
}
