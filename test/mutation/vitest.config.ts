import { defineConfig } from "vitest/config";

/** The unit tests by themselves: Stryker's runner takes no projects. */
export default defineConfig({
	test: {
		/** vitest.config.ts checks them. */
		strictTags: false,
		setupFiles: ["test/unit/setup.ts"],
		testTimeout: 30_000,
		include: ["test/unit/{domain,identity,secrets,x509}/**/*.test.ts"],
	},
});
