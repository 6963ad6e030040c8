import { expect } from "vitest";
import { testWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { DESKTOP, NARROW, newPage, useBrowser } from "./browsers.ts";
import { place } from "./partner.ts";

/* /docs/reference, and the templates of the operator, as a partner's developer opens them. */

useBrowser();

for (const [look, options, language, other] of [
	["a telephone, light, Spanish", { ...NARROW, colorScheme: "light", locale: "es-CL" }, "es", "English"],
	["a desktop, dark, English", { ...DESKTOP, colorScheme: "dark", locale: "en-GB" }, "en", "Español"],
] as const)
	testWith(
		"chromium",
		`the reference, the practice statement, terms and privacy notice: ${look}`,
		async () => {
			const page = await newPage(options);
			for (const path of ["/docs/reference", "/cps/", "/docs/terms/", "/docs/privacy/"]) {
				await page.goto(`${place().url}${path}`);
				await expectAccessible(page);
				expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
			}
			await page.goto(`${place().url}/docs/reference`);
			expect(await page.getAttribute("html", "lang")).toBe(language);
			if (process.env.PICTURES) await page.screenshot({ path: `/tmp/reference-${language}.png` });
			await page.click("nav a[href='#claimCertificate']");
			expect(
				await page.evaluate("document.getElementById('claimCertificate').getBoundingClientRect().top"),
			).toBeLessThan(100);
			if (process.env.PICTURES) await page.screenshot({ path: `/tmp/reference-claim-${language}.png` });
			await page.click(`header a:text("${other}")`);
			expect(await page.getAttribute("html", "lang")).not.toBe(language);
		},
	);
