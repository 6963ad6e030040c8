import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";

/* The Postman collection, by Postman's own runner, against the service behind a real URL. */

const root = join(import.meta.dirname, "..", "..");
const { OPS_TOKEN } = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8"));
const harness = createTestHarness({ root, workers: [{ configPath: "./wrangler.toml" }] });
const run = promisify(execFile);

beforeAll(async () => {
	await harness.listen();
	for (const binding of ["DB", "DB_2"]) await harness.getWorker().applyD1Migrations(binding);
});
afterAll(() => harness.close());

async function ops(path: string, body: object): Promise<{ partner: { id: string }; api_key: string }> {
	const headers = { authorization: `Bearer ${OPS_TOKEN}`, "content-type": "application/json" };
	const answer = await harness.fetch(`/ops/v1${path}`, {
		method: "POST",
		headers,
		body: JSON.stringify(body),
	});
	return ((await answer.json()) as { data: { partner: { id: string }; api_key: string } }).data;
}

test("every call of the collection succeeds, each with what earlier ones answered; the first four lead to a certificate", async () => {
	const { partner } = await ops("/partners", { name: "Collector" });
	const scopes = ["codes", "redeem", "read", "manage"];
	const { api_key } = await ops(`/partners/${partner.id}/keys`, { label: "all", scopes });
	const file = join(root, "docs/partners/partner-api.postman_collection.json");
	const variables = { baseUrl: (await harness.listen()).url.origin, apiKey: api_key };
	const { stdout } = await run(join(root, "node_modules/.bin/newman"), [
		...["run", file, "--reporters", "cli", "--color", "off"],
		...Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
	]).catch((error: { stdout: string }) => error);
	for (const part of ["test-scripts", "assertions"])
		expect(stdout).toMatch(new RegExp(`${part}\\s*│\\s*\\d\\d\\s*│\\s*0 │`));
}, 90_000);
