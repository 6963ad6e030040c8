import { test } from "vitest";
import { isInstalled, type Tool } from "./pfx-openers.ts";

/** A test that needs a program: without it, skipped on a laptop and saying so, failed where CI is set. */
export function testWith(tool: Tool, name: string, run: () => void | Promise<void>): void {
	if (isInstalled(tool)) test(name, run);
	else if (process.env.CI) {
		test(name, () => {
			throw new Error(`${tool} is not installed, and CI has to have it`);
		});
	} else test.skip(`${name} (skipped: ${tool} is not installed)`, run);
}
