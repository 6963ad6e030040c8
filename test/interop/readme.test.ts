import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { createTestHarness } from "wrangler";
import { testWith } from "./tool-test.ts";

/* The README's commands as they are pasted into a shell, against the service behind a real URL. */

const root = join(import.meta.dirname, "..", "..");
const secrets = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8")) as Record<string, string>;
const harness = createTestHarness({ root, workers: [{ configPath: "./wrangler.toml" }] });
const run = promisify(execFile);
let url: string;
let folder: string;

beforeAll(async () => {
	url = (await harness.listen()).url.origin;
	await harness.getWorker().applyD1Migrations("DB");
	folder = await mkdtemp(join(tmpdir(), "readme-"));
});
afterAll(async () => {
	await harness.close();
	await rm(folder, { recursive: true });
});

async function post(path: string, headers: Record<string, string>, body: object) {
	const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
	const response = await harness.fetch(path, { ...init, body: JSON.stringify(body) });
	// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
	return ((await response.json()) as any).data;
}

/** A new partner's key and purchase code, as `npm start` and the first call give them. */
async function begin() {
	const authorization = `Bearer ${secrets.OPS_TOKEN}`;
	const { api_key } = await post("/ops/v1/partners", { authorization }, { name: "Reader" });
	const bulk = { productCode: "FV01", quantity: 1 };
	const { pcodes } = await post("/api/partner/v1/pcode/bulk", { "x-gw": api_key }, bulk);
	return { key: api_key as string, code: pcodes[0] as string };
}

/** The numbered commands of "From a code to a PFX". */
async function stepsOf(code: string): Promise<string[]> {
	const readme = await readFile(join(root, "README.md"), "utf8");
	const block = /## From a code to a PFX\n+```sh\n([\s\S]*?)```/.exec(readme)![1]!;
	const script = block.replace(/^CODE=.*$/m, "").replaceAll("http://localhost:8787", url);
	const [, ...steps] = script.split(/^# (?=\d\. )/m);
	return steps.map((step) => `CODE=${code}\n# ${step}`);
}

testWith(
	"openssl",
	"README: from a code to a PFX, and a claim whose answer was lost is repeated",
	async () => {
		const { key, code } = await begin();
		const shell = async (...commands: string[]) => {
			const options = { cwd: folder, env: { ...process.env, KEY: key } };
			return (await run("bash", ["-euo", "pipefail", "-c", commands.join("\n")], options)).stdout;
		};
		const [request, status, claim, store, open] = await stepsOf(code);
		expect(await shell(request!)).toContain('"status":"VALIDATED"');
		expect(await shell(status!)).toContain('"status":"VALIDATED"');
		expect(await shell(claim!)).toBe("200\n");
		expect(await shell(store!, open!)).toContain("CN=JUANA ANDREA PÉREZ SOTO");

		const first = await readFile(join(folder, "juana.pfx"));
		await rm(join(folder, "claim.json"));
		await rm(join(folder, "juana.pfx"));
		const again = claim!.replace(/^openssl rand .*$/m, "");
		expect(await shell(again)).toBe("200\n");
		await shell(store!);
		expect(await readFile(join(folder, "juana.pfx"))).toEqual(first);

		await expect(shell(claim!, store!), "another key: 201, and nothing is stored").rejects.toThrow(
			"ALREADY_ISSUED",
		);
	},
);
