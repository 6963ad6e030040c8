import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeOps } from "../src/api/ops/router.ts";
import { describePartners } from "../src/sandbox/partner-api.ts";

/*
 * `npm run client:generate`: writes the types of both typed clients from the OpenAPI documents of src. With --check it
 * writes nothing and fails when a committed file differs from its document.
 */

const root = join(import.meta.dirname, "..");
/** openapi-typescript needs the JavaScript API of TypeScript 5: it is installed in the workspace `client`. */
const GENERATOR = join(root, "client/node_modules/.bin/openapi-typescript");
/** A field with a default may be left out of a request. */
const OPTIONS = ["--default-non-nullable=false", ...(process.argv.includes("--check") ? ["--check"] : [])];

const ADDRESS = "https://partners.example";

await generate("client/openapi.ts", describePartners(ADDRESS, "en"));
await generate("scripts/ops-openapi.ts", describeOps(ADDRESS, "en"));

async function generate(file: string, described: object): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), "openapi-"));
	try {
		const source = join(folder, "openapi.json");
		await writeFile(source, JSON.stringify(described, withoutExamples));
		execFileSync(GENERATOR, [source, "--output", join(root, file), ...OPTIONS], {
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

/** Types say nothing of examples. */
function withoutExamples(key: string, value: unknown): unknown {
	return key === "example" || key === "examples" ? undefined : value;
}
