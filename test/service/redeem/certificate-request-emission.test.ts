import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { platformOf } from "../../../src/platform.ts";
import { readRegister, rowsOfCode } from "../../support/register.ts";
import { freshService, JUANA, JUANA_FULL, Partner } from "../../support/service.ts";

beforeAll(freshService);

const COPY = "copia@example.cl";
const FULL = { require_cedula_serie: 0 };

/** The channels by which a code's certificate is owed. One that has not arrived lies there sealed and whole. */
async function owed(pCode: string, serialNumber?: string): Promise<unknown[]> {
	const { sealer } = await platformOf(env);
	const rows = await rowsOfCode("outbox", pCode);
	const certificates = rows.filter(({ event }) => event === "certificate.emitted");
	for (const { id, delivered_at, payload_sealed } of certificates) {
		if (delivered_at !== null) {
			expect(payload_sealed).toBeNull();
			continue;
		}
		const place = { table: "outbox", row: String(id), column: "payload_sealed" };
		const payload = await sealer.openText(String(payload_sealed), place);
		for (const part of [pCode, "order-1001", serialNumber ?? "", '":"MII']) expect(payload).toContain(part);
	}
	return certificates.map(({ channel }) => channel).sort();
}

test("§3.3 ACTIVE, success, partner B2B: EMITTED, and the response includes certificate info (§2.3)", {
	tags: ["request-emitted"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	const before = Date.now();
	const { status, body } = await partner.request({ pCode, ...JUANA });
	expect(status).toBe(200);
	const { certificate, ...rest } = body.data;
	expect(rest).toEqual({
		p_code: pCode,
		referenceId: "order-1001",
		status: "EMITTED",
		titular: { rut: "11111111-1", nombreCompleto: "JUANA ANDREA PÉREZ SOTO", email: "juana@example.cl" },
	});
	expect(Object.keys(certificate).sort()).toEqual(["pfxFileName", "serialNumber", "validFrom", "validTo"]);
	expect(certificate.serialNumber).toMatch(/^[0-9A-F]{32}$/);
	expect(certificate.pfxFileName).toBe("certificado-11111111-1.pfx");
	const validFrom = Date.parse(certificate.validFrom);
	expect(Math.abs(validFrom - before)).toBeLessThan(10 * 60_000);
	expect(Date.parse(certificate.validTo)).toBeGreaterThan(before + 364 * 86_400_000);
	expect(await partner.status(pCode)).toBe("EMITTED");
	expect(await partner.listed(pCode)).toMatchObject({ status: "emitido", processing: 0 });
});

test("§3.3 B2C: VALIDATED carries no certificate, and nothing is owed before the claim", {
	tags: ["request-validated-has-no-certificate"],
}, async () => {
	const partner = await Partner.create({ delivery_email: "partner@example.cl" });
	const pCode = await partner.code();
	const { body } = await partner.request({ pCode, ...JUANA, partnerCopy: COPY });
	expect(body.data).not.toHaveProperty("certificate");
	expect(await owed(pCode)).toEqual([]);
});

test.for([
	[{}, {}, ["webhook"]],
	[{ webhook_url: "http://127.0.0.1:9/hook" }, {}, ["webhook"]],
	[{ delivery_email: "partner@example.cl" }, {}, ["email"]],
	[
		{ webhook_url: "http://127.0.0.1:9/hook", delivery_email: "partner@example.cl" },
		{},
		["email", "webhook"],
	],
	[{ delivery_email: "partner@example.cl" }, { partnerCopy: COPY }, ["email", "email"]],
] as const)("§6 B2B with %j and %j: the call owes %j", async ([settings, fields, channels]) => {
	const partner = await Partner.create({ mode: "B2B", ...FULL, ...settings });
	const pCode = await partner.code();
	const { body } = await partner.request({ pCode, ...JUANA_FULL, ...fields });
	expect(await owed(pCode, body.data.certificate.serialNumber)).toEqual(channels);
});

test('decision "partnerCopy": gets the PFX by e-mail when a B2C certificate is emitted', {
	tags: ["copy-b2c"],
}, async () => {
	const partner = await Partner.create(FULL);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA_FULL, partnerCopy: COPY });
	const { body } = await partner.claim(pCode);
	expect(await owed(pCode, body.data.serialNumber)).toEqual(["email"]);
});

test('decision "partnerCopy": a later request without one replaces the earlier copy', async () => {
	const partner = await Partner.create(FULL);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA_FULL, partnerCopy: COPY });
	await partner.request({ pCode, ...JUANA_FULL });
	expect((await partner.claim(pCode)).status).toBe(200);
	expect(await owed(pCode)).toEqual([]);
});

test('gap "partnerCopy in the reduced flow": honoured, B2C and B2B', {
	tags: ["copy-reduced-flow"],
}, async () => {
	for (const mode of ["B2C", "B2B"]) {
		const partner = await Partner.create({ mode, delivery_email: "partner@example.cl" });
		const pCode = await partner.code();
		await partner.request({ pCode, ...JUANA, partnerCopy: COPY });
		if (mode === "B2C") await partner.claim(pCode);
		expect(await owed(pCode)).toEqual(mode === "B2C" ? ["email"] : ["email", "email"]);
	}
});

test("§3.3 B2B refused: no certificate is generated and nothing is owed", async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	expect((await partner.request({ pCode, ...JUANA, serialNumber: "999999999" })).status).toBe(406);
	expect(await rowsOfCode("certificates", pCode)).toEqual([]);
	expect(await owed(pCode)).toEqual([]);
});

test("invariant 5: no table holds RUT, name, e-mail, phone, card serial, PIN, credential or key in the clear", {
	tags: ["db-no-secrets"],
}, async () => {
	const settings = { ...FULL, delivery_email: "entregas@partner.example" };
	const keys: string[] = [];
	const holder = { ...JUANA_FULL, serialNumber: "111111111", pin: "9137", partnerCopy: COPY };
	for (const mode of ["B2C", "B2B"]) {
		const partner = await Partner.create({ ...settings, mode });
		keys.push(partner.key);
		const fields = { ...holder, pCode: await partner.code(), ssoCredential: "sso-11111111-1" };
		const idempotent = { "idempotency-key": "clear-key-5f2b8a52" };
		expect((await partner.request({ ...fields, names: "Otra" })).status).toBe(406);
		expect((await partner.request(fields, idempotent)).status).toBe(200);
		if (mode === "B2C") expect((await partner.claim(fields.pCode, { pin: "9137" })).status).toBe(200);
	}
	const names = ["juana", "andrea", "pérez", "perez", "soto"];
	const secrets = [
		"1{8,9}",
		"\\+?56912345678",
		"copia",
		"sso-11111111-1",
		"9137",
		"clear-key",
		...names,
		...keys,
	];
	const inTheClear = new RegExp(`(?<![\\w-])(?:${secrets.join("|")})(?![\\w])`, "i");
	const tables = await readRegister();
	expect(tables.holders!.length).toBeGreaterThanOrEqual(2);
	const cells = Object.entries(tables).flatMap(([table, rows]) =>
		rows.flatMap((row) => Object.entries(row).map(([column, value]) => ({ table, column, value }))),
	);
	expect(cells.filter(({ value }) => inTheClear.test(String(value)))).toEqual([]);
});
