import { parseArgs } from "node:util";
import type { Proof } from "./proof.ts";
import { runVitest } from "./run-vitest.ts";

/**
 * An instrument that is a part of the test suite, run at another size.
 *
 * @param files - paths of test files or folders.
 * @param size - the size of the longer run, where the command line names none.
 */
export function suite(files: string[], size: { runs: number }): Proof {
	return async (args) => {
		const { values } = parseArgs({
			args,
			options: { runs: { type: "string" }, seed: { type: "string" } },
		});
		const chosen = {
			runs: Number(values.runs ?? size.runs),
			seed: Number(values.seed ?? Date.now() % 2 ** 31),
		};
		const { tests, failures } = await runVitest(files, chosen, true);
		const passed = tests.filter(({ status }) => status === "passed").length;
		const failed = tests.filter(({ status }) => status === "failed").length;
		return {
			figures: Object.assign(
				{ ...chosen, tests: passed, "tests skipped": tests.length - passed - failed },
				...tests.map(({ meta }) => meta?.figures ?? {}),
			),
			violations: failures,
		};
	};
}
