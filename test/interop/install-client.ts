import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { ROOT } from "../support/local-service.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const packed = new TemporaryFolder();
afterAll(() => packed[Symbol.dispose]());
let packing: Promise<string> | undefined;

/** Installs the client's package, made once, into a folder's own libraries, as a reader does. */
export async function installClient(folder: string): Promise<void> {
	packing ??= pack();
	await writeFile(join(folder, "package.json"), "{}");
	await run("npm", ["install", "--offline", "--no-audit", "--no-fund", await packing], { cwd: folder });
}

/** @returns the tarball's path */
async function pack(): Promise<string> {
	await run("npm", ["pack", "--pack-destination", packed.path()], { cwd: join(ROOT, "client") });
	const [tarball] = await readdir(packed.path());
	return packed.path(tarball!);
}
