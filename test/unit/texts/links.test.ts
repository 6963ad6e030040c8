import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIRST_STEPS } from "../../../src/texts/console-overview.ts";
import { EMPTY_LISTS } from "../../../src/texts/empty-lists.ts";

/* Pages that the consoles lead to outside themselves. */

const guides = [
	...Object.values(FIRST_STEPS),
	...Object.values(EMPTY_LISTS).flatMap((list) => ("next" in list ? [list.next] : [])),
].flatMap((step) => ("guide" in step ? [step.guide] : []));

test("every page of the guide that a console names exists in both languages", () => {
	expect(guides.length).toBeGreaterThan(6);
	const missing = guides.filter((page) =>
		["es", "en"].some((language) => !existsSync(`docs/partners/${language}/${page}.md`)),
	);
	expect(missing).toEqual([]);
});

test("every page of the operators' documents that the overview names exists, with its section", () => {
	const source = readFileSync("src/pages/ops/overview.tsx", "utf8");
	const named = [...source.matchAll(/"([\w-]+\.md)(?:#([\w-]+))?"/g)];
	expect(named.length).toBeGreaterThan(6);
	const missing = named.filter(([, page, section]) => {
		const path = `docs/operators/${page}`;
		if (!existsSync(path)) return true;
		const headings = [...readFileSync(path, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
			heading
				.toLowerCase()
				.replaceAll(/[^\w -]/g, "")
				.replaceAll(" ", "-"),
		);
		return section !== undefined && !headings.includes(section);
	});
	expect(missing.map(([text]) => text)).toEqual([]);
});
