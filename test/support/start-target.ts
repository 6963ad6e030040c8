import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, Response } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundleWorker } from "../../bench/bundle-worker.ts";
import { D1_BINDINGS } from "../../bench/local-db.ts";
import { applyMigrations } from "../../scripts/local-migrations.ts";

/** The service as `npm start` has it, on an empty database, on a socket of its own. */
export interface Target {
	url: string;
	host: string;
	port: number;
	opsToken: string;
	stop(): Promise<void>;
}

const root = join(import.meta.dirname, "../..");
const NAME = "partner-certificates";
/** Replaces the platform's server of files, with which the router would come between the calls and the Worker. */
const noFile = () => new Response(null, { status: 404 });

/** Starts wrangler.toml's local environment in Miniflare. Calls go to the Worker's own socket, past Miniflare's router. */
export async function startTarget(): Promise<Target> {
	const contents = await bundleWorker({});
	process.env.WRANGLER_LOG = "error";
	const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
	const { assets: _, ...options } = workerOptions;
	const opsToken = String((options.bindings as Record<string, unknown>).OPS_TOKEN);
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			workers: [
				{
					...options,
					serviceBindings: { ...(options.serviceBindings as object), ASSETS: noFile },
					name: NAME,
					modules: [{ type: "ESModule", path: "worker.mjs", contents }],
					unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
				},
			],
		} as Parameters<typeof convertV4MiniflareOptions>[0]),
	);
	await miniflare.ready;
	const { hostname, port } = await miniflare.unsafeGetDirectURL(NAME);
	await applyMigrations(miniflare, D1_BINDINGS);
	return {
		url: `http://${hostname}:${port}`,
		host: hostname,
		port: Number(port),
		opsToken,
		stop: () => miniflare.dispose(),
	};
}
