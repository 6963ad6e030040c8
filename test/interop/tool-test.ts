import { type TestContext, test } from "vitest";
import { isLongRun } from "../support/run-size.ts";
import { isInstalled, type Tool } from "./pfx-openers.ts";

type Run = (context: TestContext) => void | Promise<void>;

/** Tests that need programs: without one, skipped on a laptop and saying so, failed where CI is set. */
export function testsWith(tools: Tool | readonly Tool[]) {
	const missing = [tools].flat().find((tool) => !isInstalled(tool));
	return (name: string, run: Run, timeoutMs?: number): void => {
		if (!missing) test(name, run, timeoutMs);
		else if (process.env.CI) {
			test(name, () => {
				throw new Error(`${missing} is not installed, and CI has to have it`);
			});
		} else test.skip(`${name} (skipped: ${missing} is not installed)`, run);
	};
}

/** A single test that needs programs, as by {@link testsWith}. */
export function testWith(tools: Tool | readonly Tool[], name: string, run: Run, timeoutMs?: number): void {
	testsWith(tools)(name, run, timeoutMs);
}

/** Makes what {@link testsWith} makes, in a run of `npm run test:system` alone. */
export const testsAtNight: typeof testsWith = isLongRun ? testsWith : () => (name) => test.skip(name);
