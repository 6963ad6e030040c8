import type { Frame } from "playwright-core";
import { expect } from "vitest";
import { testsAtNight, testsWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { newPage } from "./browsers.ts";
import { createPartner, type Partner } from "./partner.ts";
import { picture } from "./pictures.ts";
import {
	acceptAndSend,
	answer,
	begun,
	complete,
	FULL,
	fill,
	type Holder,
	JUANA,
	openWidget,
	press,
	READY,
	REVIEW,
	refusalIn,
	STEPS,
	signOn,
	startWidget,
	storyOf,
	untilTitled,
} from "./widget.ts";

/* Refusals that a holder can meet: where each leads, what it says, how it is mended there. At night also those that lead where others do. */

const test = testsWith("chromium");
const testAtNight = testsAtNight("chromium");

async function sent(partner: Partner, holder: Holder, code?: string) {
	const page = await newPage();
	const frame = await openWidget(page, await begun(partner, holder, {}, code));
	await answer(frame, ["pin"], holder);
	await acceptAndSend(frame);
	return { page, frame };
}

/** The step with the refusal above it. */
async function expectAt(frame: Frame, title: string, says: string): Promise<void> {
	await untilTitled(frame, title);
	expect(await refusalIn(frame)).toContain(says);
}

test("ID_CARD_MISMATCH leads to the card and says what is left, after a reload too; the third shows the lock's end at once", async () => {
	const partner = await createPartner();
	const { page, frame } = await sent(partner, { ...JUANA, card: "999999999" });
	await expectAt(frame, STEPS.card.title, "no coinciden con una cédula vigente");
	expect(await refusalIn(frame)).toMatch(
		/revise también que no esté vencida.* Le quedan 2 intentos para validar su identidad\.$/,
	);
	await frame.evaluate("location.reload()");
	await untilTitled(frame, STEPS.pin.title);
	await frame.getByText("Le quedan 2 intentos para validar su identidad.").waitFor();
	await expectAccessible(frame);
	await answer(frame, ["pin"]);
	await press(frame, "Cambiar: Número de serie o de documento");
	await answer(frame, ["card"], { ...JUANA, card: "888888888" });
	await acceptAndSend(frame);
	await expectAt(
		frame,
		STEPS.card.title,
		"Le queda un solo intento para validar su identidad antes de un bloqueo",
	);
	await answer(frame, ["card"], { ...JUANA, card: "777777777" });
	const sentAt = Date.now();
	await acceptAndSend(frame, "Bloqueo de seguridad");
	const lock = frame.getByRole("alert").filter({ hasText: "demasiados intentos" });
	await lock.waitFor();
	const inHalfAnHour = new Intl.DateTimeFormat("es-CL", {
		timeZone: "America/Santiago",
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
	});
	const [says, shownAt] = [(await lock.textContent())!, Date.now()];
	const times: string[] = [];
	for (let at = sentAt; at < shownAt + 60_000; at += 60_000)
		times.push(inHalfAnHour.format(at + 30 * 60_000));
	expect(
		times.some((time) => says.includes(time)),
		`${says}, at none of ${times}`,
	).toBe(true);
	expect(await frame.getByRole("button", { name: "Intentar de nuevo" }).isDisabled()).toBe(true);
	await expectAccessible(frame);
	await picture(page, "lock");
	await frame.evaluate("location.reload()");
	await untilTitled(frame, "Bloqueo de seguridad");
	expect(await refusalIn(frame)).toBe(says);
	expect((await storyOf(page)).filter((event) => event.startsWith("failed"))).toEqual([
		"failed ID_CARD_MISMATCH",
		"failed ID_CARD_MISMATCH",
		"failed ID_CARD_MISMATCH",
		"failed ATTEMPT_LIMIT_REACHED",
		"failed ATTEMPT_LIMIT_REACHED",
	]);
});

test("a sign-in that is another person's, cancelled or not answered is said, and done again", async () => {
	const { page, frame } = await startWidget(FULL);
	await answer(frame, ["rut", "name"]);
	for (const [button, says] of [
		['[value="12345678-5"]', "no es la persona del RUT"],
		['[value="cancel"]', "No se completó el ingreso"],
		['[value="down"]', "ClaveÚnica no responde"],
	] as const) {
		await signOn(page, frame, button);
		await frame.getByRole("alert").filter({ hasText: says }).waitFor();
	}
	await expectAccessible(frame);
	await signOn(page, frame, JUANA.rut);
	await untilTitled(frame, STEPS.email.title);
});

test("a browser that opens no window gets a link, and the page goes on by itself", async () => {
	const partner = await createPartner(FULL);
	const page = await newPage();
	await page.addInitScript("window.open = () => null");
	const frame = await openWidget(page, await partner.session(await partner.buyCode()));
	await answer(frame, ["rut", "name"]);
	await untilTitled(frame, "Confirme que es usted");
	await press(frame, "Ingresar con ClaveÚnica");
	const [opened] = await Promise.all([
		page.context().waitForEvent("page"),
		frame.getByRole("link", { name: "Ingresar con ClaveÚnica" }).click(),
	]);
	await opened.locator(`button[value="${JUANA.rut}"]`).click();
	await untilTitled(frame, STEPS.email.title);
});

testAtNight(
	"EXPIRATION_DATE_MISMATCH leads to the date, NAME_MISMATCH to the name; what is asked for since a moment ago is asked for then",
	async () => {
		const partner = await createPartner({ ...FULL, validate_vencimiento: 1 });
		const page = await newPage();
		const frame = await openWidget(page, await partner.session(await partner.buyCode()));
		await answer(frame, ["rut", "expiry", "name"], { ...JUANA, names: "Juana", expiry: "21-05-2031" });
		await signOn(page, frame, JUANA.rut);
		await answer(frame, ["email", "pin"]);
		await acceptAndSend(frame);
		await expectAt(frame, STEPS.expiry.title, "La fecha no coincide");
		await expectAccessible(frame);
		await picture(page, "refusal");
		await answer(frame, ["expiry"]);
		await acceptAndSend(frame);
		await expectAt(frame, STEPS.name.title, "Escriba todos sus nombres");
		await answer(frame, ["name"]);
		await partner.change({ require_serial_with_sso: 1 });
		await acceptAndSend(frame);
		await expectAt(frame, STEPS.card.title, "Ahora se pide el número de serie");
		await complete(frame, ["card"], READY);
	},
);

test("a card that is not in force, where no serial was asked for, leads to the RUT", async () => {
	const { page, frame } = await startWidget(FULL);
	const luis = { ...JUANA, rut: "10000001-6" };
	await answer(frame, ["rut", "name"], luis);
	await signOn(page, frame, luis.rut);
	await answer(frame, ["email", "pin"]);
	await acceptAndSend(frame);
	await expectAt(frame, STEPS.rut.title, "revise también que su cédula no esté vencida");
});

test("a RUT as the card's serial is refused, a mistyped mail domain asked about, a common PIN warned of", async () => {
	const { frame } = await startWidget();
	const maria = { ...JUANA, rut: "12345678-5", card: "B12345678", email: "maria@gmial.com", pin: "1234" };
	await answer(frame, ["rut"], maria);
	await answer(frame, ["card"], { ...maria, card: "12.345.678-5" });
	await frame.getByText("Ese es su RUT").waitFor();
	await expectAccessible(frame);
	await answer(frame, ["card", "email"], maria);
	await frame.getByText("¿Quiso decir maria@gmail.com?").waitFor();
	await expectAccessible(frame);
	await press(frame, "Corregir");
	await press(frame, "Continuar");
	await untilTitled(frame, STEPS.pin.title);
	await fill(frame, "PIN de 4 dígitos", maria.pin);
	await frame.getByText("Ese PIN es fácil de adivinar").waitFor();
	await expectAccessible(frame);
	await answer(frame, ["pin"], maria);
	await untilTitled(frame, REVIEW);
	expect(await frame.locator("dl").textContent()).toContain("maria@gmail.com");
	await press(frame, "Cambiar: Correo electrónico");
	await answer(frame, ["email"], maria);
	await frame.getByText("¿Quiso decir").waitFor();
	await press(frame, "Continuar");
	await untilTitled(frame, REVIEW);
	expect(await frame.locator("dl").textContent()).toContain("maria@gmial.com");
	await acceptAndSend(frame, READY);
});

testAtNight("another validation of the same RUT: the holder waits and tries again", async () => {
	const partner = await createPartner();
	const slow = { dni: "10000004-0", serialNumber: "100000004" };
	const holder = { ...JUANA, rut: slow.dni, card: slow.serialNumber };
	const page = await newPage();
	const frame = await openWidget(page, await begun(partner, holder));
	await answer(frame, ["pin"]);
	const pCode = await partner.buyCode();
	const request = { pCode, referenceId: "r", email: holder.email, pin: "1234", ...slow };
	const running = partner.call("POST", "/api/partners/v1/certificate_request", request);
	await acceptAndSend(frame);
	await frame.getByRole("alert").filter({ hasText: "Ya hay una validación en curso" }).waitFor();
	expect((await running).status).toBe(200);
	await press(frame, "Intentar de nuevo");
	await untilTitled(frame, "Estamos validando su identidad");
	await expectAccessible(frame);
	await untilTitled(frame, READY);
});

test("wrong PINs for claim and download count down until the right one; after the last, the page says what to do", async () => {
	const partner = await createPartner();
	const page = await newPage();
	const code = await partner.buyCode();
	await page.goto((await begun(partner, JUANA, {}, code)).url);
	// The page is loaded anew before its claim has reached the service.
	await page.route("**/claim", (route) => route.abort());
	await complete(page, ["pin"], "Estamos validando su identidad");
	await expect.poll(() => partner.status(code)).toBe("VALIDATED");
	await page.reload();
	await untilTitled(page, "Su identidad está validada");
	await page.unroute("**/claim");
	await fill(page, "PIN de 4 dígitos", "9999");
	await press(page, "Obtener mi certificado");
	await page.getByRole("alert").filter({ hasText: "Le quedan 4 intentos con el PIN." }).waitFor();
	await fill(page, "PIN de 4 dígitos", JUANA.pin);
	await press(page, "Obtener mi certificado");
	await untilTitled(page, READY);
	await page.reload();
	await untilTitled(page, "Su certificado fue emitido");
	await expectAccessible(page);
	await fill(page, "PIN de 4 dígitos", "9999");
	await press(page, "Obtener mi certificado");
	await page.getByRole("alert").filter({ hasText: "no es el PIN" }).waitFor();
	expect(await refusalIn(page)).toMatch(/ Le quedan 4 intentos con el PIN\.$/);
	await page.reload();
	await page.getByText("Le quedan 4 intentos con el PIN.").waitFor();
	await expectAccessible(page);
	await fill(page, "PIN de 4 dígitos", JUANA.pin);
	await press(page, "Obtener mi certificado");
	await untilTitled(page, READY);
	await page.reload();
	for (const says of ["quedan 4", "quedan 3", "quedan 2", "un solo intento con el PIN: si falla"]) {
		await fill(page, "PIN de 4 dígitos", "9999");
		await press(page, "Obtener mi certificado");
		await page.getByRole("alert").filter({ hasText: says }).waitFor();
	}
	await fill(page, "PIN de 4 dígitos", "9999");
	await press(page, "Obtener mi certificado");
	const ended = page.getByRole("alert").filter({ hasText: "puede pedir un código de reemplazo" });
	await ended.waitFor();
	await page.reload();
	await ended.waitFor();
	await expectAccessible(page);
});
