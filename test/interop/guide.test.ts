import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { PAGES, readPage } from "../../scripts/guide/pages.ts";
import { type Snippet, snippetsOf } from "../../scripts/guide/snippets.ts";
import { freePort } from "../support/free-port.ts";
import { SECRETS } from "../support/local-authority.ts";
import { AS_OPS, ROOT } from "../support/local-service.ts";
import "./client-package.ts";
import "./examples.ts";
import "./ops-command-line.ts";
import { installClient } from "./install-client.ts";
import { service } from "./partner-service.ts";
import { testWith } from "./tool-test.ts";

/*
 * The commands of the project's README and of the guide, as a new partner pastes them: page after page in one folder with one demo
 * partner, against the service behind a real URL. The Spanish pages are run; the English commands are the same (test/system/guide.test.ts).
 * With them, on the same service, the examples, the client package, the Postman collection and `npm run ops`.
 */

const run = promisify(execFile);
let folder: string;
let ports: { receiver: number; shop: number };
let env: Record<string, string>;

/**
 * `npm start` and `npm install` are done; `npm run listen` speaks to this service. So does openssl, since certificates name the
 * address of `npm start`.
 */
const PREAMBLE = `
npm() { [ "\${2-}" != listen ] || exec node "$ROOT/scripts/listen.ts" "\${@:4}" --url "$URL"; }
openssl() { command openssl "\${@/#http:\\/\\/localhost:8787/$URL}"; }
`;

beforeAll(async () => {
	await mkdir(join(ROOT, ".wrangler"), { recursive: true });
	// Within the project, whose libraries a reader installs.
	folder = await mkdtemp(join(ROOT, ".wrangler", "guide-"));
	await installClient(folder);
	ports = { receiver: await freePort(), shop: await freePort() };
	const { api_key, partner } = await service.createPartner({ name: "Tienda Andes" });
	const desk = { label: "desk", scopes: ["codes", "redeem", "manage"] };
	const { body } = await service.post(`/ops/v1/partners/${partner.id}/keys`, desk, AS_OPS);
	const { url } = service;
	env = { URL: url, KEY: api_key, MANAGE_KEY: body.data.api_key, ROOT, OPS_TOKEN: SECRETS.OPS_TOKEN! };
});
afterAll(async () => {
	await run("bash", ["-c", "kill $(cat pids) || true"], { cwd: folder });
	await rm(folder, { recursive: true });
});

describe("the guide", () => {
	runCommandsOf("the project's README", () => readFile(join(ROOT, "README.md"), "utf8"));
	for (const name of PAGES) {
		runCommandsOf(name, async () => (await readPage("es", name)).markdown);
	}

	testWith("openssl", "b2b: the delivery that was repaired arrives, verified by the receiver", async () => {
		const events = () => readFileSync(join(folder, "events.jsonl"), "utf8");
		await expect.poll(events).toMatch(/"certificate\.emitted".*"orden-4"/);
	});
});

const snippetsToRun = (markdown: string) =>
	snippetsOf(markdown).filter(({ language }) => language !== "mermaid" && language !== "text");

function runCommandsOf(name: string, read: () => Promise<string>): void {
	testWith("openssl", `${name}: every command runs, every answer has the shape that is shown`, async () => {
		const snippets = snippetsToRun(await read());
		const outputs = await runInShell(snippets);
		snippets.forEach(({ language, text }, index) => {
			if (language !== "json") return;
			const answer = outputs[index - 1]!.trim().split("\n").at(-1)!;
			expect(shapeOf(JSON.parse(answer))).toEqual(shapeOf(JSON.parse(text)));
		});
	});
}

/** @returns what each snippet printed. */
async function runInShell(snippets: readonly Snippet[]): Promise<string[]> {
	const parts: string[] = [];
	for (const { language, caption, text: shown } of snippets) {
		expect(["sh", "json", "js"]).toContain(language);
		const text = withPorts(shown).replaceAll(/^export \w+=.*$/gm, "");
		if (language === "js") await writeFile(join(folder, caption), text);
		if (language !== "sh") parts.push("");
		else if (caption === "") parts.push(text);
		else parts.push(inBackground(text));
	}
	const script = PREAMBLE + parts.map((part) => `${part}\nprintf '\\036'\n`).join("");
	const options = { cwd: folder, env: { ...process.env, ...env } };
	const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], options);
	return stdout.split("\u001e");
}

/** Runs a command of another terminal in the background; a reader sees when it listens. */
function inBackground(command: string): string {
	if (command.startsWith("npm run listen"))
		return `${command.trim()} > listen.log 2>&1 &
echo $! >> pids
until grep -q ^Listening listen.log; do sleep 0.1; done`;
	const [, file] = /^node (\S+)$/m.exec(command)!;
	const [, port] = /listen\((\d+)/.exec(readFileSync(join(folder, file!), "utf8"))!;
	return `${command} > /dev/null 2>&1 &
echo $! >> pids
until curl -s -o /dev/null "http://127.0.0.1:${port}/ready"; do sleep 0.1; done`;
}

/** The guide's own ports may be taken here. */
function withPorts(text: string): string {
	return text.replaceAll(/[34]000/g, (port) => String(port === "3000" ? ports.receiver : ports.shop));
}

/** Names and types. */
function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(shapeOf).slice(0, 1);
	if (value === null || typeof value !== "object") return typeof value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
