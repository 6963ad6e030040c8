import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AS_OPS, ROOT } from "../support/local-service.ts";
import { installClient } from "./install-client.ts";
import { service } from "./partner-service.ts";

/*
 * The client package as a partner gets it: built, packed, installed from the tarball into an empty project. And the Postman
 * collection, by Postman's own runner. Both against the service behind a real URL.
 */

const SECRET = `whsec_${Buffer.from("a secret of the partner's webhook").toString("base64")}`;
const run = promisify(execFile);
let project: string;
let env: Record<string, string | undefined>;
/** The README's programs: calls, and webhooks. */
let examples: string[];

beforeAll(async () => {
	project = await mkdtemp(join(tmpdir(), "client-"));
	await installClient(project);
	const readme = await readFile(
		join(project, "node_modules/@partner-certificates/partner-client/README.md"),
		"utf8",
	);
	examples = Array.from(readme.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code!);

	const { api_key } = await service.createPartner({ name: "Reader" });
	const { url } = service;
	env = { PATH: process.env.PATH, SERVICE_URL: url, PARTNER_KEY: api_key, WEBHOOK_SECRET: SECRET };
}, 120_000);

afterAll(() => rm(project, { recursive: true }));

/** @returns the lines that a program of the project prints. */
async function runProgram(name: string, text: string): Promise<string[]> {
	await writeFile(join(project, name), text);
	const { stdout } = await run("node", [name], { cwd: project, env: env as NodeJS.ProcessEnv });
	return stdout.trim().split("\n");
}

const asCommonJs = (text: string) =>
	`(async () => {\n${text.replace(/^import (\{.*?\}) from (".*");$/m, "const $1 = require($2);")}\n})();`;

test("the README's calls lead from a code to a certificate, as ES module and as CommonJS", async () => {
	const program = examples[0]!;
	for (const [name, text] of [
		["calls.mjs", program],
		["calls.cjs", asCommonJs(program)],
	] as const)
		expect(await runProgram(name, text)).toEqual(["VALIDATED", expect.stringMatching(/^[\da-f]{20,40}$/i)]);
});

test("the list arrives as a file, whole; a refusal of it is an outcome", async () => {
	const text = `import { createPartnerClient } from "@partner-certificates/partner-client";
const partner = createPartnerClient({ baseUrl: process.env.SERVICE_URL, apiKey: process.env.PARTNER_KEY });
await partner.POST("/api/partner/v1/pcode/bulk", { body: { productCode: "FV00", quantity: 3 } });
const list = (query) => partner.CSV("/api/partner/v1/pcodes", { query });
const file = await list({ status: "sin_utilizar" });
const [names, ...codes] = (await new Response(file.body).text()).trim().split("\\r\\n");
console.log(file.status, names.split(",")[0], codes.length);
const refused = await list({ page: 1 });
console.log(refused.status, refused.body.details[0].field);
`;
	expect(await runProgram("csv.mjs", text)).toEqual(["200 pcode 3", "400 page"]);
});

test("the README's webhook takes what we sign and refuses what we do not", async () => {
	const body = JSON.stringify({ type: "certificate.emitted", data: { serialNumber: "ab12" } });
	const at = new Date();
	const headers = {
		"webhook-id": "id-1",
		"webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
		"webhook-signature": new Webhook(SECRET).sign("id-1", at, body),
	};
	const post = (sent: string) =>
		`receive(new Request("https://partner.example/hook", { method: "POST", headers: ${JSON.stringify(headers)}, body: ${JSON.stringify(sent)} })).then(({ status }) => console.log(status))`;
	const text = `${examples[1]}\nawait ${post(body)};\nawait ${post(`${body} `)};\n`;
	expect(await runProgram("hook.mjs", text)).toEqual(["ab12", "204", "400"]);
});

test("its types tell the outcomes apart, for ES modules, CommonJS, the README and the widget's page", async () => {
	const types = `import { createPartnerClient, dataOf, type Outcome } from "@partner-certificates/partner-client";
import type { OnboardingEvent } from "@partner-certificates/partner-client/widget";
const client = createPartnerClient({ baseUrl: "https://service.example", apiKey: "key" });
export async function use(outcome: Outcome<"/api/partners/v1/certificate_claim", "post">, event: OnboardingEvent) {
	if (event.type === "onboarding.failed") return event.code;
	if (outcome.status === 200) return outcome.body.data.certificate;
	if (outcome.status === 202) return String(outcome.retryAfter);
	const list = dataOf(await client.GET("/api/partner/v1/pcodes"));
	return list.pcodes.length + outcome.body.error;
}
export async function save(): Promise<ReadableStream<Uint8Array> | string> {
	const file = await client.CSV("/api/partner/v1/pcodes", { query: { status: "emitido" } });
	return file.status === 200 ? file.body : file.body.message;
}
// @ts-expect-error: this answer has no data
export const wrong = (outcome: Outcome<"/api/partners/v1/certificate_claim", "post">) => outcome.body.data;
// @ts-expect-error: the body is missing
void client.POST("/api/partners/v1/certificate_claim");
// @ts-expect-error: no file
void client.CSV("/api/partner/v1/keys");
// @ts-expect-error: no such path
void client.GET("/api/partners/v1/certificate_claim");
`;
	const compilerOptions = {
		module: "nodenext",
		target: "es2022",
		lib: ["es2022", "dom"],
		types: [],
		strict: true,
		checkJs: true,
		noEmit: true,
	};
	const sources = {
		"use.mts": types,
		"use.cts": types,
		"readme-0.mjs": examples[0]!,
		"readme-1.mjs": examples[1]!.replace("export async", "/** @param {Request} request */\nexport async"),
		"node.d.ts": "declare const process: { env: Record<string, string> };",
	};
	for (const [name, text] of Object.entries(sources)) await writeFile(join(project, name), text);
	await writeFile(
		join(project, "tsconfig.json"),
		JSON.stringify({ compilerOptions, files: Object.keys(sources) }),
	);
	for (const compiler of ["node_modules/.bin/tsc", "client/node_modules/.bin/tsc"])
		expect((await run(join(ROOT, compiler), ["-p", project])).stdout).toBe("");
});

test("every call of the collection succeeds, each with what earlier ones answered; the first four lead to a certificate", async () => {
	const { partner } = await service.createPartner({ name: "Collector" });
	const all = { label: "all", scopes: ["codes", "redeem", "read", "manage"] };
	const { body } = await service.post(`/ops/v1/partners/${partner.id}/keys`, all, AS_OPS);
	const file = join(ROOT, "docs/partners/partner-api.postman_collection.json");
	const variables = { baseUrl: service.url, apiKey: body.data.api_key };
	const { stdout } = await run(join(ROOT, "tools/node_modules/.bin/newman"), [
		...["run", file, "--reporters", "cli", "--color", "off"],
		...Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
	]).catch((error: { stdout: string }) => error);
	for (const part of ["test-scripts", "assertions"])
		expect(stdout).toMatch(new RegExp(`${part}\\s*│\\s*\\d\\d\\s*│\\s*0 │`));
}, 90_000);
