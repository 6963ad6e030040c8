import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/domain/durations.ts";
import { setTime, yearOfNext } from "../../../support/clock.ts";
import { act, linkOf, signIn, textOf, tripsOf } from "../../../support/console.ts";
import { emitted } from "../../../support/pki.ts";
import { holdQueue } from "../../../support/receiver.ts";
import { freshService, JUANA, loadHolder, Partner, PEDRO } from "../../../support/service.ts";

const YEAR = yearOfNext("03-10");

beforeEach(async () => {
	await freshService();
	holdQueue("all");
	setTime(Date.UTC(YEAR, 2, 10, 12));
});

test("usage is the API's, by month and by day", { tags: ["console-usage"] }, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	await (await Partner.create()).bulk(7);
	await partner.bulk(500, "FV03");
	await emitted(partner);
	setTime(Date.now() + 2 * DAY_MS);
	await emitted(partner, loadHolder(1));
	const browser = await signIn(partner);
	expect(await tripsOf(browser, "/console/usage")).toBe(2);
	const text = textOf(browser.text);
	expect(text).toContain("FV01 2 2 2 0 0 FV02 0 0 0 0 0 FV03 500 0 0 0 0 Total 502 2 2 0 0");
	expect(text).toContain(`Emitidos en ${YEAR}-03: 2. `);
	expect(text).toContain(`10-03-${YEAR} 1 11-03-${YEAR} 0 12-03-${YEAR} 1`);
	expect(text.match(/\d\d-03-\d{4} \d /g)).toHaveLength(31);
	const before = linkOf(browser.text, "Anterior");
	expect(before).toBe(`/console/usage?month=${YEAR}-02`);
	expect(textOf((await browser.open(before)).text)).toContain("Total 0 0 0 0 0");
	expect(textOf((await browser.open("/console/usage?month=1999-12")).text)).toContain(
		"Mes: Escriba un mes como 2026-11.",
	);
	expect((await browser.open("/console/usage?month=2000-01")).text).not.toContain("month=1999-12");
});

test("certificates by validity and end, and by RUT without an address that says it", {
	tags: ["console-certificates"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const juana = await emitted(partner, JUANA);
	const pedro = await emitted(partner, PEDRO);
	const foreign = await emitted(undefined, JUANA);
	const browser = await signIn(partner);
	const valid = `/console/certificates?validity=valid&expiring_before=${YEAR + 3}-01-01`;
	// Measured before the revocation, whose CRL is built in trips of its own after the answer.
	expect(await tripsOf(browser, valid)).toBe(2);
	await partner.desk("POST", `/certificates/${pedro.serial}/revoke`, { reason: "superseded" });
	await browser.open(valid);
	expect(browser.text).toContain(juana.serial);
	expect(browser.text).not.toContain(pedro.serial);
	expect((await browser.open("/console/certificates?validity=revoked")).text).toContain(pedro.serial);
	const found = await act(browser, "/console/certificates/search", [["dni", "11.111.111-1"]]);
	const { led } = browser;
	expect([found.status, led.includes(juana.serial), led.includes(foreign.serial)]).toEqual([
		303,
		true,
		false,
	]);
	expect(linkOf(led, juana.pCode)).toBe(`/console/codes/${juana.pCode}`);
	for (const personal of [JUANA.dni, "11.111.111-1", "PÉREZ"]) expect(led).not.toContain(personal);
	expect((await act(browser, "/console/certificates/search", [["dni", "11111111-2"]])).status).toBe(400);
});
