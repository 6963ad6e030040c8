import { existsSync, statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildWidget } from "./scripts/build-widget.ts";
import { REQUIREMENT_IDS } from "./test/requirements.ts";
import { isLongRun } from "./test/support/run-size.ts";

process.loadEnvFile(".env");
useMemoryForFiles();
/** Programs that the tests start load what an earlier one has compiled, wrangler above all. */
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, "node_modules/.cache/compiled");
await buildWidget();

/** Tests that reach into the Worker, its objects and its D1 run in workerd, with the code they test. */
const inWorkerd = {
	wrangler: { configPath: "./wrangler.toml" },
	miniflare: {
		bindings: {
			TEST_MIGRATIONS: await readD1Migrations("./migrations"),
			RUN_SIZE: process.env.RUN_SIZE ?? "{}",
		},
	},
};
/** System tests have four databases. */
const MORE_DATABASES = { DB_3: "three", DB_4: "four" };

const IN_WORKERD = ["patience", "quiet", "leave-nothing"].map((name) => `test/support/${name}.ts`);
const SYSTEM_IN_WORKERD = ["test/system/{db,faults,fuzz,histories,model}/**/*.test.ts"];

/** The libraries of most files, each as one: a workerd is handed every file by itself, for a quarter of its start. */
const BUNDLED = {
	optimizer: {
		ssr: {
			enabled: true,
			include: [
				"zod",
				...["drizzle-orm", "drizzle-orm/d1", "drizzle-orm/sqlite-core"],
				...["cms", "pfx", "pkcs8", "rsa", "schema", "x509"].map((name) => `@peculiar/asn1-${name}`),
			],
		},
	},
};

/** As test/support/patience.ts has it for `vi.waitFor` and `vi.waitUntil`. */
const PATIENT = { poll: { timeout: 30_000 } };
/** Ends what hangs. The longest test of a call takes 3 s of an idle machine's time, ten times as long where it is shared. */
const HANGS_MS = 120_000;
/** A walk over all pages of a console takes 50 s of an idle machine. */
const WALK_HANGS_MS = 400_000;

export default defineConfig({
	test: {
		/** A tag is the id of a requirement that the test holds; vitest refuses any other. */
		tags: Array.from(REQUIREMENT_IDS, (name) => ({ name })),
		/** The service logs a line per call; it is shown where a test fails. */
		silent: "passed-only",
		/** A worker waits for its workerd, and that for its disk: with a worker a core, a third of two cores stays idle. */
		maxWorkers: availableParallelism() + 1,
		projects: [
			{
				test: {
					name: "unit",
					/** A process of its own for every file takes as long as the tests. */
					isolate: false,
					expect: PATIENT,
					setupFiles: ["test/support/patience.ts", "test/unit/setup.ts"],
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["test/unit/**/*.test.ts"],
				},
			},
			{
				test: {
					name: "signer",
					expect: PATIENT,
					setupFiles: ["test/support/patience.ts", "test/unit/setup.ts"],
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["signer/test/**/*.test.ts"],
				},
			},
			{
				plugins: [cloudflareTest(inWorkerd)],
				test: {
					name: "service",
					deps: BUNDLED,
					/** Files share a workerd, which takes a second to start; each begins with an empty service. */
					isolate: false,
					expect: PATIENT,
					setupFiles: IN_WORKERD,
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["test/service/**/*.test.ts"],
				},
			},
			{
				plugins: [
					cloudflareTest({
						...inWorkerd,
						miniflare: { ...inWorkerd.miniflare, d1Databases: MORE_DATABASES },
					}),
				],
				test: {
					name: "system-workerd",
					deps: BUNDLED,
					/** A workerd crashes after some 270 cells of the fault matrix ("Promise callback destroyed itself"). */
					isolate: isLongRun,
					expect: PATIENT,
					setupFiles: IN_WORKERD,
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: SYSTEM_IN_WORKERD,
				},
			},
			{
				test: {
					name: "system-node",
					globalSetup: ["test/support/compile-signer.ts"],
					expect: PATIENT,
					setupFiles: ["test/support/patience.ts"],
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["test/system/**/*.test.ts"],
					exclude: SYSTEM_IN_WORKERD,
				},
			},
			{
				test: {
					name: "interop",
					globalSetup: ["test/support/compile-signer.ts", "test/interop/make-token.ts"],
					/** A process for every file would load each library again. */
					isolate: false,
					expect: PATIENT,
					setupFiles: ["test/support/patience.ts"],
					testTimeout: HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["test/interop/**/*.test.ts"],
				},
			},
			{
				test: {
					name: "browser",
					globalSetup: ["test/browser/global-setup.ts"],
					expect: PATIENT,
					setupFiles: ["test/support/patience.ts"],
					testTimeout: WALK_HANGS_MS,
					hookTimeout: HANGS_MS,
					include: ["test/browser/**/*.test.ts"],
				},
			},
		],
	},
});

/** Puts temporary folders into memory where there is room: databases of tests wait for no disk there. */
function useMemoryForFiles(): void {
	const folder = "/dev/shm";
	if (!existsSync(folder)) return;
	const { bavail, bsize } = statfsSync(folder);
	if (bavail * bsize >= 4 * 1024 ** 3) process.env.TMPDIR = folder;
}
