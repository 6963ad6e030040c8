import { type TestContext, test } from "vitest";
import { isInstalled, type Tool } from "./pfx-openers.ts";

/** A test that needs programs: without one, skipped on a laptop and saying so, failed where CI is set. */
export function testWith(
	tools: Tool | readonly Tool[],
	name: string,
	run: (context: TestContext) => void | Promise<void>,
	timeoutMs?: number,
): void {
	const missing = [tools].flat().find((tool) => !isInstalled(tool));
	if (!missing) test(name, run, timeoutMs);
	else if (process.env.CI) {
		test(name, () => {
			throw new Error(`${missing} is not installed, and CI has to have it`);
		});
	} else test.skip(`${name} (skipped: ${missing} is not installed)`, run);
}
