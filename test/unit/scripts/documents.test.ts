import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { anchorOf } from "../../../scripts/guide/pages.ts";
import { JOBS } from "../../../src/jobs/run.ts";

/* The project's documents: README, CONTRIBUTING, docs. The guide's own completeness is in guide.test.ts. */

/** The files at the root, and those of these folders. */
const FILES = [".", "docs", "src", "scripts", "bench", "test", "client", ".github"]
	.flatMap((folder) =>
		readdirSync(folder, { recursive: folder !== "." }).map((name) => join(folder, `${name}`)),
	)
	.filter((file) => !file.includes("node_modules") && statSync(file).isFile());
const read = (file: string) => readFile(file, "utf8");

test("every link between documents leads to a file, and to a heading of it", async () => {
	const prose = async (page: string) => (await read(page)).replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
	const headings = async (page: string) =>
		Array.from((await prose(page)).matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading!));
	for (const page of FILES.filter((file) => file.endsWith(".md")))
		for (const [, target] of (await prose(page)).matchAll(/(?:\]\(|src=")(?![a-z]+:|\/)([^)\s"]+)[)"]/g)) {
			const [path, anchor] = decodeURI(target!).split("#");
			const file = path === "" ? page : join(dirname(page), path!);
			expect(existsSync(file), `${page}: ${target}`).toBe(true);
			if (anchor) expect(await headings(file), `${page}: ${target}`).toContain(anchor);
		}
});

test("every document that the code names is there", async () => {
	for (const file of FILES.filter((name) => /\.(tsx?|ya?ml|toml|json|example)$/.test(name)))
		for (const [named] of (await read(file)).matchAll(/\bdocs\/[\w/-]+\.md\b/g))
			expect(existsSync(named), `${file}: ${named}`).toBe(true);
});

test("dependencies.md names every package, incidents.md every event of the log, jobs.md every job", async () => {
	const { dependencies, devDependencies } = JSON.parse(await read("package.json"));
	const src = (await Promise.all(FILES.filter((file) => file.startsWith("src/")).map(read))).join();
	const events = Array.from(
		src.matchAll(/\blog\(\s*"(?:info|warn|error)",\s*"(\w+)"/g),
		([, event]) => event!,
	);
	const named: [page: string, names: string[]][] = [
		["docs/contributors/dependencies.md", Object.keys({ ...dependencies, ...devDependencies })],
		["docs/operators/incidents.md", events],
		["docs/operators/jobs.md", JOBS.map(({ name }) => name)],
	];
	for (const [page, names] of named) {
		expect(names.length, page).toBeGreaterThan(15);
		const text = await read(page);
		for (const name of names) expect(text, page).toContain(`\`${name}\``);
	}
});
