import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installSigner } from "../../../scripts/install-signer.ts";

/* The signer's package on a machine that cannot compile it. */

const signer = join(import.meta.dirname, "..", "..", "..", "signer");
let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "install-"));
	for (const file of ["package.json", "package-lock.json"]) cpSync(join(signer, file), join(folder, file));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("without a compiler it is said what is missing, and how Debian has it", () => {
	const PATH = join(folder, "bin");
	mkdirSync(PATH);
	const python = execFileSync("which", ["python3"], { encoding: "utf8" }).trim();
	symlinkSync(python, join(PATH, "python3"));
	expect(() => installSigner(folder, { ...process.env, PATH })).toThrow(
		/this machine lacks: make, g\+\+\. On Debian: apt-get install -y build-essential python3/,
	);
});

test("without Node's headers it is said where they are looked for", () => {
	const env = { ...process.env, npm_config_nodedir: join(folder, "bin") };
	expect(() => installSigner(folder, env)).toThrow(/Node's headers were not found/);
});
