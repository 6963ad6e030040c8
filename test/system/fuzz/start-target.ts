import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, Response } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundleWorker } from "../../../bench/bundle-worker.ts";
import { applyMigrations, LIFTED_LIMITS } from "../../../bench/local-db.ts";
import { roleSettings } from "./role-tokens.ts";

/** The service as `npm start` has it, on an empty database, on a socket of its own. */
export interface Target {
	host: string;
	port: number;
	db: D1Database;
	opsToken: string;
	/** Values that no answer and no log line may ever hold. */
	secrets: string[];
	/** Every line that the service has logged so far. */
	logs: string[];
	stop(): Promise<void>;
}

const root = join(import.meta.dirname, "../../..");
const NAME = "partner-certificates";
const SECRETS = [
	"SEALING_KEYS",
	"INDEX_KEY",
	"PIN_PEPPER",
	"AUDIT_KEY",
	"OPS_TOKEN",
	"ISSUING_KEY",
	"OCSP_KEY",
	"CIVIL_REGISTRY_TOKEN",
];

let bundle: Promise<string> | undefined;

/** Replaces the platform's server of files, with which the router would come between the calls and the Worker. */
const noFile = () => new Response(null, { status: 404 });

/**
 * Starts wrangler.toml's local environment in Miniflare. Calls go to the Worker's own socket, past Miniflare's router.
 * @param limited - with the approximate rate limits of wrangler.toml; otherwise they are lifted.
 */
export async function startTarget({ limited }: { limited: boolean }): Promise<Target> {
	bundle ??= bundleWorker({ entry: "test/system/fuzz/worker.ts" });
	const contents = await bundle;
	process.env.WRANGLER_LOG = "error";
	const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
	const { assets: _, ...options } = workerOptions;
	const settings = new Map(Object.entries(options.bindings ?? {}));
	const opsToken = String(settings.get("OPS_TOKEN"));
	const logs: string[] = [];
	const miniflare = new Miniflare(
		convertV4MiniflareOptions({
			handleStructuredLogs: ({ message }: { message: string }) => void logs.push(message),
			workers: [
				{
					...options,
					serviceBindings: { ...(options.serviceBindings as object), ASSETS: noFile },
					bindings: Object.assign({}, options.bindings, roleSettings(opsToken)),
					name: NAME,
					modules: [{ type: "ESModule", path: "worker.mjs", contents }],
					unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
					...(!limited && { ratelimits: LIFTED_LIMITS }),
				},
			],
		} as Parameters<typeof convertV4MiniflareOptions>[0]),
	);
	await miniflare.ready;
	const { hostname, port } = await miniflare.unsafeGetDirectURL(NAME);
	const db = (await miniflare.getD1Database("DB")) as unknown as D1Database;
	await applyMigrations(db);
	return {
		host: hostname,
		port: Number(port),
		db,
		opsToken,
		secrets: SECRETS.flatMap((name) => secretParts(settings.get(name))),
		logs,
		stop: () => miniflare.dispose(),
	};
}

/** A setting's value, and the keys in it: `id:base64[,id:base64…]`. */
function secretParts(value: unknown): string[] {
	return typeof value === "string" ? [value, ...value.split(/[:,]/)].filter((part) => part.length >= 16) : [];
}
