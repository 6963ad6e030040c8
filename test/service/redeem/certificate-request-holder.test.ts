import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, passTime, startClock, stopClock } from "../../support/clock.ts";
import { refusal, rejection } from "../../support/refusal.ts";
import { readRegisterBesideKeyUse } from "../../support/register.ts";
import { freshService, JUANA, loadHolder, Partner, PEDRO } from "../../support/service.ts";

beforeAll(async () => {
	await freshService();
	stopClock();
});
afterAll(startClock);

const EMAIL_IN_USE = rejection("EMAIL_IN_USE", "email");
const RUT_MISMATCH = rejection("RUT_MISMATCH", "dni");

async function twoCodes(partner: Partner): Promise<[string, string]> {
	const { body } = await partner.bulk(2);
	return body.data.pcodes;
}

test("§7 e-mail already used by another holder: 406 EMAIL_IN_USE", {
	tags: ["request-email-in-use"],
}, async () => {
	const partner = await Partner.create();
	const [first, second] = await twoCodes(partner);
	await partner.request({ pCode: first, ...JUANA });
	const answer = await partner.request({ pCode: second, ...PEDRO, email: JUANA.email });
	expect(refusal(answer)).toEqual(EMAIL_IN_USE);
	expect(await partner.status(second)).toBe("ACTIVE");
});

test('decision "e-mail": compared in lower case, answered as it was sent', {
	tags: ["email-lower-case"],
}, async () => {
	const partner = await Partner.create();
	const [first, second] = await twoCodes(partner);
	const { body } = await partner.request({ pCode: first, ...JUANA, email: "Juana@Example.CL" });
	expect(body.data.titular.email).toBe("Juana@Example.CL");
	const answer = await partner.request({ pCode: second, ...PEDRO, email: "jUANA@example.cl" });
	expect(refusal(answer)).toEqual(EMAIL_IN_USE);
});

test('decision "e-mail": one RUT uses one e-mail for many codes, and many e-mails', async () => {
	const partner = await Partner.create();
	const [first, second] = await twoCodes(partner);
	for (const [pCode, email] of [
		[first, JUANA.email],
		[second, JUANA.email],
		[second, "juana.otra@example.cl"],
	]) {
		expect((await partner.request({ ...JUANA, pCode, email })).status).toBe(200);
	}
});

test('decision "e-mail": one RUT per partner, another partner is free', {
	tags: ["email-per-partner"],
}, async () => {
	const [one, other] = [await Partner.create(), await Partner.create()];
	await one.request({ pCode: await one.code(), ...JUANA });
	const answer = await other.request({ pCode: await other.code(), ...PEDRO, email: JUANA.email });
	expect(answer.status).toBe(200);
});

test('decision "e-mail": it belongs to a RUT from the first successful validation on, not from a failed one', {
	tags: ["email-from-success"],
}, async () => {
	const partner = await Partner.create();
	const [first, second] = await twoCodes(partner);
	const failed = await partner.request({ pCode: first, ...JUANA, serialNumber: "999999999" });
	expect(failed.status).toBe(406);
	expect((await partner.request({ pCode: second, ...PEDRO, email: JUANA.email })).status).toBe(200);
	expect(refusal(await partner.request({ pCode: first, ...JUANA }))).toEqual(EMAIL_IN_USE);
});

test('decision "e-mail": an e-mail that the holder gave up for another stays the holder\'s', async () => {
	const partner = await Partner.create();
	const [first, second] = await twoCodes(partner);
	await partner.request({ pCode: first, ...JUANA });
	await partner.request({ pCode: first, ...JUANA, email: "nueva@example.cl" });
	const answer = await partner.request({ pCode: second, ...PEDRO, email: JUANA.email });
	expect(refusal(answer)).toEqual(EMAIL_IN_USE);
});

test('decision "e-mail": of two holders who send one e-mail at the same moment, one gets it', async () => {
	const partner = await Partner.create();
	const codes = await twoCodes(partner);
	const answers = await Promise.all(
		codes.map((pCode, n) => partner.request({ pCode, ...loadHolder(n), email: "both@example.cl" })),
	);
	const [won, lost] = answers.sort((a, b) => a.status - b.status);
	expect(won!.status).toBe(200);
	expect(refusal(lost!)).toEqual(EMAIL_IN_USE);
});

test("§7 RUT does not match the purchase code: 406 RUT_MISMATCH", {
	tags: ["request-rut-mismatch"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	expect(refusal(await partner.request({ pCode, ...PEDRO }))).toEqual(RUT_MISMATCH);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	expect((await partner.claim(pCode)).status).toBe(200);
});

test('decision "RUT binding": a failed validation binds no RUT', {
	tags: ["rut-binding-success-only"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	expect((await partner.request({ pCode, ...JUANA, serialNumber: "999999999" })).status).toBe(406);
	expect((await partner.request({ pCode, ...PEDRO })).status).toBe(200);
});

test('decision "request on a VALIDATED code": the new PIN, e-mail and reference replace the old', {
	tags: ["request-again"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	const renewed = { pin: "7777", email: "nueva@example.cl", referenceId: "order-1002" };
	const { status, body } = await partner.request({ pCode, ...JUANA, ...renewed });
	expect(status).toBe(200);
	expect(body.data).toMatchObject({ status: "VALIDATED", referenceId: "order-1002" });
	expect(body.data.titular.email).toBe("nueva@example.cl");
	expect((await partner.listed(pCode)).external_reference_id).toBe("order-1002");
	expect((await partner.list("?external_reference_id=order-1001")).body.data.pagination.total).toBe(0);

	expect(refusal(await partner.claim(pCode))).toEqual([406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"]);
	expect((await partner.claim(pCode, { pin: "7777" })).status).toBe(200);
});

test('decision "request on a VALIDATED code": one that fails leaves PIN, e-mail and reference as they were', {
	tags: ["request-again-success-only"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	const failing = { pin: "7777", referenceId: "order-1002", serialNumber: "999999999" };
	expect((await partner.request({ pCode, ...JUANA, ...failing })).status).toBe(406);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	expect((await partner.listed(pCode)).external_reference_id).toBe("order-1001");
	expect((await partner.claim(pCode)).status).toBe(200);
});

test('decision "request on an EMITTED code": 406 CODE_ALREADY_USED, B2C and B2B, nothing changed', {
	tags: ["request-code-used"],
}, async () => {
	for (const mode of ["B2C", "B2B"]) {
		const partner = await Partner.create({ mode });
		const pCode = await partner.code();
		await partner.request({ pCode, ...JUANA });
		if (mode === "B2C") await partner.claim(pCode);
		const before = await readRegisterBesideKeyUse();
		for (const holder of [JUANA, PEDRO]) {
			const answer = await partner.request({ pCode, ...holder });
			expect(refusal(answer)).toEqual(rejection("CODE_ALREADY_USED", "pCode"));
		}
		expect(await readRegisterBesideKeyUse()).toEqual(before);
	}
});

test('decision "14-day window": CODE_EXPIRED from expires_at on, not a millisecond before', {
	tags: ["request-code-expired"],
}, async () => {
	const partner = await Partner.create();
	const [early, late] = await twoCodes(partner);
	const { created_at, expires_at } = await partner.listed(late);
	expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(14 * DAY_MS);
	passTime(14 * DAY_MS - 1);
	expect((await partner.request({ pCode: early, ...JUANA })).status).toBe(200);
	passTime(1);
	const answer = await partner.request({ pCode: late, ...JUANA });
	expect(refusal(answer)).toEqual(rejection("CODE_EXPIRED", "pCode"));
	expect((await partner.listed(late)).status).toBe("expirado");
	expect(await partner.status(late)).toBe("ACTIVE");
});

test('decision "14-day window": it binds only a code nobody has validated', {
	tags: ["code-window-unvalidated-only"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	passTime(60 * DAY_MS);
	expect((await partner.request({ pCode, ...JUANA, pin: "7777" })).status).toBe(200);
	expect((await partner.claim(pCode, { pin: "7777" })).status).toBe(200);
});
