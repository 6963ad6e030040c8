import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** SHA-256 of the names and contents of all files of a folder that fit one of the patterns. */
export async function digestFiles(folder: string, patterns: readonly string[]): Promise<string> {
	const hash = createHash("sha256");
	for (const path of globSync(patterns, { cwd: folder }).sort())
		hash.update(path).update(await readFile(join(folder, path)));
	return hash.digest("hex");
}
