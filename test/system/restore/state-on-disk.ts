import { createHash, createHmac } from "node:crypto";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readEnvironment } from "../../../scripts/deploy/check-environment.ts";

/* D1's files in the state that the service leaves on disk: what Time Travel sets back, apart from objects and R2. */

/** @returns the folder of D1's SQLite files. @throws unless there is exactly one. */
async function findDatabases(fixture: string): Promise<string> {
	const entries = await readdir(join(fixture, "state"), { recursive: true, withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory() && /D1DatabaseObject/.test(entry.name));
	if (folders.length !== 1) throw new Error(`${folders.length} folders look like D1's`);
	return join(folders[0]!.parentPath, folders[0]!.name);
}

/** Keeps D1 as it is now, while the service does not run. @returns what restores it. */
export async function keepDatabase(fixture: string): Promise<() => Promise<void>> {
	const database = await findDatabases(fixture);
	const kept = join(fixture, "kept");
	await cp(database, kept, { recursive: true });
	return async () => {
		await rm(database, { recursive: true });
		await cp(kept, database, { recursive: true });
	};
}

/** Puts one database of a fixture back to what it is in another. @param binding - its name */
export async function putBack(fixture: string, { from, binding }: { from: string; binding: string }) {
	const [to, earlier] = await Promise.all([fixture, from].map(findDatabases));
	const name = nameOf(binding);
	const isIts = (file: string) => file.startsWith(`${name}.sqlite`);
	for (const file of (await readdir(to!)).filter(isIts)) await rm(join(to!, file));
	const kept = (await readdir(earlier!)).filter(isIts);
	if (kept.length === 0) throw new Error(`no file of ${binding} in ${kept}`);
	for (const file of kept) await cp(join(earlier!, file), join(to!, file));
}

/** Name of a database's file: the id of the object in which Miniflare keeps it. */
function nameOf(binding: string): string {
	const { d1_databases } = readEnvironment("local");
	const id = d1_databases.find((one) => one.binding === binding)?.database_id ?? binding;
	const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
	const hmac = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
	const name = hmac(id);
	return Buffer.concat([name, hmac(name)]).toString("hex");
}
