import "../unit/setup.ts";
import { expect } from "vitest";
import { testWith } from "../interop/tool-test.ts";
import { envelope, everyEmail } from "../support/emails.ts";
import { byTurns } from "../support/run-size.ts";
import { expectFit } from "./accessibility.ts";
import { newPage } from "./browsers.ts";
import { place } from "./partner.ts";
import { picture } from "./pictures.ts";
import { issue } from "./revocar.ts";

/* E-mails as a mail program shows them, on a telephone and in a window of 640 px. */

const LOOKS = [
	[640, "light", "es"],
	[640, "dark", "en"],
	[320, "light", "es"],
	[320, "dark", "en"],
] as const;

/** In CI the first and the last. */
for (const [width, colorScheme, language] of byTurns<(typeof LOOKS)[number]>(LOOKS, 3))
	testWith("chromium", `every e-mail at ${width} px, ${colorScheme}, ${language}`, async () => {
		const page = await newPage({ viewport: { width, height: 900 }, colorScheme });
		const at = { ...envelope({ language }), publicUrl: place().url };
		for (const [kind, { html }] of Object.entries(everyEmail(language, at))) {
			await page.setContent(html, { waitUntil: "load" });
			await expectFit(page);
			const shown = await page.evaluate("document.images[0].naturalWidth > 0");
			expect([kind, shown]).toEqual([kind, true]);
			if (language === "es")
				await picture(page, `email-${kind}-${width}`, "operators", width === 640 ? 950 : 1250);
		}
	});

testWith("chromium", "/sandbox/mail shows what was sent: HTML that runs nothing, text, headers", async () => {
	const serial = await issue("buzon@example.cl");
	const page = await newPage({ viewport: { width: 1280, height: 900 } });
	await expect
		.poll(async () => {
			await page.goto(`${place().url}/sandbox/mail`);
			return page.textContent("main");
		})
		.toContain("buzon@example.cl");
	await expectFit(page);
	await page.click("tr:has-text('buzon@example.cl') a");
	await page.waitForSelector("iframe");
	await expectFit(page);
	const frame = page.frameLocator("iframe");
	expect(await frame.locator("main, [role=main]").textContent()).toContain(serial);
	for (const said of [serial, "X-Delivery-Id", "Tienda Andes vía "])
		expect(await page.textContent("main")).toContain(said);
	const html = await page.request.get(`${page.url().split("?")[0]}/html`);
	expect(html.headers()["content-security-policy"]).toMatch(/^sandbox; default-src 'none';/);
});
