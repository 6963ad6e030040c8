import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const migrations = await readD1Migrations("./migrations");

export default defineConfig({
	test: {
		/** The service logs a line per call; it is shown where a test fails. */
		silent: "passed-only",
		/** A worker waits for its workerd most of the time: on two cores, vitest's own choice of one leaves one idle. */
		maxWorkers: availableParallelism(),
		projects: [
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
					name: "workerd",
					include: ["test/{delivery,domain,faults,identity,model,pki,http,service}/**/*.test.ts"],
					testTimeout: 30_000,
				},
			},
			{
				test: {
					name: "node",
					include: ["test/{interop,proof,scripts}/**/*.test.ts"],
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			},
		],
	},
});
