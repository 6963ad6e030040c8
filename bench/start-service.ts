import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { bundleWorker } from "./bundle-worker.ts";
import { HttpClient } from "./http-client.ts";
import { findWorkerd } from "./workerd-process.ts";

/** The service and the base lines in one workerd, on an empty register in a temporary folder. */
export interface BenchService {
	client: HttpClient;
	url: URL;
	db: D1Database;
	opsToken: string;
	/** Process id of its workerd, or null where /proc does not tell. */
	workerd: string | null;
	stop(): Promise<void>;
}

const root = join(import.meta.dirname, "..");
const MANY_CALLS = 1_000_000_000;

let bundle: Promise<string> | undefined;

/**
 * Starts wrangler.toml's local environment with `bench/worker.ts` in Miniflare. Calls go to the Worker's own socket,
 * past Miniflare's router. The approximate rate limits are lifted, everything else is as in `npm start`.
 */
export async function startService(): Promise<BenchService> {
	bundle ??= bundleWorker({ entry: "bench/worker.ts" });
	const script = await bundle;
	process.env.WRANGLER_LOG = "error";
	const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
	const { assets: _, ...options } = workerOptions;
	const name = "partner-certificates";
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			handleStructuredLogs: () => undefined,
			workers: [
				{
					...options,
					name,
					modules: [{ type: "ESModule", path: "worker.mjs", contents: script }],
					ratelimits: { BULK_RATE: unlimited("1001"), CALL_RATE: unlimited("1002") },
					unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
				},
			],
		} as Parameters<typeof convertV4MiniflareOptions>[0]),
	);
	await miniflare.ready;
	const url = await miniflare.unsafeGetDirectURL(name);
	const db = (await miniflare.getD1Database("DB")) as unknown as D1Database;
	await applyMigrations(db);
	const client = new HttpClient(url, 8);
	return {
		client,
		url,
		db,
		workerd: await findWorkerd(),
		opsToken: String(options.bindings?.["OPS_TOKEN" as never] ?? ""),
		stop: async () => {
			client.close();
			await miniflare.dispose();
		},
	};
}

function unlimited(namespace_id: string) {
	return { namespace_id, simple: { limit: MANY_CALLS, period: 60 as const } };
}

async function applyMigrations(db: D1Database): Promise<void> {
	const folder = join(root, "migrations");
	for (const file of (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort()) {
		const statements = unstable_splitSqlQuery(await readFile(join(folder, file), "utf8"));
		await db.batch(statements.map((statement) => db.prepare(statement)));
	}
}
