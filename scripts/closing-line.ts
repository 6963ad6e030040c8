import type { Reporter, TestModule } from "vitest/node";

/** Ends the output with `N passed, N failed, N skipped`, which programs read that know no vitest. */
export default class ClosingLine implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
		const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
		for (const module of modules) {
			const tests = [...module.children.allTests()];
			for (const test of tests) {
				const { state } = test.result();
				if (state !== "pending") count[state]++;
			}
			// A file that did not load, or whose set-up failed, has failed even without a failed test.
			if (module.state() === "failed" && !tests.some((test) => test.result().state === "failed"))
				count.failed++;
		}
		console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
	}
}
