import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { applyMigrations } from "../scripts/local-migrations.ts";
import { createOpsClient, type OpsClient } from "../scripts/ops-client.ts";
import { bundleWorker } from "./bundle-worker.ts";
import { HttpClient } from "./http.ts";
import { D1_BINDINGS, LIFTED_LIMITS } from "./local-db.ts";
import { findWorkerd } from "./machine.ts";

/** The service and the base lines in one workerd, on an empty database in a temporary folder. */
export interface BenchService {
	http: HttpClient;
	ops: OpsClient;
	url: URL;
	db: D1Database;
	/** Process id of its workerd, or null without /proc. */
	workerd: string | null;
	stop(): Promise<void>;
}

const root = join(import.meta.dirname, "..");

let bundle: Promise<string> | undefined;

/**
 * Starts wrangler.toml's local environment with `bench/worker/worker.ts` in Miniflare. Calls go to the Worker's own
 * socket, past Miniflare's router; with assets they go through it, as the assets do. The approximate rate limits are lifted, everything else is as in `npm start`.
 * @param options - `registryUrl`: a registry to ask in place of the sandbox; `settings`: in place of the local ones;
 * `databases`: how many of those of wrangler.toml are bound; `folder`: where the state is, in place of a temporary one
 */
export async function startService({
	withAssets = false,
	registryUrl = null,
	settings = {},
	databases = D1_BINDINGS.length,
	folder = null,
}: {
	withAssets?: boolean;
	registryUrl?: string | null;
	settings?: Record<string, string>;
	databases?: number;
	folder?: string | null;
} = {}): Promise<BenchService> {
	bundle ??= bundleWorker({ entry: "bench/worker/worker.ts" });
	const script = await bundle;
	process.env.WRANGLER_LOG = "error";
	const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
	const { assets, ...given } = workerOptions;
	const options = { ...given, bindings: { ...(given.bindings as object), ...settings } } as typeof given;
	const bound = D1_BINDINGS.slice(0, databases);
	const d1Databases = Object.fromEntries(
		Object.entries(given.d1Databases ?? {}).filter(([binding]) => bound.includes(binding)),
	);
	const name = "partner-certificates";
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			handleStructuredLogs: () => undefined,
			...(folder !== null && { resourcePersistencePath: folder }),
			workers: [
				{
					...options,
					d1Databases,
					...(registryUrl !== null && askAt(registryUrl, options as unknown as SandboxBindings)),
					...(withAssets && { assets: servedFirst(assets) }),
					name,
					modules: [{ type: "ESModule", path: "worker.mjs", contents: script }],
					ratelimits: LIFTED_LIMITS,
					unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
				},
			],
		} as Parameters<typeof convertV4MiniflareOptions>[0]),
	);
	const routed = await miniflare.ready;
	const url = withAssets ? routed : await miniflare.unsafeGetDirectURL(name);
	const db = await applyMigrations(miniflare, bound);
	const http = new HttpClient(url, 8);
	const token = String(options.bindings?.["OPS_TOKEN" as never] ?? "");
	return {
		http,
		ops: createOpsClient({ baseUrl: url.origin, token, fetch: http.fetch }),
		url,
		db,
		workerd: await findWorkerd(),
		stop: async () => {
			await http.close();
			await miniflare.dispose();
		},
	};
}

interface SandboxBindings {
	serviceBindings: Record<string, unknown>;
	bindings: Record<string, unknown>;
}

/** Bindings of a Worker that asks the registry at an address and not the sandbox. */
function askAt(CIVIL_REGISTRY_URL: string, options: SandboxBindings) {
	const { CIVIL_REGISTRY, ...serviceBindings } = options.serviceBindings;
	return { serviceBindings, bindings: { ...options.bindings, CIVIL_REGISTRY_URL } };
}

/** The platform serves the files itself, before the Worker: what our own answers are measured against. */
function servedFirst<Assets>(assets: Assets): Assets {
	const { routerConfig, ...rest } = assets as { routerConfig?: object };
	return {
		...rest,
		routerConfig: { ...routerConfig, invoke_user_worker_ahead_of_assets: false },
	} as Assets;
}
