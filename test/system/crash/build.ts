import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleWorker } from "../../../bench/bundle-worker.ts";
import { findWorkerd, recordStart } from "./record-start.ts";
import { type ProofSettings, writeSettings } from "./settings.ts";

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
	arguments(settings: ProofSettings): string[];
	/** Configuration for workerd's standard input, by fixture and life. */
	configure(fixture: string, settings: ProofSettings): Buffer;
	/** A new fixture's folder: `state/` is what survives a crash, `tmp/` Miniflare's own, `log` all that was written. */
	createFixture(): Promise<string>;
	remove(): Promise<void>;
}

/**
 * wrangler.toml's local environment around `test/system/crash/worker.ts`, its state persisted, migrations applied.
 * @param secrets - stand in for those of .dev.vars
 */
export async function buildService(secrets?: Record<string, string>): Promise<Build> {
	const folder = await mkdtemp(join(tmpdir(), "crash-"));
	const contents = await bundleWorker({ entry: "test/system/crash/worker.ts" });
	const workerd = findWorkerd();
	const settings = writeSettings({
		clockOffset: 0,
		earlyAlarms: false,
		breakage: null,
		arming: null,
		hostPort: 0,
	});
	const first = join(folder, FIRST_FIXTURE);
	const [state, temporary] = [join(first, "state"), join(first, "tmp")];
	await mkdir(state, { recursive: true });
	await mkdir(temporary);
	const opsToken = await recordStart({
		...{ folder, workerd, contents, settings, state, temporary },
		...(secrets && { secrets }),
	});
	const config = await readFile(join(folder, "config"));
	const text = await readFile(join(folder, "arguments"), "utf8");
	let fixtures = 0;
	return {
		folder,
		opsToken,
		workerd,
		arguments: ({ hostPort }) =>
			text
				.trimEnd()
				.split("\n")
				.map((word) => (word.startsWith(LOOPBACK) ? `${LOOPBACK}127.0.0.1:${hostPort}` : word)),
		configure: (fixture, chosen) =>
			replaceAll(replaceAll(config, first, fixture), settings, writeSettings(chosen)),
		createFixture: async () => {
			const fixture = join(folder, `fixture-${String(++fixtures).padStart(3, "0")}`);
			await cp(first, fixture, { recursive: true });
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
