import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Results {
	violations: { id: string; nodes: { html: string }[] }[];
}

/** axe-core finds nothing in what is shown now, by WCAG 2.2 A and AA and its own best practices. */
export async function expectAccessible(where: Page | Frame): Promise<void> {
	await where.evaluate(source);
	const { violations } = await where.evaluate<Results>("axe.run(document, { resultTypes: ['violations'] })");
	expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
}
