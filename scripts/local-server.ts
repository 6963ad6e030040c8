import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";

/* `wrangler dev` with its migrations applied, and the demo partner that newcomers call it with. */

const root = join(import.meta.dirname, "..");
const READY_WITHIN_MS = 60_000;
const POLL_MS = 200;

export interface LocalServer {
	url: string;
	apiKey: string;
	opsToken: string;
	process: ChildProcess;
}

/**
 * Starts the service on a port and waits until it is ready.
 * @param state - folder of its databases, relative to the project.
 * @param output - what becomes of its log.
 */
export async function startServer(
	port: number,
	state: string,
	output: "inherit" | "ignore" = "inherit",
): Promise<LocalServer> {
	await run("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state]);
	const args = [
		"dev",
		"--port",
		String(port),
		"--persist-to",
		state,
		"--show-interactive-dev-session=false",
		"--log-level=warn",
	];
	const child = spawn("wrangler", args, {
		cwd: root,
		env: { ...process.env, CI: "1" },
		stdio: ["ignore", output, output],
	});
	const url = `http://localhost:${port}`;
	await untilReady(url, child);
	const opsToken = parseEnv(await readFile(join(root, ".dev.vars"), "utf8")).OPS_TOKEN ?? "";
	return { url, opsToken, process: child, apiKey: await demoKey(url, opsToken, state) };
}

/** The demo partner's key: made through ops once, kept beside the databases it is valid in. */
async function demoKey(url: string, opsToken: string, state: string): Promise<string> {
	const file = join(root, state, "demo-partner.json");
	const known = await readFile(file, "utf8").then(
		(text) => JSON.parse(text).api_key as string,
		() => null,
	);
	if (known && (await fetch(`${url}/api/partner/v1/pcodes?limit=1`, { headers: { "x-gw": known } })).ok)
		return known;
	const response = await fetch(`${url}/ops/v1/partners`, {
		method: "POST",
		headers: { authorization: `Bearer ${opsToken}`, "content-type": "application/json" },
		body: JSON.stringify({ name: "Demo Partner" }),
	});
	if (!response.ok)
		throw new Error(`ops refused to make the demo partner: ${response.status} ${await response.text()}`);
	const { data } = (await response.json()) as { data: { api_key: string } };
	await mkdir(join(root, state), { recursive: true });
	await writeFile(file, JSON.stringify({ api_key: data.api_key }), { mode: 0o600 });
	return data.api_key;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (Date.now() < deadline) {
		if (child.exitCode !== null) throw new Error(`wrangler dev ended with ${child.exitCode}`);
		const answer = await fetch(`${url}/readyz`).catch(() => null);
		if (answer?.ok) return;
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
	throw new Error(`${url}/readyz did not become ready`);
}

/** Quiet unless it fails. */
function run(command: string, args: readonly string[]): Promise<void> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: root,
			env: { ...process.env, CI: "1" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		child.stdout.on("data", (chunk) => (output += chunk));
		child.stderr.on("data", (chunk) => (output += chunk));
		child.on("error", reject);
		child.on("close", (code) =>
			code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")}\n${output}`)),
		);
	});
}
