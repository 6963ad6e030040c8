import { mkdir } from "node:fs/promises";
import axe from "axe-core/axe.min.js?raw";
import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";
import { byTurns, isLongRun } from "../support/run-size.ts";
import { ENGINE } from "./browsers.ts";

/** axe-core, ending with a value that Playwright need not carry: whole, it took most of an injection's time. */
const AXE = `${axe};0`;
/** No rule that is on reads the style sheets that axe would load again; one reads the media. */
const RUN_AXE = `axe.run(document, { resultTypes: ["violations"], preload: { assets: ["media"] } }).then(({ violations }) =>
	violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`;

/** axe-core finds nothing in what is shown now, by WCAG 2.2 A and AA and its own best practices. */
export async function expectAccessible(where: Page | Frame): Promise<void> {
	if (!(await where.evaluate("'axe' in globalThis"))) await loadAxe(where);
	expect(await where.evaluate(RUN_AXE)).toEqual([]);
}

async function loadAxe(where: Page | Frame): Promise<void> {
	if (ENGINE !== "chromium") return where.evaluate(AXE);
	// Playwright's `evaluate` takes half as long again.
	const devtools = await ("page" in where ? where.page() : where).context().newCDPSession(where);
	await devtools.send("Runtime.evaluate", { expression: AXE });
	await devtools.detach();
}

/** Pages that expectFit has looked at. */
let pages = 0;

/**
 * Expects a page that axe-core finds nothing in, and that scrolls sideways neither as it is shown, nor at 320 pixels, nor with text
 * twice as large (WCAG 1.4.4, 1.4.10). In CI axe-core reads every second page, and the others are made narrow and their text large.
 * `LOOKS=FOLDER` takes a picture of each look.
 * @param where - a frame of the page that is looked at in its place
 */
export async function expectFit(page: Page, where: Page | Frame = page): Promise<void> {
	await page.waitForLoadState();
	await expectNoSideways(page, where, "as shown");
	// Firefox repeats what Chromium finds in the same pages.
	if (!isLongRun && ENGINE !== "chromium") return;
	const looks = [() => expectAccessible(where), () => expectRoom(page, where)];
	for (const look of byTurns(looks, 2, pages++)) await look();
}

/** The page scrolls sideways neither with text twice as large, nor at 320 pixels. */
async function expectRoom(page: Page, where: Page | Frame): Promise<void> {
	const size = page.viewportSize()!;
	if (ENGINE === "chromium") {
		const devtools = await page.context().newCDPSession(where);
		await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
		await expectNoSideways(page, where, "text 200%");
		await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
		await devtools.detach();
	}
	if (size.width === 320) return;
	await page.setViewportSize({ ...size, width: 320 });
	await expectNoSideways(page, where, "320");
	await page.setViewportSize(size);
}

let looks = 0;

async function expectNoSideways(page: Page, where: Page | Frame, look: string): Promise<void> {
	const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
	expect.soft([where.url(), look, await where.evaluate<number>(wide)]).toEqual([where.url(), look, 0]);
	if (!process.env.LOOKS) return;
	await mkdir(process.env.LOOKS, { recursive: true });
	const { pathname } = new URL(page.url());
	const name = `${pathname.replaceAll(/\W+/g, "-")} ${page.viewportSize()!.width} ${look} ${++looks}`;
	// A picture of a whole page would undo the size of its text.
	const size = page.viewportSize()!;
	const height = await page.evaluate<number>("document.documentElement.scrollHeight");
	await page.setViewportSize({ ...size, height: Math.min(height, 4000) });
	await page.screenshot({ path: `${process.env.LOOKS}/${name}.png` });
	await page.setViewportSize(size);
}
