import { createVitest, type TestModule } from "vitest/node";

/*
 * Runs tests of the folder it stands in, as often as it is asked: vitest starts once, and keeps what it has compiled.
 * A process of its own, because a slip may make its tests run for ever.
 */

export interface Question {
	projects: string[];
	/** Files from the project's root; null: all of the projects. */
	files: string[] | null;
	/** Sources that were written since the last question. */
	changed: string[];
	/** Ends with the first test that fails; what the first question says holds for all. */
	bail: boolean;
}

interface TestFile {
	milliseconds: number;
	/** The first test that failed. */
	failure: string | null;
	/** How often each slip's function was entered. */
	entered: Record<number, number>;
}

export interface Answer {
	/** The first test that failed, its file first. */
	failure: string | null;
	files: Record<string, TestFile>;
}

process.once("message", async (first: Question) => {
	const vitest = await createVitest("test", {
		watch: false,
		project: first.projects,
		bail: first.bail ? 1 : 0,
		reporters: [{}],
	});
	const answer = async ({ files, changed }: Question): Promise<Answer> => {
		for (const file of changed) vitest.invalidateFile(`${process.cwd()}/${file}`);
		const specifications = await vitest.globTestSpecifications(files ?? undefined);
		const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
		// Vitest answers with the files of earlier questions too.
		const asked = new Set(specifications.map(({ moduleId }) => moduleId));
		const told = testModules.filter(({ moduleId }) => asked.has(moduleId)).map(fileOf);
		const failure = told.map(([, file]) => file.failure).find(Boolean) ?? null;
		const outside = unhandledErrors.length > 0 ? "test/ has an error outside of every test" : null;
		return { failure: failure ?? outside, files: Object.fromEntries(told) };
	};
	process.send!(await answer(first));
	process.on("message", async (next: Question) => process.send!(await answer(next)));
});

function fileOf(module: TestModule): [path: string, TestFile] {
	const { entered = {} } = module.meta() as Partial<TestFile>;
	const [test] = module.children.allTests("failed");
	const name = test?.fullName ?? "outside of its tests";
	const failure = module.state() === "failed" ? `${module.relativeModuleId} ${name}` : null;
	return [module.relativeModuleId, { milliseconds: module.diagnostic().duration, failure, entered }];
}
