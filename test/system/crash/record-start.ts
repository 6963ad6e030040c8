import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { D1_BINDINGS, LIFTED_LIMITS } from "../../../bench/local-db.ts";
import { applyMigrations } from "../../../scripts/local-migrations.ts";

const root = join(import.meta.dirname, "../../..");
const NAME = "partner-certificates";
const OBJECTS = "objects";
/** Databases beside those of wrangler.toml. Each has its name as its id. */
const MORE_DATABASES = ["DB_3", "DB_4"];
/** Settings that another place of the issuing key does without. */
const KEY_SETTINGS = ["ISSUING_KEY", "OCSP_KEY", "OCSP_CERTIFICATE"];

/** Stands in for workerd while Miniflare runs: keeps its arguments and input, then runs workerd. */
const RECORDER = `#!/bin/sh
cat >"$CRASH_FOLDER/config"
printf '%s\\n' "$@" >"$CRASH_FOLDER/arguments"
exec "$CRASH_WORKERD" "$@" <"$CRASH_FOLDER/config"
`;

interface FirstStart {
	folder: string;
	workerd: string;
	contents: string;
	/** Bundled Worker of another version, whose objects are used. */
	objects?: string;
	/** The state's databases have their tables. */
	isMigrated: boolean;
	settings: string;
	state: string;
	/** Folder for those that Miniflare makes: one per service, as two cannot share their contents. */
	temporary: string;
	/** Stand in for the secrets of .dev.vars. */
	secrets?: Record<string, string>;
}

/** Lets Miniflare start the service once. @returns the token that opens `/ops/v1`. */
export async function recordStart({
	folder,
	workerd,
	contents,
	objects,
	isMigrated,
	settings,
	state,
	temporary,
	secrets,
}: FirstStart): Promise<string> {
	const recorder = join(folder, "recorder");
	await writeFile(recorder, RECORDER);
	await chmod(recorder, 0o755);
	const restore = setEnvironment({
		TMPDIR: temporary,
		WRANGLER_LOG: "error",
		MINIFLARE_WORKERD_PATH: recorder,
		CRASH_WORKERD: workerd,
		CRASH_FOLDER: folder,
	});
	try {
		const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, "wrangler.toml"));
		// Without the copies of sent e-mails: those are the receivers' mail, with the PFX in the clear.
		const { assets: _, email: __, kvNamespaces: ___, ...options } = workerOptions;
		const bindings = { ...((options.bindings ?? {}) as Record<string, unknown>), ...secrets };
		for (const name of secrets ? KEY_SETTINGS.filter((one) => !(one in secrets)) : []) delete bindings[name];
		const worker = (name: string, script: string) => ({
			...options,
			d1Databases: {
				...(options.d1Databases as Record<string, string>),
				...Object.fromEntries(MORE_DATABASES.map((one) => [one, one])),
			},
			bindings: { ...bindings, PROOF_SETTINGS: settings },
			name,
			modules: [{ type: "ESModule", path: "worker.mjs", contents: script }],
			ratelimits: LIFTED_LIMITS,
			unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
		});
		const own = worker(NAME, contents);
		const durableObjects = objectsIn(options.durableObjects as Record<string, object | string>, OBJECTS);
		// Either version's objects are found under the same name, so that they have the same state on disk.
		const { queueConsumers: _____, ...other } = worker(OBJECTS, objects ?? "") as ReturnType<
			typeof worker
		> & { queueConsumers?: unknown };
		const miniflare = new Miniflare(
			convertV4MiniflareOptions({
				resourcePersistencePath: state,
				handleStructuredLogs: () => undefined,
				workers:
					objects === undefined
						? [own]
						: [
								{ ...own, durableObjects },
								{ ...other, durableObjects },
							],
			} as Parameters<typeof convertV4MiniflareOptions>[0]),
		);
		const kept = await findFolders(miniflare, temporary, isMigrated).finally(() => miniflare.dispose());
		// Folders of Miniflare's own, which it takes along and the configuration still names.
		for (const path of kept) await mkdir(path, { recursive: true });
		return String(bindings.OPS_TOKEN);
	} finally {
		restore();
	}
}

/** The objects' classes, in another Worker. */
function objectsIn(own: Record<string, object | string>, scriptName: string): object {
	const moved = Object.entries(own).map(([name, object]) => {
		const { className } =
			typeof object === "string" ? { className: object } : (object as { className: string });
		return [name, { className, scriptName, useSQLite: true }];
	});
	return Object.fromEntries(moved);
}

/** @returns the folders that Miniflare has made next to the state. @param isMigrated - not yet: applies the migrations */
async function findFolders(miniflare: Miniflare, temporary: string, isMigrated: boolean): Promise<string[]> {
	await miniflare.ready;
	if (!isMigrated) await applyMigrations(miniflare, [...D1_BINDINGS, ...MORE_DATABASES]);
	const entries = await readdir(temporary, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

/** @returns what puts it back as it was. */
function setEnvironment(variables: Record<string, string>): () => void {
	const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
	Object.assign(process.env, variables);
	return () => {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	};
}

/** The binary that Miniflare's own `workerd` package brings for this machine. */
export function findWorkerd(): string {
	const requireOfMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
	return String((requireOfMiniflare("workerd") as { default: string }).default);
}
