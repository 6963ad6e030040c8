import { expect } from "vitest";
import { testsWith } from "../interop/tool-test.ts";
import { DESKTOP, looks, newPage } from "./browsers.ts";
import { expectHarmless } from "./console-sign-in.ts";
import { createPartner, inDatabase, place } from "./partner.ts";
import { picture } from "./pictures.ts";

/* Pages of a partner's console in a browser: overview, codes, a code, certificates, deliveries, usage. */

const test = testsWith("chromium");

const MARKUP = `"><img src=x onerror=alert(1)>`;
const HOLDER = { dni: "11111111-1", email: "juana@example.cl", pin: "4821", serialNumber: "111111111" };

/** A partner with something of everything, and a key that signs in. */
async function busyPartner() {
	const partner = await createPartner({ key_algorithm: "ec-p256", webhook_url: "https://127.0.0.1:9/hook" });
	const request = (pCode: string, fields: object) =>
		partner.call("POST", "/api/partners/v1/certificate_request", { ...HOLDER, pCode, ...fields });
	await partner.call("POST", "/api/partner/v1/pcode/bulk", { productCode: "FV02", quantity: 60 });
	const issued = await partner.buyCode();
	await request(issued, { referenceId: MARKUP, serialNumber: "999999999" });
	await request(issued, { referenceId: MARKUP });
	const claim = { p_code: issued, dni: HOLDER.dni, pin: HOLDER.pin };
	const claimed = await partner.call("POST", "/api/partners/v1/certificate_claim", claim);
	await partner.operate(await partner.buyCode(), "block");
	const waiting = await partner.buyCode();
	const key = await partner.addKey("manage", "codes");
	const delivery = crypto.randomUUID();
	await inDatabase(
		`INSERT INTO outbox (id, partner_id, code, event, channel, created_at, attempts, last_attempt_at, last_outcome, dead_at)
		VALUES (?, ?, ?, 'certificate.emitted', 'webhook', ?, 10, ?, 'http 503', ?)`,
		...[delivery, partner.id, issued, Date.now(), Date.now(), Date.now()],
	);
	await inDatabase(
		`INSERT INTO delivery_attempts (partner_id, delivery_id, at, duration_ms, channel, outcome, http_status)
		VALUES (?, ?, ?, 412, 'webhook', 'http 503', 503)`,
		...[partner.id, delivery, Date.now()],
	);
	return { issued, serial: claimed.body.data.serialNumber, waiting, delivery, key };
}

for (const [look, options, said] of looks(
	1,
	{ cancelled: "El código quedó anulado.", made: "1.200 de 1.200 códigos creados." },
	{ cancelled: "The code is cancelled.", made: "1,200 of 1,200 codes created." },
))
	test(`every page, and what is done there by keyboard: ${look}`, async () => {
		const { issued, serial, waiting, delivery, key } = await busyPartner();
		const isDesktop = options.viewport.width === 1280;
		const page = await newPage(options);
		const open = async (path: string) => {
			await page.goto(`${place().url}/console${path}`);
			await expectHarmless(page);
		};
		await page.goto(`${place().url}/console`);
		await page.fill("#key", key);
		await page.keyboard.press("Enter");
		await page.waitForURL("**/console/overview");
		await expectHarmless(page);
		await picture(page, `console-overview-${isDesktop ? "en" : "es"}`, "partners", 800);
		await page.click(".chart summary");
		await expectHarmless(page);

		for (const path of [
			...["/codes", "/codes?status=sin_utilizar&page=2", "/codes?created_from=nonsense", `/codes/${issued}`],
			...[
				"/certificates",
				"/certificates?validity=valid&expiring_before=2099-01-01",
				`/certificates/${serial}`,
			],
			...["/deliveries", `/deliveries/${delivery}`, "/usage", "/usage?month=2026-02", "/codes/none"],
		])
			await open(path);

		// A figure leads to its list.
		await open("/overview");
		await page.click('a[href="/console/codes?status=bloqueado"]');
		await expectHarmless(page);
		expect(await page.locator("tbody tr").count()).toBe(1);

		// An order of more than a batch, by keyboard.
		await open("/codes");
		await page.focus("#quantity");
		await page.keyboard.type("1200");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/codes/orders/*");
		await expectHarmless(page);
		expect(await page.textContent("main")).toContain(said.made);

		// A code is cancelled, by keyboard; what is missing is said and takes the focus.
		await open(`/codes/${waiting}`);
		await picture(page, `console-code-${isDesktop ? "en" : "es"}`, "partners", 700);
		await page.focus("#reason");
		await page.keyboard.type(MARKUP);
		await page.keyboard.press("Enter");
		await page.waitForSelector("#cancel-wrong");
		await expectHarmless(page);
		expect(await page.evaluate("document.activeElement.name")).toBe("cancel");
		await page.keyboard.press("Space");
		await page.focus("#reason");
		await page.keyboard.press("ControlOrMeta+A");
		await page.keyboard.type(MARKUP);
		await page.keyboard.press("Enter");
		await page.waitForURL("**?done=cancel");
		await expectHarmless(page);
		expect(await page.textContent("[role=status]")).toContain(said.cancelled);
		expect(await page.textContent("main")).toContain(MARKUP);

		// A file, a test of the webhook, certificates of a RUT.
		await open("/codes?status=emitido");
		const [file] = await Promise.all([page.waitForEvent("download"), page.click('a[href*="format=csv"]')]);
		expect(file.suggestedFilename()).toBe("pcodes.csv");
		await open("/deliveries");
		await page.click('form[action$="/webhook/test"] button');
		await page.waitForSelector("[role=alert], [role=status]");
		await expectHarmless(page);
		await open("/certificates");
		await page.fill("#dni", "11.111.111-1");
		await page.keyboard.press("Enter");
		await page.waitForURL("**/certificates/search");
		await expectHarmless(page);
		expect(await page.textContent("main")).toContain(issued);
		expect(page.url().slice(place().url.length)).not.toContain("11");
	});

test("a clerk finds a code by its first six symbols, cancels it and sells another", async () => {
	const { waiting, key } = await busyPartner();
	const page = await newPage(DESKTOP);
	await page.goto(`${place().url}/console`);
	await page.fill("#key", key);
	await page.keyboard.press("Enter");
	await page.waitForURL("**/console/overview");

	// The caller reads out "siete ka tres eme, nueve cu …".
	await page.keyboard.press("/");
	await page.keyboard.type(waiting.replaceAll("-", "").slice(0, 6).toLowerCase());
	await page.keyboard.press("Enter");
	await page.waitForURL(`**/console/codes/${waiting}`);

	await page.fill("#reason", "devuelto por el cliente");
	await page.click("input[name=cancel]");
	await page.click("button.danger");
	await page.waitForURL("**?done=cancel");

	await page.click("nav.pages a[href='/console/codes']");
	await page.click("main a[href='#order']");
	await page.fill("#quantity", "1");
	await page.keyboard.press("Enter");
	await page.waitForURL("**/codes/orders/*");

	// The filters of a list stay in its address, by mouse and calendar.
	await page.goto(`${place().url}/console/codes`);
	await page.selectOption("#product_code", "FV02");
	await page.selectOption("#sort", "oldest");
	await page.selectOption("#limit", "25");
	await page.click(".toolbar button");
	await page.waitForURL("**/codes?*product_code=FV02*");
	await page.fill("#page", "3");
	await page.keyboard.press("Enter");
	await page.waitForURL("**page=3**");
	expect(await page.locator("tbody tr").count()).toBe(10);
	expect(new URL(page.url()).searchParams.get("sort")).toBe("oldest");
});
