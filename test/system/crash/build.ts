import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../../bench/bundle-worker.ts";
import { findWorkerd, recordStart } from "./record-start.ts";
import { LEFT_ALONE, type ProofSettings, writeSettings } from "./settings.ts";

/** Has the length of every other fixture's name: it stands in the configuration, which is not made anew. */
const FIRST_FIXTURE = "fixture-000";

/** Option of workerd for the log of Miniflare's own Workers. */
const LOOPBACK = "--external-addr=loopback=";

/** All that starts the service, made once: a life of it is workerd alone, on the configuration that Miniflare makes. */
export interface Build {
	folder: string;
	opsToken: string;
	/** Path of workerd. */
	workerd: string;
	/** Number of Workers that know the proof's routes: one, and another version's objects. */
	workers: number;
	arguments(settings: ProofSettings): string[];
	/** Configuration for workerd's standard input, by fixture and life. */
	configure(fixture: string, settings: ProofSettings): Buffer;
	/**
	 * A new fixture's folder: `state/` is what survives a crash, `tmp/` Miniflare's own, `log` all that was written.
	 * @param from - a folder of the same kind; not given: an empty service's
	 */
	createFixture(from?: string): Promise<string>;
	remove(): Promise<void>;
}

/** Bundled Workers of a life: the objects are those of the Worker that answers, or of another version. */
interface Scripts {
	worker: string;
	objects?: string;
}

interface Options {
	/** Stand in for those of .dev.vars. */
	secrets?: Record<string, string>;
	/** The lives take them in turn; not given: the present Worker's. */
	scripts?: readonly Scripts[];
}

export const ENTRY = "test/system/crash/worker.ts";

/** wrangler.toml's local environment around `test/system/crash/worker.ts`, its state persisted, migrations applied. */
export async function buildService({ secrets, scripts }: Options = {}): Promise<Build> {
	const folder = await mkdtemp(join(tmpdir(), "crash-"));
	const workerd = findWorkerd();
	const settings = writeSettings(LEFT_ALONE);
	const first = join(folder, FIRST_FIXTURE);
	const [state, temporary] = [join(first, "state"), join(first, "tmp")];
	await mkdir(state, { recursive: true });
	await mkdir(temporary);
	let opsToken = "";
	const configs: Buffer[] = [];
	for (const { worker, objects } of scripts ?? [{ worker: await bundleWorker({ entry: ENTRY }) }]) {
		opsToken = await recordStart({
			...{ folder, workerd, contents: worker, settings, state, temporary },
			...{ isMigrated: configs.length > 0, ...(objects && { objects }), ...(secrets && { secrets }) },
		});
		configs.push(await readFile(join(folder, "config")));
	}
	const text = await readFile(join(folder, "arguments"), "utf8");
	let lives = 0;
	let fixtures = 0;
	return {
		folder,
		opsToken,
		workerd,
		workers: scripts?.[0]?.objects ? 2 : 1,
		arguments: ({ hostPort }) =>
			text
				.trimEnd()
				.split("\n")
				.map((word) => (word.startsWith(LOOPBACK) ? `${LOOPBACK}127.0.0.1:${hostPort}` : word)),
		configure: (fixture, chosen) =>
			replaceAll(
				replaceAll(configs[lives++ % configs.length]!, first, fixture),
				settings,
				writeSettings(chosen),
			),
		createFixture: async (from = first) => {
			const fixture = join(folder, `fixture-${String(++fixtures).padStart(3, "0")}`);
			await cp(from, fixture, { recursive: true });
			return fixture;
		},
		remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
	};
}

/** @throws unless the text is there and its replacement as long: the configuration is binary. */
function replaceAll(config: Buffer, text: string, replacement: string): Buffer {
	const [from, to] = [Buffer.from(text), Buffer.from(replacement)];
	if (from.length !== to.length || !config.includes(from))
		throw new Error(`not in the configuration: ${text}`);
	const result = Buffer.from(config);
	for (let at = result.indexOf(from); at >= 0; at = result.indexOf(from, at + to.length)) to.copy(result, at);
	return result;
}
