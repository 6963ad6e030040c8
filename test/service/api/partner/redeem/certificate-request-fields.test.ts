import { beforeAll, describe, expect, test } from "vitest";
import { activeCode } from "../../../../support/codes.ts";
import { expectBareRefusal, withoutWriting } from "../../../../support/hostile.ts";
import { invalid, refusal, rejection } from "../../../../support/refusal.ts";
import { REFUSED_IDENTITIES, VALID_IDENTITIES } from "../../../../support/sandbox-identities.ts";
import {
	call,
	freshService,
	JUANA,
	JUANA_FULL,
	ops,
	Partner,
	PEDRO,
	type Settings,
} from "../../../../support/service.ts";
import { readTablesWithoutKeyUse, rowsOfCode } from "../../../../support/tables.ts";

describe("reduced flow", () => {
	beforeAll(freshService);

	const { serialNumber: _serial, ...WITHOUT_SERIAL } = JUANA;

	test("§3.3 ACTIVE, success, partner not B2B: VALIDATED, and the answer is that of §4.1", {
		tags: ["request-validated"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const { status, body } = await partner.request({ pCode, ...JUANA });
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

	test("§2.7 require_cedula_serie=1: serialNumber is required, 406 SERIAL_NUMBER_REQUIRED (§7)", {
		tags: ["request-serial-required"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const answer = await partner.request({ pCode, ...WITHOUT_SERIAL });
		expect(refusal(answer)).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
		expect(await partner.status(pCode)).toBe("ACTIVE");
	});

	test('decision "names, fLastname, phone sent in reduced flow": 400, each named', {
		tags: ["request-reduced-names-refused", "request-reduced-names-named"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const sent = { names: "Juana Andrea", fLastname: "Pérez", phone: "+56912345678" };
		const answer = await partner.request({ pCode, ...JUANA, ...sent });
		expect(refusal(answer)).toEqual(
			invalid("names NOT_ALLOWED", "fLastname NOT_ALLOWED", "phone NOT_ALLOWED"),
		);
	});

	test("§4.1 reduced flow: mLastname, ssoCredential and partnerCopy are optional, and no credential is checked", {
		tags: ["request-reduced-optional"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const optional = { mLastname: "Otra", ssoCredential: "sso-down", partnerCopy: "copia@example.cl" };
		const { status } = await partner.request({ pCode, ...JUANA, ...optional });
		expect(status).toBe(200);
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
		dni: ["11111111-2", "11111111", "111111112", "11111111-0", "11111111-K", "-11111111-1", "0-0"],
		" dni": ["1.1111.111-1", "11111111-1\n", "11111111\u20101", "999999999999-9"],
		email: ["juana", "juana@", "juana@example.cl\nBcc: all@example.cl", "<juana@example.cl>"],
		" email": ["juana@example.cl, pedro@example.cl", `${"j".repeat(250)}@example.cl`],
		pin: ["482", "48210", "48a1", " 482", "9137\n", "+9137"],
		serialNumber: ["12345678", "C123456789", "1".repeat(33)],
		phone: ["912345678", "+0912345678"],
		partnerCopy: ["not an address", "copia@example.cl\r\nX: 1"],
		ssoCredential: [" ", "x".repeat(8001), "a\r\nb"],
		fechaVencimiento: ["31-02-2031", "05/20/2031", "20-05/2031", "20310520", " 2031-05-20", " "],
	};
	const NUMBERS = { pin: [9137, 91.37], dni: [111111111], fechaVencimiento: [20310520] };

	test.for([
		...Object.entries(INVALID).map(([field, values]) => [field.trim(), "INVALID_VALUE", values] as const),
		...Object.entries(NUMBERS).map(([field, values]) => [field, "INVALID_TYPE", values] as const),
	])(
		"§7 invalid format of %s is 400 %s: %j",
		{ tags: ["request-field-format", "request-expiry-form"] },
		async ([field, code, values]) => {
			const { partner, pCode } = await activeCode();
			await withoutWriting(async () => {
				for (const value of values) {
					const answer = await partner.request({ pCode, ...JUANA, [field]: value });
					expectBareRefusal(answer, [partner.key, JUANA.pin, "9137", "91.37"]);
					expect([value, ...refusal(answer)]).toEqual([value, ...invalid(`${field} ${code}`)]);
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
		{ tags: ["request-empty-field"] },
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

	test('decision "null or empty": a required field is not optional, and a field of another type is named', {
		tags: ["request-empty-field"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const required = await partner.request({ pCode, ...JUANA, referenceId: null, email: "" });
		expect(refusal(required)).toEqual(invalid("referenceId INVALID_TYPE", "email INVALID_VALUE"));
		const wrong = await partner.request({
			pCode,
			...JUANA,
			serialNumber: 1,
			partnerCopy: [],
			mLastname: " ",
		});
		expect(refusal(wrong)).toEqual(
			invalid("serialNumber INVALID_TYPE", "mLastname INVALID_VALUE", "partnerCopy INVALID_TYPE"),
		);
		expect(wrong.body.details[0].message).toContain("9 digits");
	});

	test('decision "dni": thousands dots and a lower-case k are accepted, stored and answered as 12345678-5', {
		tags: ["request-dni-forms"],
	}, async () => {
		const partner = await Partner.create();
		const { body } = await partner.bulk(4);
		const written = [
			["12.345.678-5", "B12345678", "12345678-5"],
			["10.000.013-k", "100000013", "10000013-K"],
			["05126663-3", "512666333", "5126663-3"],
			["5.126.663-3", "512666333", "5126663-3"],
		] as const;
		for (const [i, [dni, serialNumber, rut]] of written.entries()) {
			const email = `${rut}@example.cl`;
			const answer = await partner.request({
				...JUANA,
				pCode: body.data.pcodes[i],
				dni,
				serialNumber,
				email,
			});
			expect(answer.body.data?.titular.rut).toBe(rut);
		}
	});

	test('decision "normalised": bytes that are not UTF-8 are 400 INVALID_ENCODING and spend no attempt', {
		tags: ["error-encoding"],
	}, async () => {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0 });
		const pedro = { ...JUANA_FULL, ...PEDRO, serialNumber: undefined, ssoCredential: "sso-22222222-2" };
		const fields = { ...pedro, pCode, names: "Pedro Pablo", fLastname: "Muñoz", mLastname: "Ñancupil" };
		const latin1 = Uint8Array.from(JSON.stringify(fields), (character) => character.charCodeAt(0));
		const headers = { "x-gw": partner.key, "content-type": "application/json" };
		for (let i = 0; i < 3; i++) {
			const answer = await call("POST", "/api/partners/v1/certificate_request", { headers, body: latin1 });
			expect(refusal(answer)).toEqual(invalid("INVALID_ENCODING"));
		}
		expect((await partner.request(fields)).body.data?.titular.nombreCompleto).toBe(
			"PEDRO PABLO MUÑOZ ÑANCUPIL",
		);
	});

	test('decision "normalised": dni without its hyphen, phone with blanks, a xn-- e-mail, any pCode', {
		tags: ["request-normalised"],
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

	test.for(VALID_IDENTITIES)(
		"sandbox identity %s, reduced flow: valid, names come from the registry",
		{ tags: ["request-registry-name"] },
		async (person) => {
			const [dni, serialNumber, fechaVencimiento, , , , nombreCompleto] = person;
			const { partner, pCode } = await activeCode({ validate_vencimiento: 1 });
			const { body } = await partner.request({ ...JUANA, pCode, dni, serialNumber, fechaVencimiento });
			expect(body.data.titular).toEqual({ rut: dni, nombreCompleto, email: JUANA.email });
		},
	);
});

describe("full flow", () => {
	beforeAll(freshService);

	const NAME_MISMATCH = rejection("NAME_MISMATCH", "names");
	const SSO_REJECTED = rejection("SSO_REJECTED", "ssoCredential");
	/** The one entry of details names no field. */
	const NO_CARD_IN_FORCE = [406, "VALIDATION_ERROR", "ID_CARD_MISMATCH"];

	/** A request of JUANA to a new full-flow partner, with some fields otherwise; `undefined` leaves one out. */
	async function askInFullFlow(fields: Record<string, unknown> = {}, settings: Settings = {}) {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0, ...settings });
		const { dni = JUANA_FULL.dni } = fields;
		const signedOn = { ...JUANA_FULL, ssoCredential: `sso-${dni}` };
		return { partner, pCode, answer: await partner.request({ pCode, ...signedOn, ...fields }) };
	}

	/** The full flow of a partner that does not use single sign-on. */
	const askBySerial = (fields: Record<string, unknown> = {}) =>
		askInFullFlow({ ssoCredential: undefined, serialNumber: "111111111", ...fields }, { require_sso: 0 });

	test("§2.7 otherwise full flow: names, fLastname, phone are required and no serialNumber", {
		tags: ["request-full-fields"],
	}, async () => {
		const { answer, partner, pCode } = await askInFullFlow();
		expect(answer.status).toBe(200);
		expect(answer.body.data.status).toBe("VALIDATED");
		expect(answer.body.data.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
		expect(await partner.status(pCode)).toBe("VALIDATED");
	});

	test("§7 full flow: 400 names every field that is missing", {
		tags: ["request-full-field-required", "request-full-missing-named"],
	}, async () => {
		const { answer } = await askInFullFlow({ names: undefined, fLastname: undefined, phone: undefined });
		expect(refusal(answer)).toEqual(invalid("names REQUIRED", "fLastname REQUIRED", "phone REQUIRED"));
	});

	test("§4.1 full flow: mLastname is optional", { tags: ["request-middle-name-optional"] }, async () => {
		const { answer } = await askInFullFlow({ mLastname: undefined });
		expect(answer.status).toBe(200);
	});

	test('decision "full flow, what is checked": a serialNumber beside single sign-on is ignored', {
		tags: ["request-serial-ignored"],
	}, async () => {
		for (const serialNumber of ["111111111", "111111112"])
			expect((await askInFullFlow({ serialNumber })).answer.status).toBe(200);
	});

	test("decision: with require_serial_with_sso=1 the credential and the card's serial are both required and compared", {
		tags: ["request-serial-with-sso", "request-card-mismatch"],
	}, async () => {
		const ask = async (fields: Record<string, unknown>) =>
			(await askInFullFlow({ serialNumber: "111111111", ...fields }, { require_serial_with_sso: 1 })).answer;
		expect((await ask({})).body.data.status).toBe("VALIDATED");
		for (const serialNumber of [undefined, "", null])
			expect(refusal(await ask({ serialNumber }))).toEqual(
				rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"),
			);
		const mismatch = rejection("ID_CARD_MISMATCH", "serialNumber");
		expect(refusal(await ask({ serialNumber: "111111112" }))).toEqual(mismatch);
		expect(refusal(await ask({ ssoCredential: undefined }))).toEqual(invalid("ssoCredential REQUIRED"));
		expect(refusal(await ask({ ssoCredential: "sso-22222222-2" }))).toEqual(SSO_REJECTED);
	});

	test.for(REFUSED_IDENTITIES)(
		"where no serialNumber is asked for, %s: ID_CARD_MISMATCH names no field",
		{
			tags: ["request-card-mismatch"],
		},
		async ([dni]) => {
			const { answer } = await askInFullFlow({ dni });
			expect(refusal(answer)).toEqual(NO_CARD_IN_FORCE);
			expect(Object.keys(answer.body.details[0])).toEqual(["code", "message"]);
			expect(answer.body.message).toMatch(/^The civil registry has no ID card in force for this RUT\./);
		},
	);

	test('decision "nombreCompleto": the names are compared with the registry\'s, but for case, accents and repeated spaces', {
		tags: ["request-name-comparison", "request-name-mismatch"],
	}, async () => {
		const typed = await askInFullFlow({
			names: "  Juana   ANDREA ",
			fLastname: "Pe\u0301rez",
			mLastname: "sotó",
		});
		expect(typed.answer.body.data?.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
		for (const other of [{ names: "Juana" }, { fLastname: "Soto" }, { mLastname: "Pérez" }]) {
			const { answer, partner, pCode } = await askInFullFlow(other);
			expect(refusal(answer)).toEqual(NAME_MISMATCH);
			expect(await partner.status(pCode)).toBe("ACTIVE");
		}
	});

	test.for(["sso-22222222-2", "ey.not=a=b64token"])(
		'decision "full flow, what is checked": the credential is always verified, %s is SSO_REJECTED',
		{ tags: ["request-sso-rejected"] },
		async (ssoCredential) => {
			const { answer, partner, pCode } = await askInFullFlow({ ssoCredential });
			expect(refusal(answer)).toEqual(SSO_REJECTED);
			expect(await partner.status(pCode)).toBe("ACTIVE");
		},
	);

	test("decision: by default the full flow requires ssoCredential, 400: RUT and name alone validate nobody", {
		tags: ["request-sso-required"],
	}, async () => {
		const { answer, partner, pCode } = await askInFullFlow({ ssoCredential: undefined });
		expect(refusal(answer)).toEqual(invalid("ssoCredential REQUIRED"));
		expect(await partner.status(pCode)).toBe("ACTIVE");
	});

	test("decision: with require_sso=0 the full flow requires serialNumber, 406, and RUT and name alone validate nobody", {
		tags: ["request-full-serial-required"],
	}, async () => {
		for (const ssoCredential of [undefined, "sso-11111111-1"]) {
			const { answer, partner, pCode } = await askBySerial({ serialNumber: undefined, ssoCredential });
			expect(refusal(answer)).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
			expect(await partner.status(pCode)).toBe("ACTIVE");
		}
	});

	test("decision: with require_sso=0 the registry is asked with the card's serial", {
		tags: ["request-full-serial-required"],
	}, async () => {
		expect((await askBySerial()).answer.body.data.status).toBe("VALIDATED");
		const { answer } = await askBySerial({ serialNumber: "111111112" });
		expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
		expect(refusal((await askBySerial({ names: "Hortensia" })).answer)).toEqual(NAME_MISMATCH);
	});

	test.for(["sso-22222222-2", "sso-down"])(
		"decision: with require_sso=0 a credential that is sent (%s) is ignored",
		{ tags: ["request-sso-not-required"] },
		async (ssoCredential) => {
			expect((await askBySerial({ ssoCredential })).answer.status).toBe(200);
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

	test("decision: the registry's refusal spends the attempt though single sign-on is down", {
		tags: ["registry-refusal-first", "registry-refusal-spends"],
	}, async () => {
		const { answer, pCode } = await askInFullFlow({ dni: "10000001-6", ssoCredential: "sso-down" });
		expect(refusal(answer)).toEqual(NO_CARD_IN_FORCE);
		const { body } = await ops("GET", `/pcodes/${pCode}`);
		expect(body.data.pcode).toMatchObject({ validation_failures: 1, validation_locks: 0 });
	});

	test.for([
		[{ names: "Hortensia" }, {}, NAME_MISMATCH],
		[
			{ fechaVencimiento: "2031-05-21" },
			{ validate_vencimiento: 1 },
			rejection("EXPIRATION_DATE_MISMATCH", "fechaVencimiento"),
		],
	] as const)(
		"decision: while single sign-on is down, a wrong field %j is refused by its own 406 and spends the attempt",
		async ([wrong, settings, answered]) => {
			const fields = { ssoCredential: "sso-down", ...wrong };
			const { answer, pCode } = await askInFullFlow(fields, settings);
			expect(refusal(answer)).toEqual(answered);
			const { body } = await ops("GET", `/pcodes/${pCode}`);
			expect(body.data.pcode).toMatchObject({ validation_failures: 1, validation_locks: 0 });
		},
	);
});

describe("fechaVencimiento", () => {
	beforeAll(freshService);

	const MISMATCH = rejection("EXPIRATION_DATE_MISMATCH", "fechaVencimiento");

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
			expect(refusal(answer)).toEqual(MISMATCH);
		}
		expect(await partner.status(other)).toBe("ACTIVE");
		expect((await partner.request({ pCode: other, ...rosa, fechaVencimiento: "01/07/2029" })).status).toBe(
			200,
		);
	});

	test("decision: fechaVencimiento with validate_vencimiento=1 is required, 406 EXPIRATION_DATE_REQUIRED", {
		tags: ["request-expiry-required"],
	}, async () => {
		for (const [settings, holder] of [
			[{ require_cedula_serie: 1 }, JUANA],
			[{ require_cedula_serie: 0 }, JUANA_FULL],
		] as const) {
			const partner = await Partner.create({ validate_vencimiento: 1, ...settings });
			const answer = await partner.request({ pCode: await partner.code(), ...holder });
			expect(refusal(answer)).toEqual(rejection("EXPIRATION_DATE_REQUIRED", "fechaVencimiento"));
		}
	});

	test("§2.7 validate_vencimiento=0: a date is neither asked for nor compared", {
		tags: ["request-expiry-not-compared"],
	}, async () => {
		const partner = await Partner.create({ validate_vencimiento: 0 });
		const { body } = await partner.bulk(2);
		const [bare, dated] = body.data.pcodes;
		expect((await partner.request({ pCode: bare, ...JUANA })).status).toBe(200);
		const other = { fechaVencimiento: "1999-12-31" };
		expect((await partner.request({ pCode: dated, ...JUANA, ...other })).status).toBe(200);
	});
});
