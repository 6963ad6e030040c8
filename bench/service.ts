import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundleWorker } from "./bundle-worker.ts";
import { HttpClient } from "./http.ts";
import { applyMigrations, LIFTED_LIMITS } from "./local-db.ts";
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

let bundle: Promise<string> | undefined;

/**
 * Starts wrangler.toml's local environment with `bench/worker/worker.ts` in Miniflare. Calls go to the Worker's own socket,
 * past Miniflare's router. The approximate rate limits are lifted, everything else is as in `npm start`.
 */
export async function startService(): Promise<BenchService> {
	bundle ??= bundleWorker({ entry: "bench/worker/worker.ts" });
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
					ratelimits: LIFTED_LIMITS,
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
