import type { Page } from "playwright-core";
import { expect } from "vitest";
import { WIDGET_TEXTS, type WidgetText } from "../../src/texts/widget.ts";
import { WIDGET_ENDS, WIDGET_REFUSALS } from "../../src/texts/widget-refusals.ts";
import { testWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { newPage, useBrowser } from "./browsers.ts";
import { createPartner, type Partner, place, type Session } from "./partner.ts";
import { JUANA } from "./widget.ts";

/* Every screen on which a session can end, in both languages, light and dark: what it says, and nothing for axe to find. */

useBrowser();

type Locale = "es" | "en";

/** JUANA's answers as the frame sends them. */
const TYPED = { dni: JUANA.rut, serialNumber: JUANA.card, email: JUANA.email };
const REQUEST = { ...TYPED, referenceId: "order-1", pin: JUANA.pin };

for (const locale of ["es", "en"] as const)
	testWith("chromium", `axe finds nothing where a session ends: ${locale}, light and dark`, async () => {
		const [partner, b2b] = [
			await createPartner(),
			await createPartner({ mode: "B2B", delivery_email: "partner@example.cl" }),
		];
		const page = await newPage({ locale: locale === "es" ? "es-CL" : "en-GB" });
		const say = (text: WidgetText) => WIDGET_TEXTS[text][locale].split("{")[0]!;
		const expectEnd = async (text: string) => {
			await page.locator("main").getByText(text.split("{")[0]!.trim()).first().waitFor();
			for (const colorScheme of ["dark", "light"] as const) {
				await page.emulateMedia({ colorScheme });
				await expectAccessible(page);
			}
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
				(_, code) =>
					partner.call("POST", "/api/partners/v1/certificate_request", { ...REQUEST, pCode: code }),
			],
			["code_closed", (_, code) => partner.operate(code, "block")],
		];
		for (const [reason, end] of ends) {
			const { session, code } = await begun(partner, locale);
			await end(session, code);
			await page.goto(session.url);
			await page.getByRole("heading", { name: WIDGET_ENDS.endTitle[locale] }).waitFor();
			await expectEnd(WIDGET_ENDS[reason][locale].replace("{partner}", "Tienda Andes"));
		}
		const { session: open } = await begun(partner, locale);
		await page.goto(open.url.split("#")[0]!);
		await expectEnd(WIDGET_ENDS.unknown[locale]);
		await page.route(open.url.split("#")[0]!, async (route) => {
			const response = await route.fetch();
			const body = (await response.text()).replace('"refusal":null', '"refusal":"SERVICE_UNAVAILABLE"');
			await route.fulfill({ response, body });
		});
		await page.reload();
		await expectEnd(WIDGET_REFUSALS.SERVICE_UNAVAILABLE[locale]);

		const iris = { ...TYPED, dni: "10000005-9", serialNumber: "100000005", email: "iris@example.cl" };
		const failed = await begun(partner, locale, iris);
		await submit(page, failed.session, locale);
		await expectEnd(WIDGET_REFUSALS.REGISTRY_UNAVAILABLE[locale]);

		const locked = await begun(partner, locale);
		const wrong = { ...REQUEST, pCode: locked.code, serialNumber: "999999999" };
		for (let i = 0; i < 3; i++) await partner.call("POST", "/api/partners/v1/certificate_request", wrong);
		await page.goto(locked.session.url);
		await expectEnd(WIDGET_REFUSALS.ATTEMPT_LIMIT_REACHED[locale]);
		expect(await page.getByRole("button", { name: say("retry") }).isDisabled()).toBe(true);

		const shown = [
			[partner, {}, "readyTitle"],
			[partner, { claim: false }, "validatedTitle"],
			[b2b, {}, "sentTitle"],
		] as const;
		for (const [whose, fields, title] of shown) {
			const { session } = await begun(whose, locale, TYPED, fields);
			await submit(page, session, locale);
			await page.getByRole("heading", { name: say(title) }).waitFor();
			await expectEnd(say(title));
		}
	});

/** A session whose holder has typed all but the PIN. */
async function begun(partner: Partner, locale: Locale, typed: object = TYPED, fields: object = {}) {
	const code = await partner.buyCode();
	const session = await partner.session(code, { locale, ...fields });
	const frame = async (method: string, path: string, body?: object) => {
		const { status } = await fetch(`${place().url}/widget/v1/sessions/${session.session_id}${path}`, {
			method,
			headers: { authorization: `Bearer ${session.token}`, "content-type": "application/json" },
			...(body && { body: JSON.stringify(body) }),
		});
		expect(status).toBe(200);
	};
	await frame("POST", "/open");
	await frame("PUT", "/answers", { ...typed, step: "review" });
	return { session, code };
}

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
