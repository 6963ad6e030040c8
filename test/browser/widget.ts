import { execFileSync } from "node:child_process";
import type { Frame, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { OnboardingEvent } from "../../src/widget/browser/onboarding-widget.d.ts";
import { newPage, savedBy } from "./browsers.ts";
import { createPartner, type Partner, place, type Session } from "./partner.ts";

/* The widget as a holder meets it: a shop's page opens it, and every step is answered by its labels. */

/** A person of the sandbox (docs/partners/en/sandbox.md), and what she types. */
export const JUANA = {
	rut: "11111111-1",
	card: "111111111",
	expiry: "20-05-2031",
	names: "Juana Andrea",
	fatherSurname: "Pérez",
	motherSurname: "Soto",
	phone: "9 1234 5678",
	email: "juana@example.cl",
	pin: "4821",
};
export type Holder = typeof JUANA;

/** The shop's page with the widget in it. */
export async function openWidget(page: Page, session: Session, shop = place().shop): Promise<Frame> {
	await page.goto(shop);
	return embed(page, session);
}

/** Opens the widget of a new session in a shop's page, of a partner of its own. */
export async function startWidget(...settings: Parameters<typeof createPartner>) {
	const partner = await createPartner(...settings);
	const page = await newPage();
	return { page, frame: await openWidget(page, await partner.session(await partner.buyCode())) };
}

/** Opens the hosted page of a new session, of a partner of its own. @param step - where its holder is */
export async function startHosted(step: "rut" | "pin" = "rut"): Promise<Page> {
	const partner = await createPartner();
	const page = await newPage();
	const session = step === "rut" ? await partner.session(await partner.buyCode()) : await begun(partner);
	await page.goto(session.url);
	return page;
}

/** A session whose holder has typed all but the PIN: its frame would begin there. @param code - a new one, unless given */
export async function begun(
	partner: Partner,
	{ rut, card, email }: Holder = JUANA,
	fields = {},
	code?: string,
) {
	const session = await partner.session(code ?? (await partner.buyCode()), fields);
	const asFrame = async (method: string, path: string, body?: object) => {
		const { status } = await fetch(`${place().url}/widget/v1/sessions/${session.session_id}${path}`, {
			method,
			headers: { authorization: `Bearer ${session.token}`, "content-type": "application/json" },
			...(body && { body: JSON.stringify(body) }),
		});
		expect(status).toBe(200);
	};
	await asFrame("POST", "/open");
	await asFrame("PUT", "/answers", { dni: rut, serialNumber: card, email, step: "review" });
	return session;
}

export async function embed(page: Page, { session_id, token }: Session): Promise<Frame> {
	const options = JSON.stringify({ element: "#widget", sessionId: session_id, token });
	await page.evaluate(
		`globalThis.events = []; globalThis.widget = OnboardingWidget.open({ ...${options}, onEvent: (event) => events.push(event) })`,
	);
	const element = await page.waitForSelector("iframe");
	return (await element.contentFrame())!;
}

export function eventsOf(page: Page): Promise<OnboardingEvent[]> {
	return page.evaluate("globalThis.events");
}

/** Names of the events without those of the height; a step with its own. */
export async function storyOf(page: Page): Promise<string[]> {
	const events = await eventsOf(page);
	return events
		.filter(({ type }) => type !== "onboarding.resize")
		.map((event) =>
			[
				event.type.slice("onboarding.".length),
				...("name" in event ? [event.name] : []),
				...("code" in event ? [event.code] : []),
				...("reason" in event ? [event.reason] : []),
			].join(" "),
		);
}

/** Methods of a page that the steps need: Playwright's pages and frames, and the WebKit of webkit-driver.ts. */
export interface Where {
	getByLabel(label: string, options?: { exact?: boolean }): Pick<Locator, "fill" | "press">;
	getByRole(
		role: "alert" | "button" | "heading" | "link",
		options?: { name?: string; exact?: boolean },
	): Pick<Locator, "press" | "textContent" | "waitFor">;
	locator(selector: string): Pick<Locator, "textContent">;
}

export async function fill(where: Where, label: string, value: string): Promise<void> {
	await where.getByLabel(label, { exact: true }).fill(value);
}

/** Presses a key: while the frame still grows to the step's height, a click would miss. */
export async function press(where: Where, name: string): Promise<void> {
	await where.getByRole("button", { name, exact: true }).press("Enter");
}

/** The shop takes the frame away at the click, and with it the answer to a key: the click is put off until after ours. */
export async function close(frame: Frame): Promise<void> {
	const button = frame.getByRole("button", { name: "Cerrar", exact: true });
	await button.evaluate((element: { click(): void }) => void setTimeout(() => element.click()));
}

export async function untilTitled(where: Where, title: string): Promise<void> {
	const heading = where.getByRole("heading", { name: title });
	await heading.waitFor().catch(async () => {
		throw new Error(`"${title}" is not shown, but: ${await where.locator("main").textContent()}`);
	});
}

/** One step after the other: what is typed there, and the title by which the next is known. */
export const STEPS = {
	rut: {
		title: "¿Cuál es su RUT?",
		answer: (where: Where, { rut }: Holder) => fill(where, "RUT", rut),
	},
	card: {
		title: "El número de serie de su cédula",
		answer: (where: Where, { card }: Holder) => fill(where, "Número de serie o de documento", card),
	},
	expiry: {
		title: "¿Cuándo vence su cédula?",
		answer: (where: Where, { expiry }: Holder) => fill(where, "Fecha de vencimiento", expiry),
	},
	name: {
		title: "Su nombre y su teléfono",
		async answer(where: Where, { names, fatherSurname, motherSurname, phone }: Holder) {
			await fill(where, "Nombres", names);
			await fill(where, "Apellido paterno", fatherSurname);
			await fill(where, "Apellido materno (opcional)", motherSurname);
			await fill(where, "Teléfono", phone);
		},
	},
	email: {
		title: "¿Cuál es su correo?",
		answer: (where: Where, { email }: Holder) => fill(where, "Correo electrónico", email),
	},
	pin: {
		title: "Cree un PIN",
		async answer(where: Where, { pin }: Holder) {
			await fill(where, "PIN de 4 dígitos", pin);
			await fill(where, "Repita el PIN", pin);
		},
	},
} as const;
export type Typed = keyof typeof STEPS;
export const REDUCED: Typed[] = ["rut", "card", "email", "pin"];
/** Settings of a partner with the full flow. */
export const FULL = { require_cedula_serie: 0, require_sso: 1 };
export const REVIEW = "Revise antes de enviar";
export const READY = "Su certificado está listo";

/** Answers these steps, each when it is shown. */
export async function answer(where: Where, steps: readonly Typed[], holder: Holder = JUANA): Promise<void> {
	for (const step of steps) {
		await untilTitled(where, STEPS[step].title);
		await STEPS[step].answer(where, holder);
		await press(where, "Continuar");
	}
}

/** @param then - title of the page that follows, to wait for. */
export async function acceptAndSend(where: Where, then?: string): Promise<void> {
	await untilTitled(where, REVIEW);
	await where.getByLabel("Acepto los").press("Space");
	await press(where, "Validar mi identidad");
	if (then) await untilTitled(where, then);
}

/** Answers the last steps, and sends all. */
export async function complete(where: Where, steps: readonly Typed[], then: string): Promise<void> {
	await answer(where, steps);
	await acceptAndSend(where, then);
}

/** Text of the refusal on the page. */
export async function refusalIn(where: Where): Promise<string> {
	return (await where.getByRole("alert").textContent()) ?? "";
}

/** The file that the holder gets. */
export async function download(page: Page, where: Where): Promise<{ name: string; path: string }> {
	const link = where.getByRole("link", { name: "Descargar certificado" });
	const saved = await savedBy(page, () => link.press("Enter"));
	expect(saved.name).toMatch(/^certificado-.*\.pfx$/);
	return saved;
}

/** Signs on in the tab that the widget opens: the sandbox's page. @param choice - a RUT, or a selector */
export async function signOn(page: Page, where: Where, choice: string): Promise<void> {
	await untilTitled(where, "Confirme que es usted");
	const [opened] = await Promise.all([
		page.context().waitForEvent("page"),
		where.getByRole("button", { name: "ClaveÚnica" }).press("Enter"),
	]);
	const person = opened.locator(choice.startsWith("[") ? choice : `[value="${choice}"]`);
	await person.waitFor();
	expect(await opened.evaluate("menubar.visible")).toBe(true);
	// A window that closes while keys are typed takes them: a verified one closes itself.
	const closed = choice.startsWith("[") ? null : opened.waitForEvent("close");
	await person.click();
	await closed;
}

/** Reads a PFX's subject by openssl. */
export function subjectOf(file: string, pin: string): string {
	const pem = execFileSync("openssl", [
		"pkcs12",
		"-in",
		file,
		"-passin",
		`pass:${pin}`,
		"-nokeys",
		"-clcerts",
	]);
	const options = ["x509", "-noout", "-subject", "-nameopt", "utf8,sep_comma_plus"];
	return execFileSync("openssl", options, { input: pem, encoding: "utf8" });
}
