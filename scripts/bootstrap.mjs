// Entry of every npm script. Plain JavaScript for whatever Node the host has: it installs the dependencies, Node 22
// among them (npm package "node"), and hands over to it.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const bin = join(root, "node_modules", ".bin");
const [task = "", ...rest] = process.argv.slice(2);

/** What each npm script runs, in order; the first that fails ends it. */
const TASKS = {
	start: [
		["node", "scripts/prepare-local.ts"],
		["node", "scripts/start.ts", ...rest],
	],
	test: [
		["node", "scripts/prepare-local.ts"],
		["vitest", "run", ...rest],
	],
	demo: [
		["node", "scripts/prepare-local.ts"],
		["node", "scripts/demo.ts", ...rest],
	],
	bench: [
		["node", "scripts/prepare-local.ts"],
		["node", "bench/run.ts", ...rest],
	],
	proof: [
		["node", "scripts/prepare-local.ts"],
		["node", "test/system/run.ts", ...rest],
	],
	authority: [["node", "scripts/create-authority.ts", ...rest]],
	"ocsp-responder": [["node", "scripts/create-ocsp-responder.ts", ...rest]],
	format: [["biome", "check", "--write", "."]],
	"db:generate": [["drizzle-kit", "generate", ...rest]],
	"client:generate": [["node", "scripts/generate-clients.ts"]],
	ops: [["node", "scripts/ops.ts", ...rest]],
	deploy: [
		["node", "scripts/prepare-local.ts"],
		["node", "scripts/deploy.ts", ...rest],
	],
	check: [
		["node", "scripts/prepare-local.ts"],
		["biome", "check", "--error-on-warnings"],
		["tsc", "--project", "."],
		["knip"],
		["node", "scripts/lint-migrations.ts"],
		["node", "scripts/check-requirements.ts"],
		["node", "scripts/generate-clients.ts", "--check"],
	],
};

const steps = TASKS[task];
if (!steps) fail(`usage: node scripts/bootstrap.mjs ${Object.keys(TASKS).join("|")}`);

const env = {
	...process.env,
	PATH: `${bin}${delimiter}${process.env.PATH}`,
	// wrangler: no telemetry, no banner, no look-ups outside, no traces on disk.
	WRANGLER_SEND_METRICS: "false",
	WRANGLER_HIDE_BANNER: "true",
	CLOUDFLARE_CF_FETCH_ENABLED: "false",
	X_LOCAL_OBSERVABILITY: "false",
	NODE_NO_WARNINGS: "1",
};

if (!isInstalled()) run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
for (const [command, ...args] of steps) run(command, args);

/** Installed, and not before the lockfile last changed. */
function isInstalled() {
	const marker = join(root, "node_modules", ".package-lock.json");
	if (!existsSync(marker) || !existsSync(join(bin, "node"))) return false;
	return statSync(marker).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

function run(command, args) {
	const { status, signal, error } = spawnSync(command, args, {
		cwd: root,
		env,
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	if (error) fail(`${command}: ${error.message}`);
	if (signal) process.exit(130);
	if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
	console.error(message);
	process.exit(1);
}
