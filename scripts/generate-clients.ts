import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/*
 * `npm run client:generate`: writes the types of both typed clients from the OpenAPI documents of src. With --check it
 * writes nothing and fails when a committed file differs from its document.
 */

const root = join(import.meta.dirname, "..");
/** openapi-typescript needs the JavaScript API of TypeScript 5: it is installed in the workspace `client`. */
const GENERATOR = join(root, "client/node_modules/.bin/openapi-typescript");
const check = process.argv.includes("--check");

/** Base classes of the runtime; describing the calls needs no instance of them. */
const RUNTIME = "data:text/javascript,export class DurableObject {} export class WorkerEntrypoint {}";

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === "cloudflare:workers" ? { url: RUNTIME, shortCircuit: true } : next(specifier, context),
});
const { app } = await import("../src/app.ts");
const { describeApi } = await import("../src/http/openapi-document.ts");

/** Examples are left out: types say nothing of them. */
const document = JSON.parse(describeApi(app, "https://partners.example"), (key, value) =>
	key === "example" ? undefined : value,
) as { paths: object };
const isOps = (path: string) => path.startsWith("/ops/");
await generate(
	"client/openapi.ts",
	pathsOf((path) => !isOps(path)),
);
await generate("scripts/ops-openapi.ts", pathsOf(isOps));

function pathsOf(isWanted: (path: string) => boolean): object {
	const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isWanted(path)));
	return { ...document, paths };
}

async function generate(file: string, described: object): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "openapi-"));
	try {
		const source = join(folder, "openapi.json");
		await writeFile(source, JSON.stringify(described));
		execFileSync(GENERATOR, [source, "--output", join(root, file), ...(check ? ["--check"] : [])], {
			stdio: ["ignore", "ignore", "pipe"],
		});
	} catch (error) {
		console.error(`${file} is not what the OpenAPI document says: npm run client:generate`);
		console.error(String((error as { stderr?: unknown }).stderr ?? error));
		process.exitCode = 1;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
