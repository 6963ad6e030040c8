import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseEnv } from "node:util";
import { createPartnerClient } from "../client/index.ts";
import { dataOf } from "./data-of.ts";
import { digestFiles } from "./digest-files.ts";
import { discardOutdatedState } from "./discard-outdated-state.ts";
import { localUrl } from "./local-port.ts";
import { createOpsClient } from "./ops-client.ts";
import { writeChanged } from "./write-changed.ts";

/* `wrangler dev` with its migrations applied, and the demo partner that newcomers call it with. */

const root = join(import.meta.dirname, "..");
/** Folder of the databases of `npm start`, relative to the project. */
export const LOCAL_STATE = ".wrangler/state";
const ANSWERS_WITHIN_MS = 60_000;
const POLL_MS = 200;

export interface LocalServerOptions {
	port: number;
	/** Folder of its databases, relative to the project. */
	state: string;
	/** Path of the file of secrets that stands in for .dev.vars. */
	settings?: string;
	/** Destination of its log. */
	output?: "inherit" | "ignore";
	/** Ends the server, and the start of one that does not answer yet. */
	signal?: AbortSignal;
}

export interface LocalServer {
	url: string;
	/** The demo partner's keys: for its integration, and for its desk. */
	apiKey: string;
	manageKey: string;
	opsToken: string;
	/** The exit code of wrangler, 0 when a signal ended it. */
	ended: Promise<number>;
	/** Resolves when wrangler and all that it started have ended. */
	stop(): Promise<void>;
}

/** Starts the service on a port, its addresses on that port too, and waits until it answers. */
export async function startServer({
	port,
	state,
	settings,
	output = "inherit",
	signal,
}: LocalServerOptions): Promise<LocalServer> {
	if (await discardOutdatedState(join(root, state), join(root, "migrations")))
		console.log(`The databases in ${state} were made by other migrations than today's: they are made anew.`);
	await applyMigrations(state, signal);
	const url = localUrl(port);
	const args = ["dev", "--port", String(port), "--inspector-port", "0", "--persist-to", state];
	if (settings) args.push("--env-file", settings);
	const addresses = {
		PUBLIC_URL: url,
		PKI_URL: `${url}/pki`,
		CPS_URL: `${url}/cps/`,
		TERMS_URL: `${url}/docs/terms/`,
		SINGLE_SIGN_ON_BROWSER_URL: `${url}/sandbox`,
		PRIVACY_URL: `${url}/docs/privacy/`,
	};
	const vars = Object.entries(addresses).flatMap(([name, address]) => ["--var", `${name}:${address}`]);
	const quiet = ["--show-interactive-dev-session=false", "--log-level=warn"];
	const child = spawnWrangler([...args, ...vars, ...quiet], ["ignore", output, output], signal);
	const ended = once(child, "exit").then(([code]) => (code as number | null) ?? 0);
	const stop = async () => {
		child.kill("SIGTERM");
		await ended;
	};
	try {
		await untilAnswering(url, child, signal);
		const opsToken = parseEnv(await readFile(join(root, ".dev.vars"), "utf8")).OPS_TOKEN ?? "";
		return { url, opsToken, ...(await demoKeys(url, opsToken, state)), ended, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

type DemoKeys = Pick<LocalServer, "apiKey" | "manageKey">;

/** The demo partner's keys: created through ops once, kept next to the databases they are valid in. */
async function demoKeys(url: string, opsToken: string, state: string): Promise<DemoKeys> {
	const known = await savedDemoKeys(state);
	if (known && (await isAccepted(url, known.apiKey)) && (await isAccepted(url, known.manageKey)))
		return known;
	const ops = createOpsClient({ baseUrl: url, token: opsToken });
	const created = dataOf(await ops.POST("/ops/v1/partners", { body: { name: "Demo Partner" } }));
	const added = await ops.POST("/ops/v1/partners/{id}/keys", {
		params: { path: { id: created.partner.id } },
		body: { label: "desk", scopes: ["codes", "redeem", "manage"] },
	});
	const keys = { apiKey: created.api_key, manageKey: dataOf(added).api_key };
	await mkdir(join(root, state), { recursive: true });
	await writeFile(demoKeysFile(state), JSON.stringify(keys), { mode: 0o600 });
	return keys;
}

async function isAccepted(url: string, apiKey: string): Promise<boolean> {
	const client = createPartnerClient({ baseUrl: url, apiKey });
	return (await client.GET("/api/partner/v1/pcodes", { query: { limit: 1 } })).status === 200;
}

/** @returns the keys that the last start in this state folder saved, or null. */
export async function savedDemoKeys(state: string): Promise<DemoKeys | null> {
	const text = await readFile(demoKeysFile(state), "utf8").catch(() => null);
	const saved: Partial<DemoKeys> = text === null ? {} : JSON.parse(text);
	return saved.apiKey && saved.manageKey ? (saved as DemoKeys) : null;
}

function demoKeysFile(state: string): string {
	return join(root, state, "demo-partner.json");
}

async function untilAnswering(url: string, child: ChildProcess, signal?: AbortSignal): Promise<void> {
	const deadline = Date.now() + ANSWERS_WITHIN_MS;
	while (Date.now() < deadline) {
		signal?.throwIfAborted();
		if (child.exitCode !== null) throw new Error(`wrangler dev ended with ${child.exitCode}`);
		const answer = await fetch(`${url}/healthz`).catch(() => null);
		if (answer?.ok) return;
		await wait(POLL_MS);
	}
	throw new Error(`${url}/healthz did not answer within ${ANSWERS_WITHIN_MS / 1000} s`);
}

/** Applies what was not applied in this folder yet: to ask the databases takes 2 s. */
async function applyMigrations(state: string, signal?: AbortSignal): Promise<void> {
	// Lies beside the databases: whoever deletes them deletes it.
	const stamp = join(root, state, "v3/d1/applied.txt");
	const today = await digestFiles(root, ["migrations/*.sql", "wrangler.toml", "package-lock.json"]);
	if ((await readFile(stamp, "utf8").catch(() => "")) === today) return;
	// Wrangler takes a second to load, and a command that starts nothing has no need of it.
	const { migrateFolder } = await import("./local-migrations.ts");
	await migrateFolder(join(root, state));
	signal?.throwIfAborted();
	await writeChanged(stamp, today);
}

function spawnWrangler(
	args: readonly string[],
	stdio: ["ignore", "inherit" | "ignore", "inherit" | "ignore"],
	signal: AbortSignal | undefined,
): ChildProcess {
	const child = spawn("wrangler", args, { cwd: root, env: { ...process.env, CI: "1" }, stdio });
	const end = () => void child.kill("SIGTERM");
	if (signal?.aborted) end();
	signal?.addEventListener("abort", end, { once: true });
	child.once("exit", () => signal?.removeEventListener("abort", end));
	return child;
}
