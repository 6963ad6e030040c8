import { beforeAll, expect, test } from "vitest";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { REFUSED_PEOPLE, VALID_PEOPLE } from "../../support/sandbox-people.ts";
import { freshService, JUANA, loadHolder, Partner, PEDRO } from "../../support/service.ts";

beforeAll(freshService);

const { serialNumber: _serial, ...WITHOUT_SERIAL } = JUANA;

test("§3.3 ACTIVE, success, partner not B2B: VALIDATED, and the answer is that of §4.1", {
	tags: ["request-validated"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
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

test("§4 request bodies are JSON: a charset beside application/json changes nothing, a repeated key included", async () => {
	const partner = await Partner.create();
	const fields = { pCode: await partner.code(), ...JUANA };
	const headers = { "content-type": "application/json; charset=UTF-8", "idempotency-key": "order-1001" };
	const first = await partner.request(fields, headers);
	const again = await partner.request(fields, headers);
	expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
	expect(again.headers.get("idempotency-replayed")).toBe("true");
});

test("§2.7 require_cedula_serie=1: serialNumber is required, 406 SERIAL_NUMBER_REQUIRED (§7)", {
	tags: ["request-serial-required"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const answer = await partner.request({ pCode, ...WITHOUT_SERIAL });
	expect(refusal(answer)).toEqual(rejection("SERIAL_NUMBER_REQUIRED", "serialNumber"));
	expect(await partner.status(pCode)).toBe("ACTIVE");
});

test.for([
	["names", "Juana Andrea"],
	["fLastname", "Pérez"],
	["phone", "+56912345678"],
] as const)(
	"§2.7 reduced flow: %s must not be sent",
	{ tags: ["request-reduced-names-refused"] },
	async ([field, value]) => {
		const partner = await Partner.create();
		const pCode = await partner.code();
		const answer = await partner.request({ pCode, ...JUANA, [field]: value });
		expect(refusal(answer)).toEqual(invalid(`${field} NOT_ALLOWED`));
	},
);

test('decision "names, fLastname, phone sent in reduced flow": 400, each named', {
	tags: ["request-reduced-names-named"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const sent = { names: "Juana Andrea", fLastname: "Pérez", phone: "+56912345678" };
	const answer = await partner.request({ pCode, ...JUANA, ...sent });
	expect(refusal(answer)).toEqual(invalid("names NOT_ALLOWED", "fLastname NOT_ALLOWED", "phone NOT_ALLOWED"));
});

test("§4.1 reduced flow: mLastname, ssoCredential and partnerCopy are optional, and no credential is checked", {
	tags: ["request-reduced-optional"],
}, async () => {
	const partner = await Partner.create({ require_sso: 1 });
	const pCode = await partner.code();
	const optional = { mLastname: "Otra", ssoCredential: "sso-down", partnerCopy: "copia@example.cl" };
	const { status } = await partner.request({ pCode, ...JUANA, ...optional });
	expect(status).toBe(200);
});

test.for(["pCode", "referenceId", "dni", "email", "pin"] as const)(
	"§4.1 %s is required",
	{ tags: ["request-required-field"] },
	async (field) => {
		const partner = await Partner.create();
		const fields: Record<string, string> = { pCode: await partner.code(), ...JUANA };
		delete fields[field];
		expect(refusal(await partner.request(fields))).toEqual(invalid(`${field} REQUIRED`));
	},
);

test("§7 required fields missing: 400 names every one of them", {
	tags: ["request-required-fields-named"],
}, async () => {
	const partner = await Partner.create();
	expect(refusal(await partner.request({}))).toEqual(
		invalid("pCode REQUIRED", "referenceId REQUIRED", "dni REQUIRED", "email REQUIRED", "pin REQUIRED"),
	);
});

test.for([
	["dni", "11111111-2"],
	["dni", "11111111"],
	["dni", "111111111"],
	["email", "juana"],
	["email", "juana@"],
	["pin", "482"],
	["pin", "48210"],
	["pin", "48a1"],
	["pin", " 482"],
	["serialNumber", "12345678"],
	["serialNumber", "C123456789"],
	["phone", "912345678"],
	["phone", "+0912345678"],
	["partnerCopy", "not an address"],
	["ssoCredential", ""],
	["referenceId", ""],
	["pCode", ""],
] as const)(
	"§7 invalid format of %s (%s): 400",
	{ tags: ["request-field-format"] },
	async ([field, value]) => {
		const partner = await Partner.create();
		const fields = { pCode: await partner.code(), ...JUANA, [field]: value };
		expect(refusal(await partner.request(fields))).toEqual(invalid(`${field} INVALID_VALUE`));
	},
);

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
		const answer = await partner.request({ ...JUANA, pCode: body.data.pcodes[i], dni, serialNumber, email });
		expect(answer.body.data?.titular.rut).toBe(rut);
	}
});

test("sandbox card serials: spaces and dots dropped, letters raised", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const { status } = await partner.request({ pCode, ...PEDRO, serialNumber: " a222.222 222 " });
	expect(status).toBe(200);
});

test('decision "form": a code is read without regard to case, hyphens or spaces, O as 0, I and L as 1', async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const typed = pCode.replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l").toLowerCase();
	const { body } = await partner.request({ pCode: typed, ...JUANA });
	expect(body.data.p_code).toBe(pCode);
});

test.for(VALID_PEOPLE)(
	"sandbox identity %s, reduced flow: valid, names come from the registry",
	{ tags: ["request-registry-name"] },
	async (person) => {
		const [dni, serialNumber, fechaVencimiento, , , , nombreCompleto] = person;
		const partner = await Partner.create({ validate_vencimiento: 1 });
		const pCode = await partner.code();
		const { body } = await partner.request({ ...JUANA, pCode, dni, serialNumber, fechaVencimiento });
		expect(body.data.titular).toEqual({ rut: dni, nombreCompleto, email: JUANA.email });
	},
);

test.for([0, 7, 999_999])("sandbox load range, holder %i: valid", async (n) => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const holder = loadHolder(n);
	const { body } = await partner.request({ pCode, ...holder });
	const number = holder.dni.split("-")[0];
	expect(body.data.titular.nombreCompleto).toBe(`TITULAR ${number} PRUEBA SANDBOX`);
});

test.for(REFUSED_PEOPLE)(
	"sandbox identity %s, serial %s, %s: ID_CARD_MISMATCH",
	async ([dni, serialNumber]) => {
		const partner = await Partner.create();
		const pCode = await partner.code();
		const answer = await partner.request({ ...JUANA, pCode, dni, serialNumber });
		expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect((await partner.listed(pCode)).external_reference_id).toBeNull();
	},
);

test("§7 ID card does not match the civil registry: another card's serial is ID_CARD_MISMATCH", {
	tags: ["request-card-mismatch"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const answer = await partner.request({ pCode, ...JUANA, serialNumber: "111111112" });
	expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
});
