import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestHarness } from "wrangler";

/* The page where a holder revokes, in Debian's Chromium: without script, by keyboard, on a telephone and a desktop. */

const CHROMIUM = "/usr/bin/chromium";
const root = join(import.meta.dirname, "..", "..");
const secrets = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8")) as Record<string, string>;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const harness = createTestHarness({ root, workers: [{ configPath: "./wrangler.toml" }] });
const HOLDER = { dni: "11111111-1", email: "juana@example.cl", pin: "4821" };

let origin: string;
let browser: Browser;

beforeAll(async () => {
	if (!existsSync(CHROMIUM) && !process.env.CI) return;
	origin = (await harness.listen()).url.origin;
	await harness.getWorker().applyD1Migrations("DB");
	const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"];
	browser = await chromium.launch({ executablePath: CHROMIUM, args: [...args, "--disable-sync"] });
}, 120_000);
afterAll(async () => {
	await browser?.close();
	await harness.close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
async function post(path: string, body: unknown, headers: Record<string, string>): Promise<any> {
	const response = await harness.fetch(path, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
	return ((await response.json()) as { data: unknown }).data;
}

/** @returns the serial of a certificate of HOLDER. */
async function issue(): Promise<string> {
	const partner = { name: "Notaría Uno", key_algorithm: "ec-p256" };
	const created = await post("/ops/v1/partners", partner, { authorization: `Bearer ${secrets.OPS_TOKEN}` });
	const key = { "x-gw": created.api_key as string };
	const { pcodes } = await post("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 }, key);
	const holder = { ...HOLDER, pCode: pcodes[0], referenceId: "browser", serialNumber: "111111111" };
	await post("/api/partners/v1/certificate_request", holder, key);
	const claim = { p_code: pcodes[0], dni: HOLDER.dni, pin: HOLDER.pin };
	return (await post("/api/partners/v1/certificate_claim", claim, key)).serialNumber;
}

/** What the e-mailed code does, once the visit has found its certificates. */
async function proveVisit(): Promise<void> {
	const { DB } = (await harness.getWorker().getEnv()) as { DB: D1Database };
	const prove = "UPDATE holder_visits SET proved_at = ? WHERE found IS NOT NULL AND proved_at IS NULL";
	await vi.waitUntil(async () => (await DB.prepare(prove).bind(Date.now()).run()).meta.changes > 0, 20_000);
}

/** No violation of axe-core, and nothing to scroll sideways for. */
async function expectFit(page: Page): Promise<void> {
	const run = `(() => { ${axe}; return axe.run(document); })()`;
	const { violations } = (await page.evaluate(run)) as { violations: { id: string }[] };
	expect([page.url(), violations.map(({ id }) => id)]).toEqual([page.url(), []]);
	expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
}

const LOOKS: [string, BrowserContextOptions][] = [
	["a telephone, light", { viewport: { width: 320, height: 640 }, locale: "es-CL", colorScheme: "light" }],
	["a desktop, dark", { viewport: { width: 1280, height: 800 }, locale: "en-GB", colorScheme: "dark" }],
];

for (const [look, options] of LOOKS)
	test.skipIf(!existsSync(CHROMIUM) && !process.env.CI)(
		`${look}: from RUT to revoked by keyboard alone, axe-core finds nothing`,
		{
			timeout: 120_000,
		},
		async () => {
			const serial = await issue();
			const context = await browser.newContext(options);
			const page = await context.newPage();
			const type = async (id: string, text: string) => {
				await page.focus(id);
				await page.keyboard.type(text);
			};
			await page.goto(`${origin}/revocar`);
			await expectFit(page);
			await type("#rut", "1");
			await page.keyboard.press("Enter");
			await page.waitForSelector("#rut-wrong");
			expect(await page.evaluate("document.activeElement.id")).toBe("rut");
			await expectFit(page);
			await page.keyboard.press("ControlOrMeta+A");
			await page.keyboard.type(HOLDER.dni);
			await type("#email", HOLDER.email);
			await page.keyboard.press("Enter");
			await page.waitForURL("**/revocar/codigo");
			await expectFit(page);
			await type("#code", "00000000");
			await page.keyboard.press("Enter");
			await page.waitForSelector("#code-wrong");
			await expectFit(page);
			await proveVisit();
			await page.goto(`${origin}/revocar/certificado`);
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
			await page.waitForURL("**/revocar/certificado?listo=*");
			await expectFit(page);
			expect(await page.textContent("main")).toContain(serial);
			expect(await page.evaluate("document.cookie")).toBe("");
			await context.close();
		},
	);
