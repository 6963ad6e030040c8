import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { describeOps } from "../src/api/ops/router.ts";
import { describePartners } from "../src/sandbox/partner-api.ts";

/*
 * Lints the OpenAPI documents, those of local and dev, which have the most calls, in both languages, with the recommended rules of Redocly. An error or a
 * warning fails. Nothing leaves the machine: no telemetry, no look-up of a newer version.
 */

const root = join(import.meta.dirname, "..");
const config = readConfig({ config: join(root, "wrangler.toml"), env: "prod" }, { hideWarnings: true });
const publicUrl = String(config.vars.PUBLIC_URL);

const folder = await mkdtemp(join(tmpdir(), "openapi-"));
try {
	for (const language of ["en", "es"] as const) {
		await lint(`partners-${language}.json`, describePartners(publicUrl, language));
		await lint(`ops-${language}.json`, describeOps(publicUrl, language));
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}

async function lint(name: string, document: object): Promise<void> {
	const file = join(folder, name);
	await writeFile(file, JSON.stringify(document, null, 2));
	const { stdout } = spawnSync("redocly", ["lint", file, "--extends", "recommended", "--format", "json"], {
		cwd: folder,
		env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
	});
	const { totals, problems } = JSON.parse(String(stdout)) as {
		totals: { errors: number; warnings: number };
		problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
	};
	for (const { ruleId, message, location } of problems)
		console.error(`${name} ${location[0]?.pointer ?? ""}: ${message} (${ruleId})`);
	if (totals.errors + totals.warnings > 0) process.exitCode = 1;
}
