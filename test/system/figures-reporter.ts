import type { TestModule } from "vitest/node";

/** Prints the figures that tests left by `count`. A run in which no test passed fails. */
export default class FiguresReporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const tests = modules.flatMap(({ children }) => [...children.allTests()]);
		const passed = tests.filter((test) => test.result().state === "passed").length;
		const skipped = tests.filter((test) => test.result().state === "skipped").length;
		console.log(`  tests passed: ${passed}, failed: ${tests.length - passed - skipped}, skipped: ${skipped}`);
		for (const test of tests) {
			const { figures = {} } = test.meta() as { figures?: Record<string, number | string> };
			for (const [name, figure] of Object.entries(figures)) console.log(`  ${name}: ${figure}`);
		}
		if (passed === 0) process.exitCode = 1;
	}
}
