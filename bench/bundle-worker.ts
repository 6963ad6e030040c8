import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");

/** One ES module, as wrangler would deploy it. @param entry - relative to the project; without it the environment's own. */
export async function bundleWorker(options: {
	/** The project's sources; without it this one's. */
	folder?: string;
	entry?: string;
	environment?: "prod";
	minify?: boolean;
}): Promise<string> {
	const out = await mkdtemp(join(tmpdir(), "bench-bundle-"));
	const args = [
		"deploy",
		...(options.entry === undefined ? [] : [options.entry]),
		"--dry-run",
		"--env",
		options.environment ?? "",
		"--outdir",
		out,
		...(options.minify ? ["--minify"] : []),
	];
	try {
		await promisify(execFile)("wrangler", args, {
			cwd: options.folder ?? root,
			env: { ...process.env, CI: "1" },
		});
		const name = (await readdir(out)).find((file) => file.endsWith(".js"))!;
		return await readFile(join(out, name), "utf8");
	} finally {
		await rm(out, { recursive: true, force: true });
	}
}
