import type { Page } from "playwright-core";
import { expect } from "vitest";
import { testWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { DESKTOP, ENGINE, NARROW, newPage, useBrowser } from "./browsers.ts";
import { place } from "./partner.ts";
import { HOLDER, issue, proveVisit } from "./revocar.ts";

/* The page where a holder revokes, by keyboard alone, on a telephone and a desktop. */

useBrowser();

/** Nothing for axe-core to find, nothing to scroll sideways for. */
async function expectFit(page: Page): Promise<void> {
	await expectAccessible(page);
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

for (const [look, options] of [
	["a telephone, light, Spanish", { ...NARROW, colorScheme: "light" }],
	["a desktop, dark, English", { ...DESKTOP, colorScheme: "dark", locale: "en-GB" }],
] as const)
	testWith(ENGINE, `from RUT to revoked by keyboard alone: ${look}`, async () => {
		const serial = await issue();
		const page = await newPage(options);
		const type = async (id: string, text: string) => {
			await page.focus(id);
			await page.keyboard.type(text);
		};
		await page.goto(`${place().url}/revocar`);
		await expectFit(page);
		await type("#rut", "1");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#rut-wrong");
		expect(await page.evaluate("document.activeElement.id")).toBe("rut");
		await expectFit(page);
		await page.keyboard.press("ControlOrMeta+A");
		await page.keyboard.type(HOLDER.dni);
		await type("#email", HOLDER.email);
		await page.keyboard.press("Enter");
		await page.waitForURL("**/revocar/codigo");
		await expectFit(page);
		await type("#code", "000000000000");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#code-wrong");
		await expectFit(page);
		await proveVisit();
		await page.goto(`${place().url}/revocar/certificado`);
		await page.focus("main button");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#why-wrong");
		await expectFit(page);
		await page.focus(`input[value="${serial}"]`);
		await page.keyboard.press("Space");
		await page.selectOption("#why", "lost");
		await page.focus("input[name=understood]");
		await page.keyboard.press("Space");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/revocar/certificado?listo=*");
		await expectFit(page);
		expect(await page.textContent("main")).toContain(serial);
		expect(await page.evaluate("document.cookie")).toBe("");
	});
