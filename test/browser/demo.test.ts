import { expect } from "vitest";
import { testWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { DESKTOP, newPage, TELEPHONE, useChromium } from "./chromium.ts";
import { place } from "./partner.ts";
import { acceptAndSend, answer, download, JUANA, signOn, subjectOf, untilTitled } from "./widget.ts";

/* The demo shop, as a visitor: buys, answers in the widget, and has a certificate. */

useChromium();

const SIZES = { reduced: TELEPHONE, full: DESKTOP };

for (const flow of ["reduced", "full"] as const)
	testWith(["chromium", "openssl"], `the demo shop to a PFX that openssl opens, ${flow} flow`, async () => {
		const { shop, widget } = await buy(flow, "B2C");
		await untilTitled(widget, "Su certificado está listo");
		expect(subjectOf((await download(shop, widget)).path, JUANA.pin)).toContain("CN=JUANA ANDREA");
		await shop.getByText("onboarding.emitted").waitFor();
		await shop.locator("output", { hasText: "EMITTED" }).waitFor();
	});

testWith("chromium", "the demo shop of a B2B partner: the certificate was sent to it", async () => {
	const { shop, widget } = await buy("reduced", "B2B");
	await untilTitled(widget, "Su certificado fue emitido");
	await shop.locator("output", { hasText: "EMITTED" }).waitFor();
});

async function buy(flow: keyof typeof SIZES, mode: "B2C" | "B2B") {
	const page = await newPage(SIZES[flow]);
	await page.goto(`${place().url.replace("localhost", "127.0.0.1")}/demo/`);
	await expectAccessible(page);
	await page.evaluate("document.querySelector('details').open = true");
	for (const value of [flow, mode]) await page.locator(`input[value="${value}"]`).check();
	await page.locator("button.buy").click();
	const widget = (await (await page.waitForSelector("iframe")).contentFrame())!;
	if (flow === "reduced") await answer(widget, ["rut", "card"]);
	else {
		await answer(widget, ["rut", "expiry", "name"]);
		await signOn(page, widget, JUANA.rut);
	}
	await answer(widget, ["email", "pin"]);
	await acceptAndSend(widget);
	return { shop: page, widget };
}
