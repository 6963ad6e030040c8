import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createVitest, type TestCase, type TestModule, type TestSuite } from "vitest/node";
import { CLAUSES, DIFFERENCES } from "../test/interface-clauses.ts";
import { REQUIREMENTS } from "../test/requirements.ts";

/*
 * Leads from requirement to test: test/interface-clauses.ts lists the clauses of the interface document, test/requirements.ts
 * what is required besides, and the tags of the tests say which test holds which.
 *
 *   node scripts/check-requirements.ts            fails when a requirement has no test, or when a table is not current
 *   node scripts/check-requirements.ts --write    writes the tables
 *
 * Both write the page with every requirement and its tests to reports/, which is not committed; CI publishes it.
 */

const root = join(import.meta.dirname, "..");
const SUMMARY = join(root, "docs/contributors/requirements.md");
const CLAUSE_TABLE = join(root, "docs/contributors/interface-clauses.md");
const PAGE = join(root, "reports/requirements.md");

/** Summaries of the groups of requirements beside the clauses. */
const GROUPS: Record<keyof typeof REQUIREMENTS, string> = {
	"Decisions: order of checks": "which refusal comes first",
	"Decisions: errors": "status, `error` and headers where the document is silent",
	"Decisions: purchase codes": "form of a code, its window, its `processing`",
	"Decisions: certificate_request": "fields, identity, e-mail, locks and pictures",
	"Decisions: Delivery": "a B2B partner always has an address",
	"Decisions: certificate_claim": "wrong PINs, the stored PIN, the private key",
	"Decisions: lists, bulk, statuses": "pages, dates, rates and exact totals",
	"Decisions: idempotency": "the same key and body give the first answer again",
	"Decisions: keys": "form, scopes, end and ranges of API keys",
	Invariants: "at most one certificate leaves, nothing is lost, no secret is stored",
	"Decisions: before the key": "limits by address, bodies that do not come",
	"Decisions: the holder": "messages to the holder, and the page to revoke",
	"Decisions: a partner's own calls": "codes, certificates, usage, CSV, webhook, sandbox",
	"The partner's console: signing in, forms, settings": "sessions, forms and changes",
	"The partner's console: its lists and figures": "what its pages show",
	"Decisions: further gaps": "what was found while building",
	"Decisions, Widget": "sessions, pages and events of the widget",
};

const SUMMARY_INTRODUCTION = `# From requirement to test

A requirement is a clause of the interface document, a decision where the document is silent, or an invariant. \`test/interface-clauses.ts\`
lists the clauses, \`test/requirements.ts\` the others, each with its ids. A test names the ids that it holds among its tags.

\`npm run check\` fails when a requirement has no test, and when this table is not current (\`node scripts/check-requirements.ts --write\`).
It also writes \`reports/requirements.md\`, which names the tests of each requirement; CI publishes that page as an artifact.
\`npm run test:all -- --tags-filter=claim-once\` runs the tests of one requirement.

| group | what it asks | requirements | most of its tests |
|---|---|--:|---|
`;

const PAGE_INTRODUCTION = `# Requirements and their tests

Written by \`scripts/check-requirements.ts\` from \`test/interface-clauses.ts\`, \`test/requirements.ts\` and the tags of the tests.
`;

interface HeldBy {
	/** Relative to test. */
	file: string;
	title: string;
}

/** @returns every test and group of tests that has a requirement's id among its own tags, by id. */
async function findTests(): Promise<Map<string, HeldBy[]>> {
	const vitest = await createVitest("test", { watch: false });
	const modules = await vitest.experimental_parseSpecifications(await vitest.globTestSpecifications());
	await vitest.close();
	const tests = new Map<string, HeldBy[]>();
	for (const module of modules.toSorted(byPath))
		for (const task of [...module.children.allSuites(), ...module.children.allTests()])
			for (const id of ownTags(task)) {
				const title = task.name.replaceAll(/\\(["'`])/g, "$1");
				const held = { file: module.relativeModuleId.replace(/^test\//, ""), title };
				tests.set(id, [...(tests.get(id) ?? []), held]);
			}
	return tests;
}

/** Sorts the files: the file system lists them in another order on another machine. */
function byPath(a: TestModule, b: TestModule): number {
	return a.relativeModuleId < b.relativeModuleId ? -1 : 1;
}

/** A test also has the tags of its groups; those are listed with the group. A skipped test holds nothing. */
function ownTags(task: TestCase | TestSuite): string[] {
	const parent: TestModule | TestSuite = task.parent;
	const inherited = parent.type === "suite" ? (parent.options.tags ?? []) : [];
	if (task.options.mode === "skip" || task.options.mode === "todo") return [];
	return (task.options.tags ?? []).filter((tag) => !inherited.includes(tag));
}

function escapeCell(text: string): string {
	return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** @returns the two folders that hold most of a group's tests, in alphabetical order. */
function mainFolders(held: readonly HeldBy[]): string {
	const counts = new Map<string, number>();
	for (const { file } of held) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
	const most = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, 2);
	const folders = most.map(([folder]) => `\`${folder}\``).toSorted();
	return folders.join(", ") + (counts.size > most.length ? " …" : "");
}

const tests = await findTests();
const page = [PAGE_INTRODUCTION];
let summary = SUMMARY_INTRODUCTION;
const clauses = Object.values(CLAUSES).flatMap((its) =>
	its.flatMap(([says, by]) => by.map((id) => [id, says] as const)),
);
addRow("The interface document", "[clause by clause](interface-clauses.md)", clauses);
for (const [section, asks] of Object.entries(GROUPS)) {
	const requirements: Record<string, string | readonly string[]> =
		REQUIREMENTS[section as keyof typeof REQUIREMENTS];
	const rows = Object.entries(requirements).flatMap(([id, texts]) =>
		[texts].flat().map((text) => [id, text] as const),
	);
	addRow(section, asks, rows);
}

/** Adds a section to the page, and its row to the summary. */
function addRow(section: string, asks: string, rows: readonly (readonly [id: string, text: string])[]): void {
	const ids = new Set(rows.map(([id]) => id));
	for (const id of ids.difference(new Set(tests.keys()))) {
		console.error(`${id} (${section}): no test has it among its tags`);
		process.exitCode = 1;
	}
	const named = (id: string) =>
		tests
			.get(id)
			?.map(({ file, title }) => `\`${file}\`: ${escapeCell(title)}`)
			.join("<br>") ?? "none";
	const shown = rows.map(([id, text]) => `| ${escapeCell(text)} | ${id} | ${named(id)} |`);
	page.push(`## ${section}\n\n| requirement | id | tests |\n|---|---|---|`, ...shown, "");
	const held = [...ids].flatMap((id) => tests.get(id) ?? []);
	summary += `| ${section} | ${asks} | ${rows.length} | ${mainFolders(held)} |\n`;
}
await mkdir(dirname(PAGE), { recursive: true });
await writeFile(PAGE, page.join("\n"));

for (const [path, text] of [
	[SUMMARY, summary],
	[CLAUSE_TABLE, clauseTable()],
] as const) {
	if (process.argv.includes("--write")) await writeFile(path, text);
	else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
		console.error(`${path} is not current: node scripts/check-requirements.ts --write`);
		process.exitCode = 1;
	}
}

/** A row for each clause. The file named has most of a requirement's tests: titles change too often for a committed page. */
function clauseTable(): string {
	const clauses = Object.values(CLAUSES).flat();
	const differing = clauses.filter(([, , difference]) => difference !== undefined).length;
	const sections = Object.entries(CLAUSES).map(([section, its]) => {
		const rows = its.map(([says, by, difference]) => {
			const verdict = difference === undefined ? "works" : `differs: ${DIFFERENCES[difference]}`;
			const shown = by.map((id) => `${id} (\`${mainFile(tests.get(id) ?? [])}\`)`).join(", ");
			return `| ${escapeCell(says)} | ${verdict} | ${shown} |`;
		});
		return `## ${section}\n\n| clause | works or differs | tests |\n|---|---|---|\n${rows.join("\n")}\n`;
	});
	return `${clauseIntroduction(clauses.length, differing)}\n${sections.join("\n")}`;
}

function clauseIntroduction(clauses: number, differing: number): string {
	return `# The interface document, clause by clause

${clauses} clauses: ${clauses - differing} work as they are written, ${differing} differ. Written by \`node scripts/check-requirements.ts --write\` from
\`test/interface-clauses.ts\`: a clause names [requirements](requirements.md), and \`npm run check\` fails when one has no test.
\`npm run test:all -- --tags-filter=<id>\` runs its tests. The guide's interface page (\`docs/partners/en/interface.md\`) tells partners the differences; a test holds that it
names each.
`;
}

function mainFile(held: readonly HeldBy[]): string {
	const files = [...Map.groupBy(held, ({ file }) => file)];
	return files.toSorted(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))[0]?.[0] ?? "none";
}
