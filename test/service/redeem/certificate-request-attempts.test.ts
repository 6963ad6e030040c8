import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS, passTime, startClock, stopClock } from "../../support/clock.ts";
import { refusal, rejection } from "../../support/refusal.ts";
import { DOWN } from "../../support/sandbox-people.ts";
import { freshService, JUANA, JUANA_FULL, ops, Partner, PEDRO } from "../../support/service.ts";

beforeAll(async () => {
	await freshService();
	stopClock();
});
afterAll(startClock);

const WRONG_CARD = { ...JUANA, serialNumber: "999999999" };
const CARD_MISMATCH = rejection("ID_CARD_MISMATCH", "serialNumber");
const LOCK_MS = 30 * MINUTE_MS;

async function failuresOf(pCode: string): Promise<{ failures: number; locks: number }> {
	const { body } = await ops("GET", `/pcodes/${pCode}`);
	return { failures: body.data.pcode.validation_failures, locks: body.data.pcode.validation_locks };
}

/** Three wrong cards in a row, each of which must answer its own 406. */
async function lock(partner: Partner, pCode: string): Promise<void> {
	for (let attempt = 1; attempt <= 3; attempt++)
		expect(refusal(await partner.request({ pCode, ...WRONG_CARD }))).toEqual(CARD_MISMATCH);
}

test("§7 attempt limit: the 3rd in a row answers its own 406 and opens a 30-minute security lock, 429", {
	tags: ["request-lock"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await lock(partner, pCode);
	const locked = await partner.request({ pCode, ...JUANA });
	expect(refusal(locked)).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
	expect(locked.headers.get("retry-after")).toBe("1800");
	expect(await partner.status(pCode)).toBe("LOCKED");
	expect((await partner.listed(pCode)).status).toBe("bloqueado");

	passTime(LOCK_MS - 1);
	const last = await partner.request({ pCode, ...JUANA });
	expect(refusal(last)).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
	expect(last.headers.get("retry-after")).toBe("1");

	passTime(1);
	expect(await partner.status(pCode)).toBe("ACTIVE");
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});

test("decision: a call refused by the lock spends nothing and does not prolong it", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await lock(partner, pCode);
	passTime(LOCK_MS - MINUTE_MS);
	for (let i = 0; i < 4; i++) await partner.request({ pCode, ...WRONG_CARD });
	expect(await failuresOf(pCode)).toEqual({ failures: 0, locks: 1 });
	passTime(MINUTE_MS);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});

test("decision: the third lock of a code is permanent, 423 LOCKED for ever", {
	tags: ["request-lock-permanent"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (let i = 0; i < 2; i++) {
		await lock(partner, pCode);
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
		passTime(LOCK_MS);
	}
	await lock(partner, pCode);
	for (const wait of [0, LOCK_MS, 48 * LOCK_MS]) {
		passTime(wait);
		const answer = await partner.request({ pCode, ...JUANA });
		expect(refusal(answer)).toEqual([423, "LOCKED"]);
		expect(answer.headers.get("retry-after")).toBeNull();
		expect(await partner.status(pCode)).toBe("LOCKED");
	}
});

test("decision: a success clears the count", { tags: ["attempt-cleared"] }, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (let round = 0; round < 3; round++) {
		for (let i = 0; i < 2; i++) await partner.request({ pCode, ...WRONG_CARD });
		expect(await failuresOf(pCode)).toEqual({ failures: 2, locks: 0 });
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		expect(await failuresOf(pCode)).toEqual({ failures: 0, locks: 0 });
		passTime(MINUTE_MS);
	}
});

test("decision: a success does not clear the count of locks: the third is permanent whatever succeeded between", {
	tags: ["lock-count-kept"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (let locks = 1; locks <= 2; locks++) {
		await lock(partner, pCode);
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
		passTime(LOCK_MS);
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		expect(await failuresOf(pCode)).toEqual({ failures: 0, locks });
		passTime(MINUTE_MS);
	}
	await lock(partner, pCode);
	for (const wait of [0, LOCK_MS, 48 * LOCK_MS]) {
		passTime(wait);
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([423, "LOCKED"]);
	}
});

test("decision: failures of one code do not lock another of the same partner", async () => {
	const partner = await Partner.create();
	const { body } = await partner.bulk(2);
	const [wrong, right] = body.data.pcodes;
	await lock(partner, wrong);
	expect((await partner.request({ pCode: right, ...JUANA })).status).toBe(200);
});

test("decision: failures of different reasons add up to a lock", async () => {
	const partner = await Partner.create({ require_cedula_serie: 0, validate_vencimiento: 1 });
	const pCode = await partner.code();
	const right = { pCode, ...JUANA_FULL, fechaVencimiento: "2031-05-20" };
	const wrong = [{ names: "Otra" }, { fechaVencimiento: "2031-05-21" }, { ssoCredential: "sso-22222222-2" }];
	for (const fields of wrong) expect((await partner.request({ ...right, ...fields })).status).toBe(406);
	expect(refusal(await partner.request(right))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
});

const FULL = { require_cedula_serie: 0, validate_vencimiento: 1 };
const DATED = { ...JUANA_FULL, fechaVencimiento: "2031-05-20" };

test.for([
	["ID_CARD_MISMATCH", { ...DATED, serialNumber: "999999999" }],
	["EXPIRATION_DATE_MISMATCH", { ...DATED, fechaVencimiento: "2031-05-21" }],
	["NAME_MISMATCH", { ...DATED, names: "Otra" }],
	["SSO_REJECTED", { ...DATED, ssoCredential: "sso-22222222-2" }],
] as const)("decision: %s spends an attempt", { tags: ["attempt-reasons"] }, async ([code, fields]) => {
	const partner = await Partner.create(FULL);
	const pCode = await partner.code();
	const { body } = await partner.request({ pCode, ...fields });
	expect(body.details[0].code).toBe(code);
	expect(await failuresOf(pCode)).toEqual({ failures: 1, locks: 0 });
});

test("decision: RUT_MISMATCH spends an attempt, and three of them lock", {
	tags: ["attempt-rut-mismatch"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	for (let failures = 1; failures <= 3; failures++) {
		expect(refusal(await partner.request({ pCode, ...PEDRO }))).toEqual(rejection("RUT_MISMATCH", "dni"));
		expect((await failuresOf(pCode)).failures).toBe(failures % 3);
	}
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
	expect(await partner.status(pCode)).toBe("LOCKED");
});

test("decision: no other answer spends an attempt", { tags: ["attempt-no-other"] }, async () => {
	const partner = await Partner.create({ validate_vencimiento: 1 });
	const { body } = await partner.bulk(2);
	const [pCode, other] = body.data.pcodes;
	const dated = { pCode, ...JUANA, fechaVencimiento: "2031-05-20" };
	await partner.request({ ...dated, pCode: other });
	const spared = [
		["VALIDATION_ERROR", { ...dated, pin: "1" }],
		["VALIDATION_ERROR", { ...dated, names: "Juana" }],
		["SERIAL_NUMBER_REQUIRED", { ...dated, serialNumber: undefined }],
		["EXPIRATION_DATE_REQUIRED", { ...dated, fechaVencimiento: undefined }],
		["EMAIL_IN_USE", { ...dated, ...PEDRO, email: JUANA.email }],
		["REGISTRY_UNAVAILABLE", { ...dated, ...DOWN, email: "iris@example.cl" }],
	] as const;
	for (const [code, fields] of spared) {
		const answer = await partner.request(fields);
		expect(answer.text).toContain(code);
		expect(await failuresOf(pCode)).toEqual({ failures: 0, locks: 0 });
	}
	passTime(15 * 24 * 60 * MINUTE_MS);
	expect((await partner.request(dated)).text).toContain("CODE_EXPIRED");
	expect(await failuresOf(pCode)).toEqual({ failures: 0, locks: 0 });
});

test("decision: ops unblock a code that its third lock had closed", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (let i = 0; i < 3; i++) {
		await lock(partner, pCode);
		passTime(LOCK_MS);
	}
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([423, "LOCKED"]);
	await ops("POST", `/pcodes/${pCode}/unblock`, { reason: "Holder called" });
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});
