import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { RECEIPT } from "../../src/texts/widget-receipt.ts";
import { testWith } from "../interop/tool-test.ts";
import { isLongRun } from "../support/run-size.ts";
import { DESKTOP, ENGINE, NARROW, newPage, TELEPHONE } from "./browsers.ts";
import { createPartner, place } from "./partner.ts";
import {
	answer,
	begun,
	close,
	complete,
	download,
	embed,
	JUANA,
	openWidget,
	REVIEW,
	STEPS,
	storyOf,
	subjectOf,
	type Typed,
	untilTitled,
} from "./widget.ts";

const TOOLS = [ENGINE, "openssl"] as const;

/** The last is the program that walks in it in CI. */
const SIZES = [
	["on a telephone", TELEPHONE, "firefox-esr"],
	["on a desktop", DESKTOP, "chromium"],
	["320 pixels wide", NARROW, "chromium"],
] as const;

describe.for(SIZES.filter((size) => isLongRun || size[2] === ENGINE))("reduced flow, B2C, %s", ([, size]) => {
	testWith(TOOLS, "from the shop's page to a PFX that openssl opens", async () => {
		const partner = await createPartner();
		const code = await partner.buyCode();
		const page = await newPage(size);
		const frame = await openWidget(page, await partner.session(code));

		await untilTitled(frame, STEPS.rut.title);
		// Everything that the first paint needs came with the page; what follows are the frame's own calls.
		const kinds = "performance.getEntriesByType('resource').map(({ initiatorType }) => initiatorType)";
		expect(new Set(await frame.evaluate<string[]>(kinds))).toEqual(new Set(["fetch"]));
		await answer(frame, ["rut", "card"]);
		expect(await partner.status(code)).toBe("IN_ONBOARDING");
		await complete(frame, ["email", "pin"], "Su certificado está listo");
		const { path } = await download(page, frame);
		expect(subjectOf(path, JUANA.pin)).toContain("CN=JUANA ANDREA PÉREZ SOTO");
		expect(await partner.status(code)).toBe("EMITTED");
		expect(await storyOf(page)).toEqual([
			"ready",
			"started",
			"step rut",
			"step card",
			"step email",
			"step pin",
			"step review",
			"validated",
			"emitted",
		]);
		expect(JSON.stringify(await page.evaluate("events"))).not.toMatch(/11\.?111\.?111|JUANA|\b4821\b/i);
		expect(
			await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
		).toBe(0);
	});
});

testWith(
	TOOLS,
	"the hosted page: the same steps without a shop's page, and English where the session says so",
	async () => {
		const partner = await createPartner({ validate_vencimiento: 1 });
		const page = await newPage();
		const session = await partner.session(await partner.buyCode());
		await page.goto(session.url);
		await complete(page, ["rut", "card", "expiry", "email", "pin"], "Su certificado está listo");
		expect(subjectOf((await download(page, page)).path, JUANA.pin)).toContain("CN=JUANA");

		const english = await partner.session(await partner.buyCode(), { locale: "en" });
		await page.goto(english.url);
		await untilTitled(page, "What is your RUT?");
		expect(await page.evaluate("document.documentElement.lang")).toBe("en");
	},
);

type Prepare = (page: Page, address: string) => Promise<unknown>;
/** Fault, event to the page, and its last news of the frame when only the script's 15 seconds reveal the fault. */
const SILENT: [string, string, "loaded" | "nothing" | null, Prepare][] = [
	["this page's own policy", "FRAME_NOT_READY page_policy", null, (page) => page.evaluate(FORBID_FRAMES)],
	[
		"this page is not registered",
		"FRAME_NOT_READY not_allowed",
		"loaded",
		(page) => page.goto(place().stranger),
	],
	[
		"it does not load",
		"FRAME_NOT_READY not_loaded",
		"nothing",
		(page, address) => page.route(address, () => {}),
	],
	["the service has to refuse it now", "SERVICE_UNAVAILABLE", null, refuseFrame],
];
const FORBID_FRAMES = `document.head.append(Object.assign(document.createElement("meta"), {
	httpEquiv: "Content-Security-Policy", content: "frame-src 'none'" }))`;

/** The script's timer goes off when the test says so, and the test knows when a frame has loaded. */
const HOLD_TIMER = `{
	const begin = setTimeout;
	globalThis.setTimeout = (act, ms) => (ms === 15_000 ? void (globalThis.timeIsOver = act) : begin(act, ms));
	document.addEventListener("load", () => (globalThis.loaded = true), true);
}`;

for (const [why, told, heard, prepare] of SILENT)
	testWith(ENGINE, `a frame that does not begin tells its page why: ${why}`, async () => {
		const partner = await createPartner();
		const session = await partner.session(await partner.buyCode());
		const page = await newPage();
		await page.goto(place().shop);
		await prepare(page, `${place().url}/widget/frame/${session.session_id}`);
		await page.evaluate(HOLD_TIMER);
		await embed(page, session);
		if (heard === "loaded") await page.waitForFunction("globalThis.loaded");
		if (heard) {
			expect(await storyOf(page)).toEqual([]);
			await page.evaluate("timeIsOver()");
		}
		await expect.poll(() => storyOf(page)).toEqual([`failed ${told}`]);
	});

/** Has the service answer for the frame as it does while its database is silent. */
function refuseFrame(page: Page, address: string): Promise<unknown> {
	return page.route(address, async (route) => {
		const response = await route.fetch();
		const body = (await response.text()).replace('"refusal":null', '"refusal":"SERVICE_UNAVAILABLE"');
		await route.fulfill({ response, body });
	});
}

/** For what no browser changes: Firefox does it at night. */
const testOnce: typeof testWith = ENGINE === "chromium" || isLongRun ? testWith : () => undefined;

testOnce(ENGINE, "B2B: the certificate goes to the partner, and the page says so", async () => {
	const partner = await createPartner({ mode: "B2B", delivery_email: "partner@example.cl" });
	const code = await partner.buyCode();
	const page = await newPage();
	const frame = await openWidget(page, await begun(partner, JUANA, {}, code));
	await complete(frame, ["pin"], "Su certificado fue emitido");
	await frame.getByText("Tienda Andes lo recibió y se lo entregará.").waitFor();
	expect(await frame.getByRole("link").allTextContents()).toEqual([RECEIPT.install.es]);
	expect(await partner.status(code)).toBe("EMITTED");
	expect((await storyOf(page)).slice(-2)).toEqual(["validated", "emitted"]);
});

testOnce(ENGINE, "without the claim, the identity is validated and the partner claims", async () => {
	const partner = await createPartner();
	const code = await partner.buyCode();
	const page = await newPage();
	const frame = await openWidget(page, await begun(partner, JUANA, { claim: false }, code));
	await complete(frame, ["pin"], "Su identidad está validada");
	expect(await partner.status(code)).toBe("VALIDATED");
	const claim = { p_code: code, dni: JUANA.rut, pin: JUANA.pin };
	expect((await partner.call("POST", "/api/partners/v1/certificate_claim", claim)).status).toBe(200);
	await close(frame);
	await page.waitForSelector("iframe", { state: "detached" });
	expect((await storyOf(page)).at(-1)).toBe("closed");
});

testWith(ENGINE, "with the keyboard alone, from the first field to the certificate", async () => {
	const partner = await createPartner();
	const page = await newPage(DESKTOP);
	await page.goto((await partner.session(await partner.buyCode())).url);
	const typed = { rut: JUANA.rut, card: JUANA.card, email: JUANA.email };
	for (const [step, text] of Object.entries(typed)) {
		await untilTitled(page, STEPS[step as Typed].title);
		await page.keyboard.type(text);
		await page.keyboard.press("Enter");
	}
	await untilTitled(page, STEPS.pin.title);
	await page.keyboard.type(JUANA.pin);
	await page.keyboard.press("Tab");
	await page.keyboard.type(JUANA.pin);
	await page.keyboard.press("Enter");
	await untilTitled(page, REVIEW);
	while (!(await page.evaluate("document.activeElement.id === 'accept'"))) await page.keyboard.press("Tab");
	await page.keyboard.press("Space");
	await page.keyboard.press("Enter");
	await untilTitled(page, "Su certificado está listo");
});
