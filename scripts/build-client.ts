import { execFileSync } from "node:child_process";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/* The client package's `dist`, before `npm pack`: the same code as ES module and as CommonJS, each with its types. */

const root = join(import.meta.dirname, "..");
const client = join(root, "client");
const esm = join(client, "dist", "esm");
const cjs = join(client, "dist", "cjs");

await rm(join(client, "dist"), { recursive: true, force: true });
for (const [format, outdir] of [
	["esm", esm],
	["cjs", cjs],
] as const)
	await build({
		entryPoints: [join(client, "index.ts")],
		outdir,
		format,
		bundle: true,
		platform: "neutral",
		target: ["es2022", "node20"],
	});
await writeTypes();
await mkdir(cjs, { recursive: true });
await writeFile(join(cjs, "package.json"), '{ "type": "commonjs" }\n');

/** Declarations name their neighbours as the JavaScript does that a resolver looks for. */
async function writeTypes(): Promise<void> {
	execFileSync(join(root, "node_modules", ".bin", "tsc"), ["--project", client], { stdio: "inherit" });
	await copyFile(
		join(root, "src", "widget", "browser", "onboarding-widget.d.ts"),
		join(esm, "onboarding-widget.d.ts"),
	);
	for (const name of await readdir(esm)) {
		if (!name.endsWith(".d.ts")) continue;
		const text = await readFile(join(esm, name), "utf8");
		await writeFile(join(esm, name), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
		await cp(join(esm, name), join(cjs, name));
	}
}
