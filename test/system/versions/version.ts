import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleWorker } from "../../../bench/bundle-worker.ts";
import { git } from "../../../scripts/newest-release.ts";
import { ENTRY } from "../crash/build.ts";

const root = join(import.meta.dirname, "../../..");

/** A change of a version's sources, as a careless engineer would make it. */
export interface Slip {
	file: string;
	text: string;
	replacement: string;
}

/** The guide's pages are no part of the Worker, and take longest to build. */
const WITHOUT_GUIDE = { file: "wrangler.toml", text: " && node scripts/build-guide.ts", replacement: "" };

/** Whether the packages of a version are those that are installed here. */
export function hasPackages(ref: string): boolean {
	return git("rev-parse", `${ref}:package-lock.json`) === git("hash-object", "package-lock.json");
}

/** Bundles the crash run's Worker of a version, from its own sources and with the packages that are installed here. */
export async function bundleVersion(ref: string, slip?: Slip): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "version-"));
	try {
		const unpack = 'git archive "$0" | tar -x -C "$1"';
		await promisify(execFile)("bash", ["-o", "pipefail", "-c", unpack, ref, folder], { cwd: root });
		await symlink(join(root, "node_modules"), join(folder, "node_modules"));
		for (const { file, text, replacement } of slip ? [WITHOUT_GUIDE, slip] : [WITHOUT_GUIDE]) {
			const source = await readFile(join(folder, file), "utf8");
			if (!source.includes(text)) throw new Error(`not in ${file} of ${ref}: ${text}`);
			await writeFile(join(folder, file), source.replace(text, replacement));
		}
		return await bundleWorker({ folder, entry: ENTRY });
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
