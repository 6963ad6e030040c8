import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./check-environment.ts";
import type { Cloudflare } from "./share-out.ts";
import { smokeTest } from "./smoke-test.ts";

const root = join(import.meta.dirname, "..", "..");

/** Runs a tool of the project in its folder, its output shown. @throws when it fails. */
export function run(
	command: string,
	args: readonly string[],
	env: Record<string, string> = {},
): Promise<void> {
	return start(command, args, env, "inherit").then(() => undefined);
}

/** The same with its standard output handed back. */
function ask(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
	return start(command, args, env, "pipe");
}

function start(
	command: string,
	args: readonly string[],
	env: Record<string, string>,
	stdout: "inherit" | "pipe",
) {
	return new Promise<string>((resolve, reject) => {
		const child = spawn(command, args, {
			cwd: root,
			env: { ...process.env, ...env },
			stdio: ["ignore", stdout, "inherit"],
			shell: process.platform === "win32",
		});
		let output = "";
		child.stdout?.on("data", (chunk) => (output += chunk));
		child.on("error", reject);
		child.on("close", (code) =>
			code === 0
				? resolve(output)
				: reject(new Error(`${command} ${args.slice(0, 3).join(" ")} ended with ${code}`)),
		);
	});
}

interface Account {
	environment: Environment;
	worker: string;
	url: string;
	/** Given to wrangler with the upload; its path only. */
	secretsFile: string | undefined;
	tag: string | undefined;
}

/** Cloudflare as wrangler reaches it. */
export function reachCloudflare({ environment, worker, url, secretsFile, tag }: Account): Cloudflare {
	const env = ["--env", environment];
	const upload = [
		...env,
		...(secretsFile ? ["--secrets-file", secretsFile] : []),
		...(tag ? ["--tag", tag] : []),
	];
	return {
		async currentVersion() {
			const text = await ask("wrangler", ["deployments", "status", ...env, "--json"]).catch(() => null);
			if (text === null) return null;
			const { versions } = JSON.parse(text) as { versions: { version_id: string; percentage: number }[] };
			return versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id ?? null;
		},
		upload: () => uploadedVersion(["versions", "upload", ...upload]),
		deploy: (shares) =>
			run("wrangler", [
				"versions",
				"deploy",
				...shares.map(([id, percent]) => `${id}@${percent}%`),
				"--yes",
				...env,
			]),
		deployTriggers: () => run("wrangler", ["triggers", "deploy", ...env]),
		deployAtOnce: () => uploadedVersion(["deploy", ...upload]),
		smokeTest: (id) =>
			smokeTest({
				url,
				version: { worker, id },
				opsToken: process.env.SMOKE_OPS_TOKEN,
				apiKey: process.env.SMOKE_API_KEY,
			}),
	};
}

/** Wrangler writes what it did, line by line of JSON, to a file of one's choice. */
async function uploadedVersion(args: readonly string[]): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "deploy-"));
	const file = join(folder, "wrangler.ndjson");
	try {
		await run("wrangler", args, { WRANGLER_OUTPUT_FILE_PATH: file });
		const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
		const id = lines.map((line) => (JSON.parse(line) as { version_id?: string }).version_id).find(Boolean);
		if (!id) throw new Error("wrangler did not report the version's id");
		return id;
	} finally {
		await rm(folder, { recursive: true });
	}
}
