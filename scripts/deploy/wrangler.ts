import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./check-environment.ts";
import type { Cloudflare } from "./share-out.ts";
import { smokeTest } from "./smoke-test.ts";

const root = join(import.meta.dirname, "..", "..");

/** Held back from every child process but the wrangler calls that need the account. */
const SECRETS = ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_API_KEY", "CLOUDFLARE_EMAIL"];
const SMOKE_SECRETS = ["SMOKE_API_KEY", "SMOKE_OPS_TOKEN"];

/** Runs a tool of the project in its folder without the account's secrets, its output shown. @throws when it fails. */
export async function run(command: string, args: readonly string[]): Promise<void> {
	const { code } = await start(command, args, without([...SECRETS, ...SMOKE_SECRETS]), "inherit");
	if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(" ")} ended with ${code}`);
}

/** Runs wrangler with the account's secrets, its output shown. @throws when it fails. */
export async function runWrangler(args: readonly string[], env: Record<string, string> = {}): Promise<void> {
	const { code } = await start("wrangler", args, { ...without(SMOKE_SECRETS), ...env }, "inherit");
	if (code !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(" ")} ended with ${code}`);
}

/** Runs wrangler with the account's secrets and returns its output. @throws when it fails. */
export async function askWrangler(args: readonly string[]): Promise<string> {
	const { code, output } = await start("wrangler", args, without(SMOKE_SECRETS), "pipe");
	if (code !== 0) throw new Error(`wrangler ${args.slice(0, 4).join(" ")} ended with ${code}`);
	return output;
}

type ProcessEnv = Record<string, string | undefined>;

function without(names: readonly string[]): ProcessEnv {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
}

function start(
	command: string,
	args: readonly string[],
	env: ProcessEnv,
	stdout: "inherit" | "pipe",
): Promise<{ code: number | null; output: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: root,
			env: env as NodeJS.ProcessEnv,
			stdio: ["ignore", stdout, "inherit"],
			shell: process.platform === "win32",
		});
		let output = "";
		child.stdout?.on("data", (chunk) => (output += chunk));
		child.on("error", reject);
		child.on("close", (code) => resolve({ code, output }));
	});
}

interface Account {
	environment: Environment;
	worker: string;
	url: string;
	pkiUrl: string;
	/** Given to wrangler with the upload; its path only. */
	secretsFile: string | undefined;
	tag: string | undefined;
	/** Value of FROZEN: partners' writes stop (docs/operators/restore.md). Null: none. */
	frozen: string | null;
	/** Objects take the new version at once; otherwise one that is busy keeps the old one for up to 300 s. */
	objectsAtOnce: boolean;
}

/** Cloudflare as wrangler reaches it. */
export function reachCloudflare(account: Account): Cloudflare {
	const { environment, worker, url, pkiUrl, secretsFile, tag, frozen, objectsAtOnce } = account;
	const env = ["--env", environment];
	const objects = objectsAtOnce ? ["--durable-objects-code-update-mode", "immediate"] : [];
	const upload = [
		...env,
		...(secretsFile ? ["--secrets-file", secretsFile] : []),
		...(tag ? ["--tag", tag] : []),
		...(frozen === null ? [] : ["--var", `FROZEN:${frozen}`]),
	];
	return {
		currentVersion: () => currentVersion(worker, env),
		upload: () => uploadedVersion(["versions", "upload", ...upload]),
		deploy: (shares) =>
			runWrangler([
				"versions",
				"deploy",
				...shares.map(([id, percent]) => `${id}@${percent}%`),
				"--yes",
				...objects,
				...env,
			]),
		deployTriggers: () => runWrangler(["triggers", "deploy", ...env]),
		deployAtOnce: () => uploadedVersion(["deploy", ...upload, ...objects]),
		smokeTest: (id) =>
			smokeTest({
				url,
				pkiUrl,
				version: { worker, id },
				frozen: frozen !== null,
				opsToken: process.env.SMOKE_OPS_TOKEN,
				apiKey: process.env.SMOKE_API_KEY,
			}),
	};
}

/** Codes with which Cloudflare says that a Worker, or its environment, does not exist; wrangler knows the same two. */
const NO_SUCH_WORKER = [10007, 10090];

/**
 * The version with most calls; null when Cloudflare says that the Worker does not exist.
 * @throws when the call fails in any other way: there may well be a version.
 */
async function currentVersion(worker: string, env: readonly string[]): Promise<string | null> {
	const { code, output, report } = await reportOf(["deployments", "status", ...env, "--json"], "pipe");
	if (code === 0) {
		const { versions } = JSON.parse(output) as { versions: { version_id: string; percentage: number }[] };
		const [most] = versions.toSorted((a, b) => b.percentage - a.percentage);
		if (most) return most.version_id;
	}
	const failure = report.find(({ type }) => type === "command-failed");
	const call = `/workers/scripts/${worker}/deployments`;
	if (failure?.message?.includes(call) && NO_SUCH_WORKER.includes(failure.code ?? 0)) return null;
	throw new Error(
		`Which version of ${worker} runs is not known: ${failure?.message ?? "wrangler named none"}\n` +
			"Try again. Only if it was never deployed: --first gives the new version all calls at once.",
	);
}

async function uploadedVersion(args: readonly string[]): Promise<string> {
	const { code, report } = await reportOf(args, "inherit");
	if (code !== 0) throw new Error(`wrangler ${args.slice(0, 2).join(" ")} ended with ${code}`);
	const id = report.map(({ version_id }) => version_id).find(Boolean);
	if (!id) throw new Error("wrangler did not report the version's id");
	return id;
}

/** A line of what wrangler reports of itself. */
interface ReportLine {
	type: string;
	version_id?: string;
	/** Code of Cloudflare's refusal. */
	code?: number;
	message?: string;
}

/** Wrangler writes what it did, line by line of JSON, to a file of one's choice. */
async function reportOf(args: readonly string[], stdout: "inherit" | "pipe") {
	const folder = await mkdtemp(join(tmpdir(), "deploy-"));
	const file = join(folder, "wrangler.ndjson");
	try {
		const env = { ...without(SMOKE_SECRETS), WRANGLER_OUTPUT_FILE_PATH: file };
		const ended = await start("wrangler", args, env, stdout);
		const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
		return { ...ended, report: lines.map((line) => JSON.parse(line) as ReportLine) };
	} finally {
		await rm(folder, { recursive: true });
	}
}
