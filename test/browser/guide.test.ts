import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { addressOf, FOLDER, PAGES, readPage } from "../../scripts/guide/pages.ts";
import { snippetsOf } from "../../scripts/guide/snippets.ts";
import { testsWith } from "../interop/tool-test.ts";
import { freePort } from "../support/free-port.ts";
import { byTurns } from "../support/run-size.ts";
import { expectFit } from "./accessibility.ts";
import { DESKTOP, NARROW, newPage } from "./browsers.ts";
import { createPartner, place } from "./partner.ts";
import { STEPS, untilTitled } from "./widget.ts";

/* The guide and the reference at /docs/, the pages where people land, the templates of the operator, and the shop of its page about the widget. */

const test = testsWith("chromium");

/** Each language in one look: `expectFit` sees both at 320 pixels, and with text of twice the size. CI looks at two fifths of the pages, each in one language. */
for (const [language, look, size] of [
	["es", "320 pixels wide, in the dark", { ...NARROW, colorScheme: "dark" }],
	["en", "on a desktop", DESKTOP],
] as const)
	test(`every page, ${language}, ${look}: accessible, and no wider than the screen`, async () => {
		const page = await newPage(size);
		const reference = ["", "requestCertificate", "showPurchaseCode", "onCertificateEmitted"];
		const paths = [
			...PAGES.map((name) => addressOf(language, name)),
			...reference.map((id) => `/docs/${language}/reference/${id}`),
			...["/", "/nothing", "/cps/", "/docs/terms/", "/docs/privacy/"].map(
				(path) => `${path}?lang=${language}`,
			),
		];
		for (const path of byTurns(paths, 5, language === "es" ? 0 : 1)) {
			const answer = await page.goto(place().url + path);
			expect(answer?.status(), path).toBe(path.startsWith("/nothing") ? 404 : 200);
			await expectFit(page);
		}
	});

test("/docs/ begins in Spanish; the other language of a page is one step away", async () => {
	const page = await newPage();
	await page.goto(`${place().url}/docs/`);
	await untilTitled(page, "Guía para partners");
	await page.getByRole("link", { name: "Su primer PFX en diez minutos" }).first().click();
	await page.getByRole("link", { name: "English" }).click();
	await untilTitled(page, "Your first PFX in ten minutes");
	expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

for (const [language, asked, found] of [
	["es", "vencimiento de la cédula", "/docs/es/"],
	["en", "expiry of a certificate", "/docs/en/"],
] as const)
	test(`search, ${language}: by keyboard to a section of the guide or a call of the reference`, async () => {
		const page = await newPage(NARROW);
		await page.goto(`${place().url}/docs/${language}/`);
		await page.keyboard.press("/");
		await page.keyboard.type("certificate_claim");
		const results = page.locator("#results");
		const addresses = () =>
			results.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
		await expect.poll(async () => (await addresses())[0]).toBe(`${found}reference/claimCertificate`);
		expect(await page.getByRole("status").textContent()).toMatch(/^\d+ (resultados|results)$/);
		if (language === "es") await expectFit(page);
		await page.getByRole("searchbox").fill(asked);
		await results
			.locator("mark", { hasText: /venc|expir/i })
			.first()
			.waitFor();
		expect(new Set((await addresses()).map((address) => address?.startsWith(found)))).toEqual(
			new Set([true]),
		);
		await page.keyboard.press("ArrowDown");
		const [wanted] = await addresses();
		await page.keyboard.press("Enter");
		await page.waitForURL((url) => url.pathname + url.hash === decodeURI(new URL(wanted!, url).pathname));
		await page.getByRole("searchbox").fill("жжж");
		await expect
			.poll(() => page.getByRole("status").textContent())
			.toMatch(/No se encontró nada|Nothing found/);
		await page.keyboard.press("Escape");
		expect(await results.isHidden()).toBe(true);
	});

test("code is copied as it stands; a language that was chosen once is shown in every example", async () => {
	const page = await newPage({ ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] });
	await page.goto(`${place().url}/docs/es/first-pfx`);
	await page.getByRole("radio", { name: "PHP" }).check();
	const shown = page.locator(".tabs figure:visible");
	expect(await shown.locator("figcaption").textContent()).toBe("first-pfx.php");
	await shown.getByRole("button", { name: "Copiar" }).click();
	await shown.getByRole("button", { name: "Copiado" }).waitFor();
	const file = join(FOLDER, "examples/first-pfx.php");
	expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
		(await readFile(file, "utf8")).trimEnd(),
	);
	await page.goto(`${place().url}/docs/en/statuses`);
	expect(await page.locator(".tabs figure:visible figcaption").textContent()).toBe("status.php");
});

test("without script: everything is read, the examples too, and nothing that would need one is shown", async () => {
	const page = await newPage({ ...DESKTOP, javaScriptEnabled: false });
	await page.goto(`${place().url}/docs/es/first-pfx`);
	expect(await page.locator(".copy:visible, [role=search]:visible").count()).toBe(0);
	await page.getByText("Python", { exact: true }).click();
	expect(await page.locator(".tabs figure:visible figcaption").textContent()).toBe("first-pfx.py");
	await page.getByText("En esta página").click();
	await page.getByRole("link", { name: "Todo junto, en su lenguaje" }).click();
	expect(decodeURI(page.url())).toContain("#todo-junto-en-su-lenguaje");
});

test("from / to the guide, and from the reference's address of before to the call", async () => {
	const page = await newPage(NARROW);
	await page.goto(place().url);
	await page.getByRole("link", { name: "Guía y referencia de la API" }).click();
	await untilTitled(page, "Guía para partners");
	await page.goto(`${place().url}/docs/reference?lang=en#claimCertificate`);
	expect(page.url()).toBe(`${place().url}/docs/en/reference/#claimCertificate`);
	await page.locator("#claimCertificate a").click();
	expect(new URL(page.url()).pathname).toBe("/docs/en/reference/claimCertificate");
	expect(await page.getByRole("heading", { level: 1 }).textContent()).not.toBe("");
});

test("the shop of the page about the widget shows the widget", async () => {
	const { markdown } = await readPage("es", "widget");
	const shop = snippetsOf(markdown).find(({ caption }) => caption === "shop.mjs")!;
	const port = await freePort();
	const address = `http://127.0.0.1:${port}`;
	const { key } = await createPartner({}, { origins: [address] });
	const folder = await mkdtemp(join(tmpdir(), "shop-"));
	await writeFile(join(folder, "shop.mjs"), shop.text.replace("4000", String(port)));
	const env = { ...process.env, URL: place().url, KEY: key };
	const server = spawn("node", ["shop.mjs"], { cwd: folder, env, stdio: "ignore" });
	onTestFinished(async () => {
		server.kill();
		await rm(folder, { recursive: true });
	});
	const page = await newPage();
	await expect.poll(() => page.goto(address).catch(() => null)).not.toBeNull();
	const frame = (await (await page.waitForSelector("iframe")).contentFrame())!;
	await untilTitled(frame, STEPS.rut.title);
});
