import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

process.loadEnvFile(".env");
const migrations = await readD1Migrations("./migrations");

export default defineConfig({
	test: {
		/** The service logs a line per call; it is shown where a test fails. */
		silent: "passed-only",
		/** A worker waits for its workerd most of the time: on two cores, vitest's own choice of one leaves one idle. */
		maxWorkers: availableParallelism(),
		projects: [
			{
				test: {
					name: "unit",
					setupFiles: ["test/unit/setup.ts"],
					testTimeout: 30_000,
					include: ["test/unit/**/*.test.ts"],
				},
			},
			{
				plugins: [
					cloudflareTest({
						wrangler: { configPath: "./wrangler.toml" },
						miniflare: {
							bindings: { TEST_MIGRATIONS: migrations, PROOF_SIZE: process.env.PROOF_SIZE ?? "{}" },
						},
					}),
				],
				test: {
					name: "service",
					include: ["test/service/**/*.test.ts", "test/system/{faults,histories,model}/**/*.test.ts"],
					testTimeout: 30_000,
				},
			},
			{
				test: {
					name: "system",
					include: ["test/interop/**/*.test.ts", "test/system/**/*.test.ts"],
					exclude: ["test/system/{faults,histories,model}/**"],
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
		],
	},
});
