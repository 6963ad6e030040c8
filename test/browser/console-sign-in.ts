import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectFit } from "./accessibility.ts";
import { newPage } from "./browsers.ts";
import { place } from "./partner.ts";

/* A partner's console in a browser. */

/** A page of a new browser, signed in and at the console's first page. */
export async function signIn(key: string): Promise<Page> {
	const page = await newPage();
	await page.goto(`${place().url}/console/sign_in`);
	await page.fill("#key", key);
	await page.click("main button");
	await page.waitForSelector("nav.pages", { state: "attached" });
	return page;
}

/** Follows an entry of the navigation, which a telephone has in a menu. */
export async function follow(page: Page, path: string): Promise<void> {
	if (await page.isVisible("button.menu")) await page.click("button.menu");
	await page.click(`nav.pages a[href='${path}']`);
}

/** Expects a page that fits, and whose only script is its own: nobody's markup is at work. */
export async function expectHarmless(page: Page): Promise<void> {
	await expectFit(page);
	expect(await page.locator("img:not([src='/brand/mark.svg']), script").count()).toBe(1);
}
