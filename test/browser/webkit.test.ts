import { expect } from "vitest";
import { DEMO } from "../../src/texts/demo.ts";
import { testWith } from "../interop/tool-test.ts";
import { createPartner, place } from "./partner.ts";
import { buttonOf, HOLDER, issue } from "./revocar.ts";
import { useWebKit } from "./webkit-driver.ts";
import { acceptAndSend, answer, JUANA, READY, untilTitled } from "./widget.ts";

/* The walks that WebKit can show. Downloads, cookies, pickers and pop-ups are Safari's own: docs/operators/iphone.md. */

const TOOLS = ["WebKitWebDriver", "Xvfb"] as const;
/** The window is no narrower than its tool bar, some 450 pixels. */
const TELEPHONE = [390, 844] as const;
const NO_SIDEWAYS = "document.documentElement.scrollWidth <= innerWidth";
const open = useWebKit();

testWith(TOOLS, "the demo shop in WebKit: reduced flow, and its policy lets the file through", async () => {
	const page = await open(...TELEPHONE);
	await page.goto(`${place().url}/demo/`);
	expect(await page.evaluate(NO_SIDEWAYS)).toBe(true);
	await page.evaluate(
		"void (globalThis.stopped = [], addEventListener('securitypolicyviolation', ({ blockedURI }) => stopped.push(blockedURI)))",
	);
	await page.getByRole("button", { name: DEMO.buy.es }).press("Enter");
	await page.enter("#widget iframe");
	await answer(page, ["rut", "card", "email", "pin"]);
	await acceptAndSend(page);
	await untilTitled(page, READY);
	await page.getByRole("link", { name: "Descargar certificado" }).press("Enter");
	await page.enter(null);
	await page.until("document.getElementById('status').textContent === 'EMITTED'");
	expect(await page.evaluate("document.getElementById('done').textContent")).toBe(DEMO.done.es);
	expect(await page.evaluate("stopped")).toEqual([]);
	expect(await page.evaluate(NO_SIDEWAYS)).toBe(true);
});

testWith(TOOLS, "a partner's page in WebKit: full flow, with single sign-on in its own tab", async () => {
	const partner = await createPartner({ require_cedula_serie: 0, require_sso: 1 });
	const { session_id: sessionId, token } = await partner.session(await partner.buyCode());
	const page = await open(...TELEPHONE);
	await page.goto(place().shop);
	const options = JSON.stringify({ element: "#widget", sessionId, token });
	await page.evaluate(`void OnboardingWidget.open(${options})`);
	await page.enter("#widget iframe");
	await answer(page, ["rut", "name"]);
	await untilTitled(page, "Confirme que es usted");
	const signOn = () => page.getByRole("button", { name: "ClaveÚnica" }).press("Enter");
	await page.inOpened(signOn, "#widget iframe", () => page.press(`[value="${JUANA.rut}"]`));
	await answer(page, ["email", "pin"]);
	await acceptAndSend(page);
	await untilTitled(page, READY);
});

testWith(TOOLS, "/revocar in WebKit, from RUT to revoked", async () => {
	const serial = await issue();
	const page = await open(...TELEPHONE);
	await page.goto(`${place().url}/revocar`);
	await page.press("#rut", HOLDER.dni);
	await page.press("#email", `${HOLDER.email}\uE007`);
	await page.until("location.pathname === '/revocar/codigo'");
	await page.goto(await buttonOf(HOLDER.email));
	await page.until("location.pathname === '/revocar/codigo' && document.getElementById('code').value !== ''");
	await page.press("main button");
	await page.until("location.pathname === '/revocar/certificado'");
	await page.press(`input[value="${serial}"]`, " ");
	await page.evaluate("void (document.getElementById('why').value = 'lost')");
	await page.press("input[name=understood]", " ");
	await page.press("main button");
	await page.until("new URLSearchParams(location.search).has('listo')");
	expect(await page.locator("main").textContent()).toContain(serial);
	expect(await page.evaluate(NO_SIDEWAYS)).toBe(true);
});
