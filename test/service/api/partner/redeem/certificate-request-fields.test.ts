import { beforeAll, describe, expect, test } from "vitest";
import { activeCode } from "../../../../support/codes.ts";
import { expectBareRefusal, withoutWriting } from "../../../../support/hostile.ts";
import { invalid, refusal, rejection } from "../../../../support/refusal.ts";
import { freshService, JUANA, JUANA_FULL, ops, Partner, type Settings } from "../../../../support/service.ts";
import { readTablesWithoutKeyUse, rowsOfCode } from "../../../../support/tables.ts";

describe("reduced flow", () => {
	beforeAll(freshService);

	test("§3.3 ACTIVE, success, partner not B2B: VALIDATED, and the answer is that of §4.1, with mLastname, partnerCopy and ssoCredential, which is not checked", {
		tags: [
			"request-validated",
			"request-validated-has-no-certificate",
			"request-registry-name",
			"request-reduced-optional",
		],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const optional = { mLastname: "Otra", ssoCredential: "sso-down", partnerCopy: "copia@example.cl" };
		const { status, body } = await partner.request({ pCode, ...JUANA, ...optional });
		expect(status).toBe(200);
		expect(body).toEqual({
			success: true,
			data: {
				p_code: pCode,
				referenceId: "order-1001",
				status: "VALIDATED",
				titular: { rut: "11111111-1", nombreCompleto: "JUANA ANDREA PÉREZ SOTO", email: "juana@example.cl" },
			},
		});
		expect(await partner.status(pCode)).toBe("VALIDATED");
		expect(await partner.listed(pCode)).toMatchObject({
			status: "validado",
			processing: 0,
			external_reference_id: "order-1001",
		});
	});

	test("§7 required fields missing: 400 names every one of them", {
		tags: ["request-required-field", "request-required-fields-named"],
	}, async () => {
		const partner = await Partner.create();
		expect(refusal(await partner.request({}))).toEqual(
			invalid("pCode REQUIRED", "referenceId REQUIRED", "dni REQUIRED", "email REQUIRED", "pin REQUIRED"),
		);
	});

	const INVALID: Record<string, unknown[]> = {
		pCode: [""],
		referenceId: ["", "r".repeat(129), "order\u2028-1"],
		dni: ["11111111-2", "11111111", "-11111111-1", "0-0", "11111111\u20101"],
		email: ["juana", "juana@example.cl\nBcc: all@example.cl", `${"j".repeat(250)}@example.cl`],
		pin: ["482", "48210", "48a1", " 482", "9137\n", "+9137"],
		serialNumber: ["12345678", "C123456789", "1".repeat(33)],
		phone: ["912345678", "+0912345678"],
		partnerCopy: ["not an address", "copia@example.cl\r\nX: 1"],
		ssoCredential: [" ", "x".repeat(8001), "a\r\nb"],
		fechaVencimiento: ["31-02-2031", "05/20/2031", "20310520", " "],
	};

	test.for(Object.entries(INVALID))(
		"§7 invalid format of %s is 400: %j",
		{ tags: ["request-field-format", "request-expiry-form"] },
		async ([field, values]) => {
			const { partner, pCode } = await activeCode();
			await withoutWriting(async () => {
				for (const value of values) {
					const answer = await partner.request({ pCode, ...JUANA, [field]: value });
					expectBareRefusal(answer, [partner.key, JUANA.pin, "9137"]);
					expect([value, ...refusal(answer)]).toEqual([value, ...invalid(`${field} INVALID_VALUE`)]);
				}
			});
		},
	);

	const OPTIONAL = {
		names: null,
		fLastname: "",
		mLastname: null,
		phone: "",
		ssoCredential: null,
		dniFront: "",
		dniBack: null,
		partnerCopy: "",
		fechaVencimiento: null,
	};

	test('decision "null or empty": an optional field sent as null or "" is as if not sent', {
		tags: ["request-empty-field"],
	}, async () => {
		const partner = await Partner.create();
		const { pcodes } = (await partner.bulk(2)).body.data;
		const swapped = Object.fromEntries(
			Object.entries(OPTIONAL).map(([field, value]) => [field, value === null ? "" : null]),
		);
		for (const [i, optional] of [OPTIONAL, swapped].entries()) {
			const { status } = await partner.request({ pCode: pcodes[i], ...JUANA, ...optional });
			expect(status).toBe(200);
			expect(await rowsOfCode("evidence", pcodes[i])).toEqual([]);
			const [holder] = await rowsOfCode("holders", pcodes[i]);
			expect(holder).toMatchObject({ phone_sealed: null, partner_copy_sealed: null });
		}
	});

	test.for([null, ""])(
		'decision "null or empty": a field that the configuration asks for, sent as %j, is missing',
		{ tags: ["request-empty-field", "request-serial-required", "request-expiry-required"] },
		async (empty) => {
			const reduced = await Partner.create({ validate_vencimiento: 1 });
			const pCode = await reduced.code();
			const noSerial = await reduced.request({ pCode, ...JUANA, serialNumber: empty });
			expect(refusal(noSerial)).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
			const noDate = await reduced.request({ pCode, ...JUANA, fechaVencimiento: empty });
			expect(refusal(noDate)).toEqual(rejection("EXPIRATION_DATE_REQUIRED", "fechaVencimiento"));
			const full = await Partner.create({ require_cedula_serie: 0 });
			const fields = { ...JUANA_FULL, names: empty, ssoCredential: empty };
			const answer = await full.request({ pCode: await full.code(), ...fields });
			expect(refusal(answer)).toEqual(invalid("names REQUIRED", "ssoCredential REQUIRED"));
		},
	);

	test('decision "normalised": dni without its hyphen, phone with blanks, a xn-- e-mail, any pCode', {
		tags: ["request-normalised", "request-dni-forms"],
	}, async () => {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0 });
		const email = "juana.o'hara|x@xn--and-6ma2c.xn--mgbh0fb";
		const fields = { ...JUANA_FULL, dni: "11.111.1111", phone: "+56 (9) 1234-56.78", email, pCode };
		expect((await partner.request(fields)).body.data?.titular).toEqual({
			rut: "11111111-1",
			nombreCompleto: "JUANA ANDREA PÉREZ SOTO",
			email,
		});
		for (const noCode of [" ", "x", "7".repeat(65), "\u0000", "\ud800", "ñ".repeat(3_000_000)])
			expect(refusal(await partner.request({ ...JUANA_FULL, pCode: noCode }))).toEqual([404, "NOT_FOUND"]);
	});
});

describe("full flow", () => {
	beforeAll(freshService);

	const NAME_MISMATCH = rejection("NAME_MISMATCH", "names");
	const SSO_REJECTED = rejection("SSO_REJECTED", "ssoCredential");

	/** A request of JUANA to a new full-flow partner, with some fields otherwise; `undefined` leaves one out. */
	async function askInFullFlow(fields: Record<string, unknown> = {}, settings: Settings = {}) {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0, ...settings });
		const { dni = JUANA_FULL.dni } = fields;
		const signedOn = { ...JUANA_FULL, ssoCredential: `sso-${dni}` };
		return { partner, pCode, answer: await partner.request({ pCode, ...signedOn, ...fields }) };
	}

	const bySerial = { serialNumber: "111111111", ssoCredential: undefined };
	const NO_SSO = { require_sso: 0 };
	const BOTH = { require_serial_with_sso: 1 };
	const CARD_MISMATCH = rejection("ID_CARD_MISMATCH", "serialNumber");
	const SERIAL_REQUIRED = rejection("SERIAL_NUMBER_REQUIRED", "serialNumber");

	test.for<[string, Settings, Settings, (string | number)[] | null]>([
		["mLastname is optional", {}, { mLastname: undefined }, null],
		["case, accents and spaces", {}, { names: "  Juana   ANDREA ", fLastname: "Pe\u0301rez" }, null],
		["another name", {}, { names: "Juana" }, NAME_MISMATCH],
		["another surname", {}, { fLastname: "Soto" }, NAME_MISMATCH],
		["another mother's surname", {}, { mLastname: "Pérez" }, NAME_MISMATCH],
		["a serialNumber beside single sign-on is ignored", {}, { serialNumber: "111111112" }, null],
		["another's credential", {}, { ssoCredential: "sso-22222222-2" }, SSO_REJECTED],
		["a credential that is none", {}, { ssoCredential: "ey.not=a=b64token" }, SSO_REJECTED],
		["require_sso=0: the card's serial", NO_SSO, bySerial, null],
		["require_sso=0: a credential is no serial", NO_SSO, {}, SERIAL_REQUIRED],
		["require_sso=0: another serial", NO_SSO, { ...bySerial, serialNumber: "111111112" }, CARD_MISMATCH],
		["require_sso=0: another name", NO_SSO, { ...bySerial, names: "Hortensia" }, NAME_MISMATCH],
		["require_sso=0: a credential is ignored", NO_SSO, { ...bySerial, ssoCredential: "sso-down" }, null],
		["require_serial_with_sso=1: both", BOTH, { serialNumber: "111111111" }, null],
		["require_serial_with_sso=1: another serial", BOTH, { serialNumber: "111111112" }, CARD_MISMATCH],
	])(
		'decision "full flow, what is checked": %s',
		{
			tags: [
				"request-full-fields",
				"request-middle-name-optional",
				"request-name-comparison",
				"request-name-mismatch",
				"request-serial-ignored",
				"request-sso-rejected",
				"request-full-serial-required",
				"request-sso-not-required",
				"request-serial-with-sso",
				"request-card-mismatch",
			],
		},
		async ([, settings, fields, refused]) => {
			const { answer, partner, pCode } = await askInFullFlow(fields, settings);
			if (refused) expect(refusal(answer)).toEqual(refused);
			else expect(answer.body.data?.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
			expect(await partner.status(pCode)).toBe(refused ? "ACTIVE" : "VALIDATED");
		},
	);

	test("decision 503: single sign-on down is SERVICE_UNAVAILABLE, nothing changed, no attempt spent", {
		tags: ["sso-unavailable"],
	}, async () => {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0 });
		const before = await readTablesWithoutKeyUse();
		const answer = await partner.request({ pCode, ...JUANA_FULL, ssoCredential: "sso-down" });
		expect(refusal(answer)).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(answer.body.message).toMatch(/^Single sign-on \(ClaveÚnica\) did not answer\. Nothing changed/);
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await readTablesWithoutKeyUse()).toEqual(before);
		expect((await partner.request({ pCode, ...JUANA_FULL })).status).toBe(200);
	});

	test("decision: while single sign-on is down, another name is refused by its own 406 and spends the attempt", {
		tags: ["registry-refusal-first", "registry-refusal-spends"],
	}, async () => {
		const { answer, pCode } = await askInFullFlow({ ssoCredential: "sso-down", names: "Hortensia" });
		expect(refusal(answer)).toEqual(NAME_MISMATCH);
		const { body } = await ops("GET", `/pcodes/${pCode}`);
		expect(body.data.pcode).toMatchObject({ validation_failures: 1, validation_locks: 0 });
	});
});

test("§4.1 with validate_vencimiento=1 the date is compared with the registry's, in three forms, day first: 406 for another", {
	tags: ["request-expiry-date", "request-expiry-mismatch", "request-expiry-day-first"],
}, async () => {
	const { partner, pCode } = await activeCode({ validate_vencimiento: 1 });
	for (const fechaVencimiento of ["2031-05-20", "20-05-2031", "20/05/2031"])
		expect((await partner.request({ pCode, ...JUANA, fechaVencimiento })).status).toBe(200);
	const rosa = { ...JUANA, dni: "5126663-3", serialNumber: "512666333", email: "rosa@example.cl" };
	const other = await partner.code();
	for (const fechaVencimiento of ["2029-07-02", "07/01/2029"]) {
		const answer = await partner.request({ pCode: other, ...rosa, fechaVencimiento });
		expect(refusal(answer)).toEqual(rejection("EXPIRATION_DATE_MISMATCH", "fechaVencimiento"));
	}
	expect(await partner.status(other)).toBe("ACTIVE");
	expect((await partner.request({ pCode: other, ...rosa, fechaVencimiento: "01/07/2029" })).status).toBe(200);
});
