import axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";

interface Results {
	violations: { id: string; nodes: { html: string }[] }[];
}

/** axe-core finds nothing in what is shown now, by WCAG 2.2 A and AA and its own best practices. */
export async function expectAccessible(where: Page | Frame): Promise<void> {
	if (!(await where.evaluate("'axe' in globalThis"))) await where.evaluate(axe.source);
	const { violations } = await where.evaluate<Results>("axe.run(document, { resultTypes: ['violations'] })");
	expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
}
