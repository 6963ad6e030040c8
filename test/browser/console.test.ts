import { expect } from "vitest";
import { testsWith } from "../interop/tool-test.ts";
import { expectFit } from "./accessibility.ts";
import { expectNotFramed, looks, newPage } from "./browsers.ts";
import { follow, signIn } from "./console-sign-in.ts";
import { createPartner, place } from "./partner.ts";
import { picture } from "./pictures.ts";

/* The partner's console: signing in and out, webhook, widget, keys, settings; and who may not. */

const test = testsWith("chromium");

const LOGO = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

for (const [look, options, name] of looks(0, "es" as const, "en" as const))
	test(`from the key to signed out, by keyboard: ${look}`, async () => {
		const partner = await createPartner({ name: "Notaría Ñuñoa & Hijos", webhook_url: place().shop });
		const key = await partner.addKey("codes", "manage");
		const page = await newPage(options);
		await page.goto(`${place().url}/console/webhook`);
		await expectFit(page);
		await picture(page, `console-sign-in-${name}`);
		expect(await page.evaluate("document.activeElement.id")).toBe("key");
		await page.keyboard.type(partner.key);
		await page.keyboard.press("Enter");
		await page.waitForSelector("#key-wrong");
		expect(await page.evaluate("document.activeElement.id")).toBe("key");
		await expectFit(page);
		await page.keyboard.type(key);
		await page.keyboard.press("Enter");
		await page.waitForURL("**/console/webhook");
		await expectFit(page);
		expect(await page.getAttribute("html", "lang")).toBe(name);

		await page.focus("#webhook_url");
		await page.keyboard.press("ControlOrMeta+A");
		await page.keyboard.type("https://10.0.0.1/");
		await page.keyboard.press("Enter");
		await page.waitForSelector("#webhook_url-wrong");
		expect(await page.evaluate("document.activeElement.id")).toBe("webhook_url");
		await expectFit(page);
		await page.fill("#webhook_url", `${place().shop}/hook`);
		await page.focus("input[value='pcode.locked']");
		await page.keyboard.press("Space");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/console/webhook?done=1");
		await page.click("form[action='/console/webhook/test'] button");
		await page.waitForURL("**/console/webhook?done=ping");
		expect(await page.textContent("[role=status]")).toContain("200");
		await expectFit(page);
		await picture(page, `console-webhook-${name}`, "partners", 900);

		await follow(page, "/console/widget");
		await page.fill("#accent", "#0b5cad");
		await page.setInputFiles("#logo", { name: "logo.png", mimeType: "image/png", buffer: LOGO });
		await page.click("main form button");
		await page.waitForURL("**/console/widget?done=1");
		const width = () => page.evaluate("document.querySelector('img.logo').naturalWidth");
		await expect.poll(width).toBe(1);
		await expectFit(page);

		await follow(page, "/console/keys");
		await page.fill("#label", "caja 7");
		await page.fill("#allowed_cidrs", "203.0.113.0/24");
		await page.click("main form button");
		const made = await page.textContent("code.secret");
		expect(made).toMatch(/^gw_dev_/);
		await expectFit(page);
		await page.click("main p a");
		await expectFit(page);
		await picture(page, `console-keys-${name}`, "partners", 900);
		expect(await page.content()).not.toContain(made);
		await page.click("table a >> text=caja 7");
		await expectFit(page);
		await page.click("button.danger");
		await page.waitForURL("**/console/keys?done=1");
		await page.click("main a[href='/console/keys/ended']");
		await page.waitForURL("**/console/keys/ended");
		await expectFit(page);

		await follow(page, "/console/settings");
		await expectFit(page);
		await page.click("header .end button");
		await expectFit(page);
		await page.click("header a[hreflang]");
		expect(await page.getAttribute("html", "lang")).toBe(name === "es" ? "en" : "es");
		await follow(page, "/console/keys");
		expect(await page.getAttribute("html", "lang")).toBe(name === "es" ? "en" : "es");
		expect(await page.evaluate("document.cookie")).toMatch(/^lang=(es|en)$/);

		await page.click("header .end button");
		await page.click("#account form button");
		await page.waitForURL("**/console/sign_in?signed_out=1");
		await expectFit(page);
		await page.goBack();
		await page.waitForURL("**/console/sign_in**");
		expect(await page.content()).not.toContain("Ñuñoa");
	});

test("another site can neither post a form nor show the console or a hosted session in a frame", async () => {
	const { url, stranger } = place();
	const partner = await createPartner();
	const page = await signIn(await partner.addKey("manage"));
	await page.goto(`${url}/console/settings`);
	const csrf = await page.inputValue("input[name=csrf] >> nth=0");
	const attack = await page.context().newPage();
	await attack.goto(stranger);
	await attack.evaluate(
		`document.body.innerHTML = '<form method="post" action="${url}/console/reminders"><input name="csrf" value="${csrf}"><input name="holder_reminders" value="1"></form>'`,
	);
	await attack.evaluate("document.forms[0].submit()");
	await attack.waitForURL(`${url}/**`);
	expect(await attack.locator("nav.pages").count()).toBe(0);
	await page.reload();
	expect(await page.isChecked("input[name=holder_reminders]")).toBe(false);

	const hosted = await partner.session(await partner.buyCode());
	for (const address of [`${url}/console/keys`, hosted.url]) {
		await attack.goto(stranger);
		await expectNotFramed(attack, address);
	}
});
