import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { expect } from "vitest";
import { DEMO } from "../../src/texts/demo.ts";
import { SIGN_ON } from "../../src/texts/sign-on.ts";
import { testWith } from "../interop/tool-test.ts";
import { isLongRun } from "../support/run-size.ts";
import { expectFit } from "./accessibility.ts";
import { DESKTOP, ENGINE, newPage, TELEPHONE } from "./browsers.ts";
import { place } from "./partner.ts";
import { expectQr } from "./qr.ts";
import { acceptAndSend, answer, download, JUANA, signOn, subjectOf, untilTitled } from "./widget.ts";

/* The demo shop, from its page to the certificate; and who may finish the sign-on of its widget. */

/** The last is the program that walks it in CI. */
const WALKS: [string, "reduced" | "full", "B2C" | "B2B", BrowserContextOptions, typeof ENGINE][] = [
	["reduced flow, B2C, on a desktop", "reduced", "B2C", DESKTOP, "firefox-esr"],
	["reduced flow, B2B, on a telephone", "reduced", "B2B", TELEPHONE, "chromium"],
	["full flow, B2C, on a telephone", "full", "B2C", TELEPHONE, "chromium"],
	["full flow, B2B, on a desktop", "full", "B2B", DESKTOP, "firefox-esr"],
];

for (const [name, flow, mode, size] of WALKS.filter((walk) => isLongRun || walk[4] === ENGINE))
	testWith(
		[ENGINE, "openssl"],
		`demo shop, ${name}: events and status come as the holder goes on`,
		async () => {
			const page = await newPage(size);
			const frame = await buy(page, flow, mode);
			await expectQr(page, (await page.getAttribute("#hosted", "href"))!, "#qr");
			await answer(frame, ["rut"]);
			await page.locator("#status", { hasText: "IN_ONBOARDING" }).waitFor();
			if (flow === "reduced") await answer(frame, ["card"]);
			else {
				await answer(frame, ["expiry", "name"]);
				await signOn(page, frame, JUANA.rut);
			}
			// A reload goes on where the holder was: the shop hands the token over again.
			await untilTitled(frame, "¿Cuál es su correo?");
			await page.reload();
			const reloaded = await frameIn(page);
			await answer(reloaded, ["email", "pin"]);
			await acceptAndSend(reloaded);
			if (mode === "B2C") {
				const { path } = await download(page, reloaded);
				expect(subjectOf(path, JUANA.pin)).toContain("CN=JUANA ANDREA PÉREZ SOTO");
			} else await untilTitled(reloaded, "Su certificado fue emitido");
			await page.locator("#status", { hasText: "EMITTED" }).waitFor();
			expect(await page.locator("#done").textContent()).toBe(DEMO.done.es);
			const events = await page.locator("#events b").allTextContents();
			expect(events.slice(0, 2)).toEqual(["onboarding.emitted", "onboarding.validated"]);
		},
	);

testWith(
	ENGINE,
	"a sign-on that somebody else began is finished in no other browser, from no link",
	async () => {
		// The attacker stops at the sign-on of a session of their own, and has a victim open what it leads to.
		const page = await newPage(DESKTOP);
		const frame = await buy(page, "full", "B2C");
		await answer(frame, ["rut", "expiry", "name"]);
		await untilTitled(frame, "Confirme que es usted");
		const [begun] = await Promise.all([
			page.waitForResponse((response) => response.url().endsWith("/sign_on")),
			frame.getByRole("button", { name: "ClaveÚnica" }).press("Enter"),
		]);
		const start: string = (await begun.json()).data.authorize_url;

		const victim = await newPage(DESKTOP);
		await victim.goto(start);
		await expectRefused(victim);
		await victim.goto(`${place().url}/sandbox/openid/authorize?${start.split("#")[1]}`);
		await victim.locator(`[value="${JUANA.rut}"]`).click();
		await expectRefused(victim);
		const body = `<a href="${start}" target="_blank">x</a>`;
		await victim.route("https://stranger.example/", (route) =>
			route.fulfill({ contentType: "text/html", body }),
		);
		await victim.goto("https://stranger.example/");
		const [opened] = await Promise.all([
			victim.context().waitForEvent("page"),
			victim.getByText("x").click(),
		]);
		await expectRefused(opened);
		const asked = await page.waitForResponse((response) => /\/sessions\/os_\w+$/.test(response.url()));
		expect((await asked.json()).data.sign_on).toBe("pending");
	},
);

async function buy(page: Page, flow: string, mode: string): Promise<Frame> {
	await page.goto(`${place().url}/demo/`);
	expect(new URL(page.url()).hostname).toBe("127.0.0.1");
	if (mode === "B2B") await expectFit(page);
	await page.locator("#wish summary").click();
	await page.locator(`[name=flow][value=${flow}]`).check();
	await page.locator(`[name=mode][value=${mode}]`).check();
	await page.getByRole("button", { name: DEMO.buy.es }).click();
	return frameIn(page);
}

async function frameIn(page: Page): Promise<Frame> {
	return (await (await page.waitForSelector("#widget iframe")).contentFrame())!;
}

async function expectRefused(window: Page): Promise<void> {
	await window.locator("#refused:visible").waitFor();
	expect(await window.locator("#refused").textContent()).toContain(SIGN_ON.refused.es);
}
