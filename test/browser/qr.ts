import type { Page } from "playwright-core";
import { expect } from "vitest";
import { drawnModules, modulesOf } from "../support/qr.ts";

/** The QR code that a page shows holds the text. */
export async function expectQr(page: Page, text: string, selector = ".qr"): Promise<void> {
	const code = page.locator(selector);
	const box = (await code.getAttribute("viewBox"))!;
	const path = (await code.locator("path").getAttribute("d"))!;
	expect(drawnModules(path, Number(box.split(" ")[2]) - 8)).toBe(modulesOf(text));
}
