import { readFile } from "node:fs/promises";
import { join } from "node:path";

/*
 * docs/requirements.md leads from each requirement to the test that holds it. A row is
 *
 *   | requirement | `test/path.test.ts` | `whole title of a test, or of its group` |
 *
 * with — in place of the title while no test holds it: a gap, and a fault like a file or a title that is not there.
 *
 *   node scripts/check-requirements.ts
 */

const ROOT = join(import.meta.dirname, "..");
const TABLE = "docs/requirements.md";

const HEAD = /^\| requirement \| file \| test \|$|^\|(---\|){3}$/;
const ROW = /^\| (?<requirement>.+?) \| `(?<file>test\/[^`|]+\.test\.ts)` \| (?:`(?<title>[^`|]+)`|—) \|$/;
/** What begins a call's arguments, as every title does: `test("…"`, `test.each(rows)(\n"…"`. Skipped tests hold nothing. */
const TITLE = /(?<!\.(?:skip|todo))\(\s*(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g;

const read = new Map<string, Promise<ReadonlySet<string> | null>>();

/** @returns the titles in a test file, or null when there is no such file. */
function titlesIn(file: string): Promise<ReadonlySet<string> | null> {
	const titles = read.get(file) ?? readTitles(file);
	read.set(file, titles);
	return titles;
}

async function readTitles(file: string): Promise<ReadonlySet<string> | null> {
	const source = await readFile(join(ROOT, file), "utf8").catch(() => null);
	if (source === null) return null;
	return new Set(Array.from(source.matchAll(TITLE), ([, , title]) => title!.replace(/\\(["'`])/g, "$1")));
}

/** @returns what is wrong with a row, or null. */
async function findFault(row: string): Promise<string | null> {
	const cells = ROW.exec(row)?.groups;
	if (!cells) return `is no row: ${row}`;
	const { requirement, file, title } = cells;
	if (!title) return `${requirement}\n    no test holds it yet: it belongs in ${file}`;
	const titles = await titlesIn(file!);
	if (!titles) return `${requirement}\n    there is no ${file}`;
	return titles.has(title) ? null : `${requirement}\n    ${file} has no test "${title}"`;
}

const lines = (await readFile(join(ROOT, TABLE), "utf8")).split("\n");
for (const [i, line] of lines.entries()) {
	if (!line.startsWith("|") || HEAD.test(line)) continue;
	const fault = await findFault(line);
	if (!fault) continue;
	console.error(`${TABLE}:${i + 1}: ${fault}`);
	process.exitCode = 1;
}
