import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { addressOf, LANGUAGES, PAGES, readPage } from "../../scripts/guide/pages.ts";
import { snippetsOf } from "../../scripts/guide/snippets.ts";
import { testWith } from "../interop/tool-test.ts";
import { freePort } from "../support/free-port.ts";
import { expectAccessible } from "./accessibility.ts";
import { DESKTOP, NARROW, newPage, useBrowser } from "./browsers.ts";
import { createPartner, place } from "./partner.ts";
import { STEPS, untilTitled } from "./widget.ts";

/* The guide at /docs/, and the shop of its page about the widget. */

useBrowser();

const leftOpen: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of leftOpen.splice(0)) await close();
});

describe.for([
	["320 pixels wide, in the dark", { ...NARROW, colorScheme: "dark" }],
	["on a desktop", DESKTOP],
] as const)("every page, %s", ([, size]) => {
	for (const language of LANGUAGES)
		testWith("chromium", `${language}: accessible, and no wider than the screen`, async () => {
			const page = await newPage(size);
			for (const name of PAGES) {
				const answer = await page.goto(place().url + addressOf(language, name));
				expect(answer?.status(), name).toBe(200);
				await expectAccessible(page);
				const width = await page.evaluate<number>("document.documentElement.scrollWidth");
				expect(width, name).toBeLessThanOrEqual(size.viewport.width);
			}
		});
});

testWith("chromium", "/docs/ begins in Spanish; the other language of a page is one step away", async () => {
	const page = await newPage();
	await page.goto(`${place().url}/docs/`);
	await untilTitled(page, "Guía para partners");
	await page.getByRole("link", { name: "Su primer PFX en diez minutos" }).first().click();
	await page.getByRole("link", { name: "English" }).click();
	await untilTitled(page, "Your first PFX in ten minutes");
	expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

testWith("chromium", "the shop of the page about the widget shows the widget", async () => {
	const { markdown } = await readPage("es", "widget");
	const shop = snippetsOf(markdown).find(({ caption }) => caption === "shop.mjs")!;
	const port = await freePort();
	const address = `http://127.0.0.1:${port}`;
	const { key } = await createPartner({}, { origins: [address] });
	const folder = await mkdtemp(join(tmpdir(), "shop-"));
	await writeFile(join(folder, "shop.mjs"), shop.text.replace("4000", String(port)));
	const env = { ...process.env, URL: place().url, KEY: key };
	const server = spawn("node", ["shop.mjs"], { cwd: folder, env, stdio: "ignore" });
	leftOpen.push(async () => {
		server.kill();
		await rm(folder, { recursive: true });
	});
	const page = await newPage();
	await expect.poll(() => page.goto(address).catch(() => null)).not.toBeNull();
	const frame = (await (await page.waitForSelector("iframe")).contentFrame())!;
	await untilTitled(frame, STEPS.rut.title);
});
