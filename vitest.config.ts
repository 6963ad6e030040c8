import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildWidget } from "./scripts/build-widget.ts";
import { REQUIREMENTS, type RequirementId } from "./test/requirements.ts";

process.loadEnvFile(".env");
await buildWidget();

/** Tests that reach into the Worker, its objects and its D1 run in workerd, with the code they test. */
const inWorkerd = cloudflareTest({
	wrangler: { configPath: "./wrangler.toml" },
	miniflare: {
		bindings: {
			TEST_MIGRATIONS: await readD1Migrations("./migrations"),
			RUN_SIZE: process.env.RUN_SIZE ?? "{}",
		},
	},
});

const SYSTEM_IN_WORKERD = [
	"test/system/{db,faults,histories,model}/**/*.test.ts",
	"test/system/fuzz/fuzz-judge.test.ts",
];

const REQUIREMENT_IDS = new Set(Object.values(REQUIREMENTS).flatMap(Object.keys) as RequirementId[]);

export default defineConfig({
	test: {
		/** A tag is the id of a requirement that the test holds; vitest refuses any other. */
		tags: Array.from(REQUIREMENT_IDS, (name) => ({ name })),
		/** The service logs a line per call; it is shown where a test fails. */
		silent: "passed-only",
		/** A worker waits for its workerd most of the time: on two cores, vitest's own choice of one leaves one idle. */
		maxWorkers: availableParallelism(),
		projects: [
			{
				test: {
					name: "unit",
					/** A process of its own for every file takes as long as the tests. */
					isolate: false,
					setupFiles: ["test/unit/setup.ts"],
					testTimeout: 30_000,
					include: ["test/unit/**/*.test.ts"],
				},
			},
			{
				plugins: [inWorkerd],
				test: {
					name: "service",
					/** Files share a workerd, which takes a second to start; each begins with an empty service. */
					isolate: false,
					setupFiles: ["test/service/setup.ts"],
					testTimeout: 30_000,
					include: ["test/service/**/*.test.ts"],
				},
			},
			{
				plugins: [inWorkerd],
				test: {
					name: "system-workerd",
					testTimeout: 30_000,
					include: SYSTEM_IN_WORKERD,
				},
			},
			{
				test: {
					name: "system-node",
					testTimeout: 60_000,
					hookTimeout: 60_000,
					include: ["test/system/**/*.test.ts"],
					exclude: SYSTEM_IN_WORKERD,
				},
			},
			{
				test: {
					name: "interop",
					testTimeout: 60_000,
					hookTimeout: 60_000,
					include: ["test/interop/**/*.test.ts"],
				},
			},
			{
				test: {
					name: "browser",
					globalSetup: ["test/browser/global-setup.ts"],
					testTimeout: 60_000,
					hookTimeout: 60_000,
					include: ["test/browser/**/*.test.ts"],
				},
			},
		],
	},
});
