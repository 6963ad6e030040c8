import { expect, vi } from "vitest";
import { HOUR_MS } from "../../src/domain/durations.ts";
import { UPSTREAM_TIMEOUT_MS } from "../../src/identity/call-upstream.ts";
import { testsWith } from "../interop/tool-test.ts";
import { expectAccessible } from "./accessibility.ts";
import { newPage } from "./browsers.ts";
import { createPartner } from "./partner.ts";
import {
	acceptAndSend,
	answer,
	begun,
	close,
	complete,
	download,
	embed,
	eventsOf,
	fill,
	JUANA,
	openWidget,
	press,
	READY,
	REDUCED,
	REVIEW,
	STEPS,
	startHosted,
	storyOf,
	untilTitled,
} from "./widget.ts";

/* Interruptions by people: reloads, going back, a second tab, a lost connection, a long pause. */

const test = testsWith("chromium");

test("a reload goes on where it was, of the frame, of the shop and of the hosted page", async () => {
	const partner = await createPartner();
	const page = await newPage();
	const session = await partner.session(await partner.buyCode());
	let frame = await openWidget(page, session);
	await answer(frame, ["rut", "card"]);
	await untilTitled(frame, STEPS.email.title);
	// The frame alone: the script hands the token over again.
	await frame.evaluate("location.reload()");
	await untilTitled(frame, STEPS.email.title);
	expect((await storyOf(page)).filter((event) => event === "started")).toHaveLength(1);
	await page.reload();
	await embed(page, session);
	frame = await embed(page, session);
	expect(await page.locator("iframe").count()).toBe(1);
	await answer(frame, ["email"]);
	await untilTitled(frame, STEPS.pin.title);
	await page.goto(session.url);
	await untilTitled(page, STEPS.pin.title);
	await page.reload();
	await answer(page, ["pin"]);
	await untilTitled(page, REVIEW);
	expect(await page.locator("dl").textContent()).toContain("11.111.111-1");
	// The PIN is nowhere but in this page's memory.
	await page.reload();
	await complete(page, ["pin"], READY);
});

test("the browser's back button goes a step back, with what was typed, and never out of a success", async () => {
	const page = await startHosted();
	await answer(page, ["rut", "card"]);
	await untilTitled(page, STEPS.email.title);
	await page.goBack();
	await untilTitled(page, STEPS.card.title);
	expect(await page.getByLabel("Número de serie o de documento").inputValue()).toBe(JUANA.card);
	await press(page, "Volver");
	await untilTitled(page, STEPS.rut.title);
	expect(await page.getByLabel("RUT", { exact: true }).inputValue()).toBe("11.111.111-1");
	await complete(page, REDUCED, READY);
	await page.goBack();
	await untilTitled(page, READY);
});

test("a part is changed from the last look, which comes back at once", async () => {
	const page = await startHosted("pin");
	await answer(page, ["pin"]);
	await page.getByRole("button", { name: "Cambiar: Correo electrónico" }).click();
	await answer(page, ["email"], { ...JUANA, email: "otra@example.cl" });
	await untilTitled(page, REVIEW);
	expect(await page.locator("dl").textContent()).toContain("otra@example.cl");
});

test("two tabs: what one finishes, the other shows, and the certificate is the same", async () => {
	const partner = await createPartner();
	const page = await newPage();
	const session = await begun(partner);
	const frame = await openWidget(page, session);
	await answer(frame, ["pin"]);
	const other = await page.context().newPage();
	await other.goto(session.url);
	await complete(other, ["pin"], READY);
	await acceptAndSend(frame, READY);
	const [one, two] = [await download(page, frame), await download(other, other)];
	expect(one.name).toBe(two.name);
});

test("a lost connection is said, and what was sent arrives when it is back", async () => {
	const page = await startHosted();
	await untilTitled(page, STEPS.rut.title);
	await fill(page, "RUT", JUANA.rut);
	await page.context().setOffline(true);
	await press(page, "Continuar");
	await page.getByText("Se perdió la conexión").waitFor();
	await page.context().setOffline(false);
	await untilTitled(page, STEPS.card.title);
	await vi.waitFor(async () => expect(await page.getByText("Se perdió la conexión").count()).toBe(0));
});

test("the connection breaks during the validation: it is not sent twice, and goes on from its end", async () => {
	const page = await startHosted("pin");
	await answer(page, ["pin"]);
	let submits = 0;
	await page.route("**/submit", async (route) => {
		submits++;
		await route.fetch();
		await route.abort("connectionreset");
	});
	await acceptAndSend(page, READY);
	expect(submits).toBe(1);
});

test("pressing twice sends once, and is waited for as long as it may take", async () => {
	const page = await startHosted("pin");
	await answer(page, ["pin"]);
	await page.evaluate(
		"const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, (globalThis.limit = ms))",
	);
	const limits: number[] = [];
	await page.route("**/submit", async (route) => {
		limits.push(await page.evaluate("limit"));
		await route.continue();
	});
	await page.getByLabel("Acepto los").check();
	await page.getByRole("button", { name: "Validar mi identidad" }).dblclick();
	await untilTitled(page, READY);
	expect(limits.length).toBe(1);
	// The registry may be asked twice.
	expect(limits[0]).toBeGreaterThan(2 * UPSTREAM_TIMEOUT_MS);
});

test("a newer session ends this one, and both say so", async () => {
	const partner = await createPartner();
	const page = await newPage();
	const code = await partner.buyCode();
	const frame = await openWidget(page, await partner.session(code));
	await answer(frame, ["rut"]);
	await untilTitled(frame, STEPS.card.title);
	await partner.session(code);
	await answer(frame, ["card"]);
	await untilTitled(frame, "Esta sesión terminó");
	expect(await frame.getByRole("alert").textContent()).toContain("Se abrió otra sesión");
	expect((await storyOf(page)).at(-1)).toBe("failed SESSION_REPLACED");
});

test("two minutes before its end the session says so, and can be prolonged", async () => {
	const partner = await createPartner();
	const session = await partner.session(await partner.buyCode());
	const path = `/api/partners/v1/onboarding_sessions/${session.session_id}`;
	const end = async () => Date.parse((await partner.call("GET", path)).body.data.expires_at);
	const warning = "esta sesión termina a la";
	const page = await newPage();
	// A device whose clock is an hour fast opens a session that has 150 s left.
	await page.clock.install({ time: Date.now() + HOUR_MS });
	await page.route("**/open", async (route) => {
		const response = await route.fetch();
		const json = await response.json();
		json.data.expires_at = new Date(Date.now() + 150_000).toISOString();
		// The platform's servers send their time; workerd alone does not.
		const headers = { ...response.headers(), date: new Date().toUTCString() };
		await route.fulfill({ response, headers, json });
	});
	await page.goto(session.url);
	await untilTitled(page, STEPS.rut.title);
	await page.clock.runFor(10_000);
	expect(await page.getByText(warning).count()).toBe(0);
	await page.clock.runFor(30_000);
	await page.getByText(warning).waitFor();
	await expectAccessible(page);
	const before = await end();
	const saved = page.waitForResponse("**/answers");
	await press(page, "Necesito más tiempo");
	await (await saved).finished();
	expect(await end()).toBeGreaterThan(before);
	await page.clock.runFor(10_000);
	expect(await page.getByText(warning).count()).toBe(0);
});

test("a session that ran out says so, by itself and after a reload, and its code is still good", async () => {
	const partner = await createPartner();
	const page = await newPage();
	const code = await partner.buyCode();
	const session = await partner.session(code);
	const frame = await openWidget(page, session);
	await answer(frame, ["rut"]);
	await untilTitled(frame, STEPS.card.title);
	await partner.expire(session);
	await answer(frame, ["card"]);
	await untilTitled(frame, "Esta sesión terminó");
	expect(await frame.getByRole("alert").textContent()).toContain("Su código sigue sirviendo");
	expect((await storyOf(page)).at(-1)).toBe("expired");
	await page.goto(session.url);
	await untilTitled(page, "Esta sesión terminó");
	expect(await partner.status(code)).toBe("ACTIVE");
	await page.goto((await partner.session(code)).url);
	await untilTitled(page, STEPS.rut.title);
});

test('"Close" asks once while the certificate was not downloaded', async () => {
	const partner = await createPartner();
	for (const saves of [false, true]) {
		const page = await newPage();
		const p_code = await partner.buyCode();
		const frame = await openWidget(page, await begun(partner, JUANA, {}, p_code));
		await complete(frame, ["pin"], READY);
		if (saves) await download(page, frame);
		else {
			await close(frame);
			await frame.getByRole("alert").filter({ hasText: "Todavía no ha descargado su certificado" }).waitFor();
			await expectAccessible(frame);
			expect((await storyOf(page)).at(-1)).toBe("emitted");
		}
		await close(frame);
		await page.waitForSelector("iframe", { state: "detached" });
		expect((await eventsOf(page)).at(-1)).toMatchObject({ type: "onboarding.closed", p_code });
	}
});
