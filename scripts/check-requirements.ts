import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createVitest, type TestCase, type TestModule, type TestSuite } from "vitest/node";
import { REQUIREMENTS } from "../test/requirements.ts";

/*
 * Writes docs/contributors/requirements.md from test/requirements.ts and the tags of the tests.
 *
 *   node scripts/check-requirements.ts            fails when a requirement has no test, or when the page is not current
 *   node scripts/check-requirements.ts --write    writes the page
 */

const PAGE = join(import.meta.dirname, "../docs/contributors/requirements.md");

const INTRODUCTION = `# From requirement to test

Every row of the interface document's fields, states, endpoints, authentication, errors and limits (§2 to §5, §7, §8), every
decision where it is silent, and the tests that hold it. This page is written by \`node scripts/check-requirements.ts --write\`
from \`test/requirements.ts\` and the tags of the tests; \`npm run check\` fails when it is not current, and when no test holds a
requirement. \`npm run test:all -- --tags-filter=claim-once\` runs the tests of one requirement.
`;

/** @returns `file: title` of every test and group of tests that has a requirement's id among its own tags, by id. */
async function findTests(): Promise<Map<string, string[]>> {
	const vitest = await createVitest("test", { watch: false });
	const modules = await vitest.experimental_parseSpecifications(await vitest.globTestSpecifications());
	await vitest.close();
	const tests = new Map<string, string[]>();
	for (const module of modules.toSorted(byPath))
		for (const task of [...module.children.allSuites(), ...module.children.allTests()])
			for (const id of ownTags(task)) {
				const title = task.name.replaceAll(/\\(["'`])/g, "$1");
				const held = `\`${module.relativeModuleId.replace(/^test\//, "")}\`: ${escapeCell(title)}`;
				tests.set(id, [...(tests.get(id) ?? []), held]);
			}
	return tests;
}

/** The order in which the file system lists them differs between machines. */
function byPath(a: TestModule, b: TestModule): number {
	return a.relativeModuleId < b.relativeModuleId ? -1 : 1;
}

/** A test has the tags of its groups too; those stand with the group. What is skipped holds nothing. */
function ownTags(task: TestCase | TestSuite): string[] {
	const parent: TestModule | TestSuite = task.parent;
	const inherited = parent.type === "suite" ? (parent.options.tags ?? []) : [];
	if (task.options.mode === "skip" || task.options.mode === "todo") return [];
	return (task.options.tags ?? []).filter((tag) => !inherited.includes(tag));
}

function escapeCell(text: string): string {
	return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

const tests = await findTests();
const lines = [INTRODUCTION];
for (const [section, requirements] of Object.entries(REQUIREMENTS)) {
	lines.push(`## ${section}\n\n| requirement | id | tests |\n|---|---|---|`);
	for (const [id, texts] of Object.entries(requirements)) {
		const held = tests.get(id);
		if (!held) {
			console.error(`${id} (${section}): no test has it among its tags`);
			process.exitCode = 1;
		}
		for (const text of [texts].flat()) lines.push(`| ${text} | ${id} | ${held?.join("<br>") ?? "none"} |`);
	}
	lines.push("");
}
const page = lines.join("\n");

if (process.argv.includes("--write")) {
	await mkdir(dirname(PAGE), { recursive: true });
	await writeFile(PAGE, page);
} else if ((await readFile(PAGE, "utf8").catch(() => "")) !== page) {
	console.error(
		"docs/contributors/requirements.md is not current: node scripts/check-requirements.ts --write",
	);
	process.exitCode = 1;
}
