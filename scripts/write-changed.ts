import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const UNFINISHED = join(import.meta.dirname, "../.wrangler/unfinished");

/**
 * Writes a file that others may be reading: they find the earlier or the later, never a part. Leaves it alone when nothing
 * changed, so that nobody who watches it starts anew.
 */
export async function writeChanged(file: string, content: string | Buffer): Promise<void> {
	const bytes = Buffer.from(content);
	if ((await readFile(file).catch(() => null))?.equals(bytes)) return;
	const unfinished = join(UNFINISHED, `${process.pid}-${basename(file)}`);
	await mkdir(UNFINISHED, { recursive: true });
	await mkdir(dirname(file), { recursive: true });
	await writeFile(unfinished, bytes);
	await rename(unfinished, file);
}
