import { expect } from "vitest";
import { testsWith } from "../interop/tool-test.ts";
import { expectFit } from "./accessibility.ts";
import { ENGINE, looks, NARROW, newPage } from "./browsers.ts";
import { place } from "./partner.ts";
import { buttonOf, HOLDER, issue } from "./revocar.ts";

/* The page where a holder revokes, by keyboard alone, on a telephone and a desktop. */

const test = testsWith(ENGINE);

for (const [look, options] of looks(ENGINE === "chromium" ? 1 : 0, null, null))
	test(`from RUT to revoked by keyboard alone: ${look}`, async () => {
		const email = `${ENGINE}-${look.length}@example.cl`;
		const serial = await issue(email);
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
		await type("#email", email);
		await page.keyboard.press("Enter");
		await page.waitForURL("**/revocar/codigo");
		await expectFit(page);
		await type("#code", "000000000000");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#code-wrong");
		await expectFit(page);
		// A page of a mail program, at another origin: its links bring no cookie. Whoever follows them changes nothing.
		const button = await buttonOf(email);
		for (let i = 0; i < 6; i++) expect((await fetch(button)).status).toBe(200);
		await page.goto(place().stranger);
		await page.evaluate(`document.body.innerHTML = '<a href="${button}">Continuar</a>'`);
		await page.focus("a");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/revocar/codigo?lang=*");
		await expectFit(page);
		const digits = button.slice(-12).replaceAll(/(\d{4})(?=\d)/g, "$1 ");
		expect([page.url().includes("#"), await page.inputValue("#code")]).toEqual([false, digits]);
		await page.focus("main button");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/revocar/certificado?lang=*");
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
		await page.waitForURL("**listo=*");
		await expectFit(page);
		expect(await page.textContent("section")).toContain(serial);
		expect(await page.isVisible("[data-print]")).toBe(true);
		expect(await page.evaluate("document.cookie")).toBe("");
	});

// Playwright cannot stop the scripts of Debian's Firefox.
if (ENGINE === "chromium")
	test("without script the e-mail's button leads to the page, and the code is typed", async () => {
		const email = "sin-script@example.cl";
		await issue(email);
		const page = await newPage({ ...NARROW, javaScriptEnabled: false });
		await page.goto(`${place().url}/revocar`);
		await page.fill("#rut", HOLDER.dni);
		await page.fill("#email", email);
		await page.click("main button");
		const button = await buttonOf(email);
		await page.goto(button);
		await page.click("main a.button");
		await page.waitForURL("**/revocar/codigo?lang=es");
		await page.fill("#code", button.slice(-12));
		await page.click("main button");
		await page.waitForURL("**/revocar/certificado?lang=es");
	});
