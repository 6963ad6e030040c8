import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";
import { WIDGET_TEXTS, type WidgetText } from "../../src/texts/widget.ts";
import { WIDGET_ENDS, WIDGET_REFUSALS } from "../../src/texts/widget-refusals.ts";
import { testsWith } from "../interop/tool-test.ts";
import { byTurns } from "../support/run-size.ts";
import { expectAccessible, expectFit } from "./accessibility.ts";
import { newPage } from "./browsers.ts";
import { createPartner, type Session } from "./partner.ts";
import { picture } from "./pictures.ts";
import {
	acceptAndSend,
	answer,
	begun,
	complete,
	FULL,
	JUANA,
	press,
	REVIEW,
	STEPS,
	signOn,
	startWidget,
	untilTitled,
} from "./widget.ts";

/* Every step of the widget, and every screen on which a session can end, light and dark: what it says, and nothing for axe to find. */

const test = testsWith("chromium");

let screens = 0;

/** In the dark and in the light; CI looks at two screens in the dark and at two in the light, so that axe reads one of each. */
async function expectFitInColours(page: Page, where: Page | Frame = page): Promise<void> {
	for (const colorScheme of byTurns(["dark", "light"] as const, 2, Math.floor(screens++ / 2))) {
		await page.emulateMedia({ colorScheme });
		await expectFit(page, where);
	}
}

test("axe finds nothing on any step, light or dark, and the first error is announced", async () => {
	const { page, frame } = await startWidget({ ...FULL, validate_vencimiento: 1 }, { accent: "#0b7a53" });
	const look = async (name: string) => {
		await expectFitInColours(page, frame);
		await picture(page, name);
	};
	await untilTitled(frame, STEPS.rut.title);
	// Nothing comes before it, and a shop's page keeps its focus.
	expect(await frame.getByRole("button", { name: "Volver" }).count()).toBe(0);
	expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
	const rut = frame.getByLabel("RUT", { exact: true });
	await rut.fill("11.111.111-2");
	await look("rut");
	const error = frame.locator("#dni-error");
	expect(await error.textContent()).toContain("dígito verificador");
	expect(await error.getAttribute("aria-live")).toBe("polite");
	expect(await rut.getAttribute("aria-invalid")).toBe("true");
	await rut.fill(JUANA.rut);
	expect(await rut.getAttribute("aria-invalid")).toBeNull();
	await press(frame, "Continuar");
	for (const step of ["expiry", "name"] as const) {
		await untilTitled(frame, STEPS[step].title);
		await STEPS[step].answer(frame, JUANA);
		await look(step);
		await press(frame, "Continuar");
	}
	await untilTitled(frame, "Confirme que es usted");
	await look("sign-on");
	await signOn(page, frame, JUANA.rut);
	for (const step of ["email", "pin"] as const) {
		await untilTitled(frame, STEPS[step].title);
		await STEPS[step].answer(frame, JUANA);
		await look(step);
		await press(frame, "Continuar");
	}
	await untilTitled(frame, REVIEW);
	const consent = await frame.locator(".check").innerHTML();
	expect(consent).toMatch(/docs\/terms\b.*términos.*docs\/privacy\b.*privacidad/s);
	await look("review");
	await acceptAndSend(frame, "Su certificado está listo");
	await look("ready");
});

test("axe finds nothing on the card's step, nor where the certificate was sent", async () => {
	const { page, frame } = await startWidget({ mode: "B2B", delivery_email: "partner@example.cl" });
	await answer(frame, ["rut"]);
	await untilTitled(frame, STEPS.card.title);
	await expectFit(page, frame);
	await picture(page, "card");
	await page.clock.install();
	await page.route("**/submit", async (route) => {
		const response = await route.fetch();
		const { data } = await response.json();
		const delivery = { status: "pending", next_attempt_at: new Date().toISOString() };
		await route.fulfill({ response, json: { success: true, data: { ...data, delivery } } });
	});
	await complete(frame, ["card", "email", "pin"], "Su certificado fue emitido");
	await frame.getByText("Todavía no llega a Tienda Andes").waitFor();
	await expectAccessible(frame);
	await page.clock.fastForward(15_000);
	await frame.getByText("Tienda Andes lo recibió").waitFor();
	await expectAccessible(frame);
});

type Locale = "es" | "en";

const { rut: dni, card: serialNumber, email, pin } = JUANA;
const REQUEST = { dni, serialNumber, email, pin, referenceId: "order-1" };

test("axe finds nothing where a session ends, light and dark, Spanish and English by turns", async () => {
	let locale: Locale = "es";
	const turn = () => {
		locale = locale === "es" ? "en" : "es";
		return locale;
	};
	const [partner, b2b] = [
		await createPartner(),
		await createPartner({ mode: "B2B", delivery_email: "partner@example.cl" }),
	];
	const page = await newPage();
	const say = (text: WidgetText) => WIDGET_TEXTS[text][locale].split("{")[0]!;
	const expectEnd = async (text: string) => {
		await page.locator("main").getByText(text.split("{")[0]!.trim()).first().waitFor();
		await expectFitInColours(page);
	};

	const ends: [keyof typeof WIDGET_ENDS, (session: Session, code: string) => unknown][] = [
		["expired", (session) => partner.expire(session)],
		["replaced", (_, code) => partner.session(code)],
		[
			"cancelled",
			({ session_id }) => partner.call("DELETE", `/api/partners/v1/onboarding_sessions/${session_id}`),
		],
		[
			"superseded",
			(_, code) => partner.call("POST", "/api/partners/v1/certificate_request", { ...REQUEST, pCode: code }),
		],
		["code_closed", (_, code) => partner.operate(code, "block")],
	];
	for (const [reason, end] of ends) {
		const code = await partner.buyCode();
		const session = await begun(partner, JUANA, { locale: turn() }, code);
		await end(session, code);
		await page.goto(session.url);
		await page.getByRole("heading", { name: WIDGET_ENDS.endTitle[locale] }).waitFor();
		await expectEnd(WIDGET_ENDS[reason][locale].replace("{partner}", "Tienda Andes"));
	}
	const open = await begun(partner, JUANA, { locale: turn() });
	await page.goto(open.url.split("#")[0]!);
	await expectEnd(WIDGET_ENDS.unknown[locale]);
	await page.route(open.url.split("#")[0]!, async (route) => {
		const response = await route.fetch();
		const body = (await response.text()).replace('"refusal":null', '"refusal":"SERVICE_UNAVAILABLE"');
		await route.fulfill({ response, body });
	});
	await page.reload();
	await expectEnd(WIDGET_REFUSALS.SERVICE_UNAVAILABLE[locale]);

	const iris = { ...JUANA, rut: "10000005-9", card: "100000005", email: "iris@example.cl" };
	await submit(page, await begun(partner, iris, { locale: turn() }), locale);
	await expectEnd(WIDGET_REFUSALS.REGISTRY_UNAVAILABLE[locale]);

	const pCode = await partner.buyCode();
	const locked = await begun(partner, JUANA, { locale: turn() }, pCode);
	const wrong = { ...REQUEST, pCode, serialNumber: "999999999" };
	for (let i = 0; i < 3; i++) await partner.call("POST", "/api/partners/v1/certificate_request", wrong);
	await page.clock.install();
	await page.goto(locked.url);
	await expectEnd(WIDGET_REFUSALS.ATTEMPT_LIMIT_REACHED[locale]);
	await page.clock.runFor(1_500);
	expect(await page.getByRole("button", { name: say("retry") }).isDisabled()).toBe(true);

	const shown = [
		[partner, {}, "readyTitle"],
		[partner, { claim: false }, "validatedTitle"],
		[b2b, {}, "sentTitle"],
	] as const;
	for (const [whose, fields, title] of shown) {
		await submit(page, await begun(whose, JUANA, { locale: turn(), ...fields }), locale);
		await page.getByRole("heading", { name: say(title) }).waitFor();
		await expectEnd(say(title));
	}
});

/** The PIN, the last look, and off. */
async function submit(page: Page, session: Session, locale: Locale): Promise<void> {
	const text = (key: WidgetText) => WIDGET_TEXTS[key][locale];
	await page.goto(session.url);
	await page.getByLabel(text("pin"), { exact: true }).fill(JUANA.pin);
	await page.getByLabel(text("pinRepeat"), { exact: true }).fill(JUANA.pin);
	await page.getByRole("button", { name: text("next"), exact: true }).press("Enter");
	await page.getByLabel(text("accept").split("{")[0]!).press("Space");
	await page.getByRole("button", { name: text("submit"), exact: true }).press("Enter");
}
