import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { isInstalled } from "../interop/pfx-openers.ts";

/* Debian's Chromium, one for a file of tests and one profile for each test. */

export const TELEPHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 } as const;
export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const;
export const NARROW = { viewport: { width: 320, height: 640 } } as const;

let browser: Browser;
const contexts: BrowserContext[] = [];
/** Exceptions in pages, and what their own policy stopped; whom a page may be shown by is what tests try. */
const complaints: string[] = [];

export function useChromium(): void {
	beforeAll(async () => {
		if (!isInstalled("chromium")) return;
		browser = await chromium.launch({
			executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
			args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
		});
	});
	afterEach(async () => {
		for (const context of contexts.splice(0)) await context.close();
		expect(complaints.splice(0)).toEqual([]);
	});
	afterAll(() => browser?.close());
}

/** Puts an address into a frame of the page, which the browser must refuse to show. */
export async function expectNotFramed(page: Page, url: string): Promise<void> {
	await page.evaluate(`document.body.innerHTML = '<iframe src="${url}"></iframe>'`);
	const frame = await (await page.waitForSelector("iframe")).contentFrame();
	// `waitForURL` would throw where the refusal comes while it waits.
	await expect.poll(() => frame!.url(), { timeout: 20_000 }).toMatch(/^chrome-error:/);
}

export async function newPage(options: BrowserContextOptions = TELEPHONE): Promise<Page> {
	const context = await browser.newContext({ acceptDownloads: true, locale: "es-CL", ...options });
	contexts.push(context);
	context.on("weberror", (error) => complaints.push(String(error.error())));
	context.on("console", (message) => {
		const text = message.text();
		if (/Content Security Policy|Trusted/.test(text) && !text.includes("frame-ancestors"))
			complaints.push(text);
	});
	return context.newPage();
}
