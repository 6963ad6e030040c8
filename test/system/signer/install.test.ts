import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installSigner } from "../../../scripts/install-signer.ts";
import { isLongRun } from "../../support/run-size.ts";

/* The signer's package on a machine that cannot compile it. */

const root = join(import.meta.dirname, "..", "..", "..");
const signer = join(root, "signer");
const script = join(root, "scripts", "install-signer.ts");
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

test.skipIf(!isLongRun)(
	"two first starts at once compile it beside each other, and one of the two is taken",
	async () => {
		const install = `import { installSigner } from ${JSON.stringify(script)}; installSigner(${JSON.stringify(folder)})`;
		const options = ["--experimental-strip-types", "--input-type=module", "--eval", install];
		const env = { ...process.env, CXXFLAGS: "-O0" };
		const ends = [1, 2].map(() => once(spawn(process.execPath, options, { env, stdio: "ignore" }), "exit"));
		expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0]);
		expect(readdirSync(folder).toSorted()).toEqual([
			"bin",
			"node_modules",
			"package-lock.json",
			"package.json",
		]);
		expect(existsSync(join(folder, "node_modules/pkcs11js/build/Release/pkcs11.node"))).toBe(true);
	},
);
