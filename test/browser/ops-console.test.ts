import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { testsWith } from "../interop/tool-test.ts";
import { DESKTOP, looks, NARROW, newPage } from "./browsers.ts";
import { expectHarmless } from "./console-sign-in.ts";
import { createPartner, place } from "./partner.ts";
import { picture } from "./pictures.ts";
import { HOLDER, sell } from "./revocar.ts";

/* The console of ops in a real browser: every page, by keyboard where something is done. */

const test = testsWith("chromium");

const MARKUP = `Notaría <img src=x onerror=alert(1)> & "Hijos"`;

const path = (page: Page) => new URL(page.url()).pathname.replace("/ops/console", "");

for (const [look, options, said] of looks(
	0,
	{ done: "Hecho.", home: "Resumen" },
	{ done: "Done.", home: "Overview" },
))
	test(`every page, and what is done there by keyboard: ${look}`, async () => {
		const { id, pCode, serial } = await sell();
		const hostile = await createPartner({ name: MARKUP });
		const page = await newPage(options);
		const type = async (field: string, text: string) => {
			await page.focus(field);
			await page.keyboard.press("ControlOrMeta+A");
			await page.keyboard.type(text);
		};
		const arrive = async (to: string) => {
			await page.waitForURL((url) => url.href.includes(to));
			await expectHarmless(page);
		};
		await page.goto(`${place().url}/ops/console`);
		await arrive("/sign_in");
		await type("#token", "nothing");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#token-wrong");
		await expectHarmless(page);
		await type("#token", place().opsToken);
		await page.keyboard.press("Enter");
		await arrive("/overview");
		expect(await page.textContent("h1")).toBe(said.home);
		if (options.viewport.width === 1280) await picture(page, "overview", "operators", 800);

		for (const address of [
			...["/partners", "/partners?only=suspended", `/partners/${hostile.id}`, `/partners/${id}`],
			...["/partners/new", "/codes?code=none", `/codes/${pCode}`, `/certificates/${serial}`, "/certificates"],
			...["/deliveries?state=pending", "/deliveries", "/kit", "/audit", `/audit/chain?entity=code:${pCode}`],
			...["/jobs", "/databases", "/authority", "/nothing"],
		]) {
			const answer = await page.goto(`${place().url}/ops/console${address}`);
			expect(answer?.status(), address).toBe(/nothing|none/.test(address) ? 404 : 200);
			await expectHarmless(page);
		}

		await page.goto(`${place().url}/ops/console/partners/new`);
		await type("#name", "Sin dirección");
		await page.selectOption("#mode", "B2B");
		await page.focus("main form button");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#delivery_email-wrong");
		await expectHarmless(page);
		expect(await page.inputValue("#name")).toBe("Sin dirección");

		await page.goto(`${place().url}/ops/console/holders`);
		await type("#dni", HOLDER.dni);
		await type("#reason", "caso 4711");
		await page.keyboard.press("Enter");
		await page.waitForSelector("table");
		await expectHarmless(page);
		expect(path(page)).toBe("/holders/found");
		if (options.viewport.width === 1280) await picture(page, "holder", "operators", 900);
		await page.focus(`a[href$="/certificates/${serial}"]`);
		await page.keyboard.press("Enter");
		await arrive(serial);
		if (options.viewport.width === 360) await picture(page, "certificate", "operators");
		await page.selectOption("#revocation_reason", "keyCompromise");
		await page.focus("main form button");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#understood-wrong");
		await expectHarmless(page);
		await page.selectOption("#revocation_reason", "keyCompromise");
		await page.focus("input[name=understood]");
		await page.keyboard.press("Space");
		await page.focus("main form button");
		await page.keyboard.press("Enter");
		await page.waitForSelector("[role=status]");
		expect(await page.textContent("[role=status]")).toContain(said.done);
		expect(await page.textContent("main")).toContain("keyCompromise");

		await page.goto(`${place().url}/ops/console/audit`);
		await page.focus('form[action$="/audit/verify"] button');
		await page.keyboard.press("Enter");
		await arrive("/audit/verify");
		expect(await page.textContent("[role=status]")).toMatch(/\d/);

		await page.goto(`${place().url}/ops/console/jobs`);
		await page.focus('form[action$="/jobs/watch-authority"] button');
		await page.keyboard.press("Enter");
		await arrive("/jobs?done=1");

		expect(await page.evaluate("document.cookie")).not.toContain("ops");
		await page.focus(".end > button");
		await page.keyboard.press("Enter");
		await page.focus("#account form button");
		await page.keyboard.press("Enter");
		await arrive("/sign_in");
		await page.goto(`${place().url}/ops/console/jobs`);
		await arrive("/sign_in?next=");
	});

async function signIn(options: BrowserContextOptions): Promise<Page> {
	const page = await newPage(options);
	await page.goto(`${place().url}/ops/console/sign_in`);
	await page.fill("#token", place().opsToken);
	await page.keyboard.press("Enter");
	await page.waitForURL("**/overview");
	return page;
}

test("the parts of the pages: a code is copied by its button, all by one of their own", async () => {
	const page = await signIn({ ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });
	await page.goto(`${place().url}/ops/console/kit`);
	await picture(page, "kit", "operators", 900);
	const codes = await page.locator("#codes code").allTextContents();
	const copied = () => page.evaluate("navigator.clipboard.readText()");
	await page.focus("#codes button.copy");
	await page.keyboard.press("Enter");
	await page.waitForSelector("button.copied");
	expect([await copied(), await page.textContent("#said")]).toEqual([codes[0], "Copiado"]);
	await page.click("[data-copies]");
	await expect.poll(copied).toBe(codes.join("\n"));
});

test("without script nothing is there that would do nothing, and the menus open", async () => {
	const page = await signIn({ ...NARROW, javaScriptEnabled: false });
	await page.goto(`${place().url}/ops/console/kit`);
	expect(await page.locator("button.copy").count()).toBe(0);
	for (const button of ["[data-copies]", "[data-print]"]) expect(await page.isVisible(button)).toBe(false);
	await page.click("button.menu");
	await page.click("nav.pages a[href$='/jobs']");
	await page.waitForURL("**/jobs");
	await page.click(".end > button");
	await page.click("#account form button");
	await page.waitForURL("**/sign_in");
});
