import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { platformOf } from "../../src/platform.ts";
import { readRegister, rowsOfCode } from "../support/register.ts";
import { freshService, JUANA, JUANA_FULL, Partner } from "../support/service.ts";

beforeAll(freshService);

const COPY = "copia@example.cl";
const FULL = { require_cedula_serie: 0 };

/** Channel, recipient and payload of every delivery that is owed for a code. */
async function owed(pCode: string) {
	const { sealer } = await platformOf(env);
	const rows = await rowsOfCode("outbox", pCode);
	return Promise.all(
		rows.map(async (row) => {
			const open = (column: "recipient_sealed" | "payload_sealed") =>
				sealer.openText(String(row[column]), { table: "outbox", row: String(row.id), column });
			const recipient = row.recipient_sealed === null ? null : await open("recipient_sealed");
			return { channel: row.channel, recipient, payload: JSON.parse(await open("payload_sealed")) };
		}),
	);
}

test("§3.3 ACTIVE, success, partner B2B: EMITTED, and the response includes certificate info (§2.3)", async () => {
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

test("§3.3 B2C: VALIDATED carries no certificate, and nothing is owed before the claim", async () => {
	const partner = await Partner.create({ delivery_email: "partner@example.cl" });
	const pCode = await partner.code();
	const { body } = await partner.request({ pCode, ...JUANA, partnerCopy: COPY });
	expect(body.data).not.toHaveProperty("certificate");
	expect(await owed(pCode)).toEqual([]);
});

test.for([
	[{}, {}, [["webhook", null]]],
	[
		{ delivery_email: "partner@example.cl", webhook_url: "https://partner.example/hook" },
		{},
		[
			["email", "partner@example.cl"],
			["webhook", null],
		],
	],
	[
		{ delivery_email: "partner@example.cl" },
		{ partnerCopy: COPY },
		[
			["email", COPY],
			["email", "partner@example.cl"],
			["webhook", null],
		],
	],
] as const)("§6 B2B with %j and %j: the call owes %j", async ([settings, fields, recipients]) => {
	const partner = await Partner.create({ mode: "B2B", ...FULL, ...settings });
	const pCode = await partner.code();
	const { body } = await partner.request({ pCode, ...JUANA_FULL, ...fields });
	const deliveries = await owed(pCode);
	expect(deliveries.map(({ channel, recipient }) => [channel, recipient]).sort()).toEqual(recipients);
	for (const { payload } of deliveries) {
		expect(payload).toMatchObject({
			code: pCode,
			reference: "order-1001",
			serial: body.data.certificate.serialNumber,
			fileName: body.data.certificate.pfxFileName,
		});
		expect(Uint8Array.fromBase64(payload.pfx)[0]).toBe(0x30);
	}
});

test('decision "partnerCopy": gets the PFX by e-mail when a B2C certificate is emitted', async () => {
	const partner = await Partner.create(FULL);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA_FULL, partnerCopy: COPY });
	const { body } = await partner.claim(pCode);
	const [copy, ...others] = await owed(pCode);
	expect(others).toEqual([]);
	expect(copy).toMatchObject({ channel: "email", recipient: COPY });
	expect(copy!.payload.pfx).toBe(body.data.certificate);
});

test('decision "partnerCopy": a later request without one replaces the earlier copy', async () => {
	const partner = await Partner.create(FULL);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA_FULL, partnerCopy: COPY });
	await partner.request({ pCode, ...JUANA_FULL });
	await partner.claim(pCode);
	expect(await owed(pCode)).toEqual([]);
});

test('decision "partnerCopy": a B2B partner in the reduced flow may name one too', async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA, partnerCopy: COPY });
	expect((await owed(pCode)).map(({ recipient }) => recipient)).toContain(COPY);
});

test("§3.3 B2B refused: no certificate is generated and nothing is owed", async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	expect((await partner.request({ pCode, ...JUANA, serialNumber: "999999999" })).status).toBe(406);
	expect(await rowsOfCode("certificates", pCode)).toEqual([]);
	expect(await owed(pCode)).toEqual([]);
});

test("invariant 5: no table holds RUT, name, e-mail, phone, card serial, PIN, credential or key in the clear", async () => {
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
