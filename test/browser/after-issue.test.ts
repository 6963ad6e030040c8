import { expect } from "vitest";
import { INSTALL } from "../../src/texts/install.ts";
import { SYSTEMS } from "../../src/texts/install-systems.ts";
import { HAND_OVER, RECEIPT } from "../../src/texts/widget-receipt.ts";
import { testsWith } from "../interop/tool-test.ts";
import { expectFit } from "./accessibility.ts";
import { DESKTOP, NARROW, newPage, TELEPHONE } from "./browsers.ts";
import { createPartner, place } from "./partner.ts";
import { expectQr } from "./qr.ts";
import { answer, complete, press, STEPS, untilTitled } from "./widget.ts";

/* The parts of an end beside the file: another device by a QR code, the receipt, the steps to install. */

const test = testsWith("chromium");

test("a computer's QR code leads a telephone to the same step; the receipt prints", async () => {
	const partner = await createPartner();
	const { url } = await partner.session(await partner.buyCode());
	const computer = await newPage(DESKTOP);
	await computer.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	const asked: string[] = [];
	computer.on("request", (request) => asked.push(request.url()));
	await computer.goto(url);
	await answer(computer, ["rut"]);
	await untilTitled(computer, STEPS.card.title);
	await computer.focus("summary");
	await computer.keyboard.press("Enter");
	await computer.waitForSelector(".qr");
	await expectQr(computer, url);
	await expectFit(computer);
	await press(computer, HAND_OVER.copy.es);
	await computer.getByText(HAND_OVER.copied.es).waitFor();
	const link = await computer.evaluate<string>("navigator.clipboard.readText()");
	expect(link).toBe(url);
	const token = new URL(url).hash.slice(1);
	expect(asked.filter((address) => address.split("#")[0]!.includes(token))).toEqual([]);

	const telephone = await newPage(TELEPHONE);
	await telephone.goto(link);
	await complete(telephone, ["card", "email", "pin"], "Su certificado está listo");
	expect(await telephone.textContent("footer")).toBe("Certificados de Firma Demo");
	// The computer has followed, and may download too.
	await untilTitled(computer, "Su certificado fue emitido");
	await press(telephone, RECEIPT.show.es);
	await untilTitled(telephone, RECEIPT.title.es);
	const shown = await telephone.textContent(".receipt");
	for (const part of ["JUANA ANDREA PÉREZ SOTO", "XX.XXX.111-1", "Tienda Andes"])
		expect(shown).toContain(part);
	expect(shown).not.toContain("11.111.111");
	await expectQr(telephone, `${place().url}/revocar`);
	await expectFit(telephone);
	await telephone.emulateMedia({ media: "print", colorScheme: "dark" });
	expect(await telephone.isVisible("button")).toBe(false);
	expect(await telephone.isVisible(".receipt")).toBe(true);
	expect(await telephone.evaluate("getComputedStyle(document.body).color")).toBe("rgb(0, 0, 0)");
	await telephone.emulateMedia({ media: "screen" });
	await press(telephone, RECEIPT.back.es);
	await untilTitled(telephone, "Su certificado está listo");

	const opened = telephone.context().waitForEvent("page");
	await telephone.getByRole("link", { name: RECEIPT.install.es }).press("Enter");
	const steps = await opened;
	await steps.getByRole("heading", { level: 1, name: INSTALL.title.es }).waitFor();
	expect(steps.url()).toBe(`${place().url}/instalar?lang=es`);
});

for (const [locale, options, own] of [
	["es", { ...NARROW, userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)" }, "iphone"],
	["en", { ...DESKTOP, locale: "en-GB" }, null],
] as const)
	test(`the steps to install, by keyboard alone: ${locale}`, async () => {
		const page = await newPage(options);
		await page.goto(`${place().url}/instalar`);
		const first = page.locator("details").first();
		if (own) expect(await first.getAttribute("id")).toBe(own);
		expect(await first.getAttribute("open")).toBe("");
		for (const [id, { steps }] of Object.entries(SYSTEMS)) {
			if (await page.locator(`#${id}:not([open])`).count()) {
				await page.focus(`#${id} > summary`);
				await page.keyboard.press("Enter");
			}
			for (const step of steps) {
				const shown = page.locator(`#${id} li`, { hasText: step[locale] });
				expect([step[locale], await shown.isVisible()]).toEqual([step[locale], true]);
			}
		}
		await expectFit(page);
	});
