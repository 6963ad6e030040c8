import { beforeAll, expect, test } from "vitest";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { freshService, JUANA, JUANA_FULL, Partner } from "../../support/service.ts";

beforeAll(freshService);

const MISMATCH = rejection("EXPIRATION_DATE_MISMATCH", "fechaVencimiento");

test.for(["2031-05-20", "20-05-2031", "20/05/2031"])(
	"§4.1 fechaVencimiento %s is compared with the registry date when validate_vencimiento=1",
	{ tags: ["request-expiry-date"] },
	async (fechaVencimiento) => {
		const partner = await Partner.create({ validate_vencimiento: 1 });
		const pCode = await partner.code();
		const { status } = await partner.request({ pCode, ...JUANA, fechaVencimiento });
		expect(status).toBe(200);
	},
);

test.for(["2031-05-21", "21-05-2031", "20/06/2031"])(
	"§7 expiration date %s does not match: 406",
	{ tags: ["request-expiry-mismatch"] },
	async (fechaVencimiento) => {
		const partner = await Partner.create({ validate_vencimiento: 1 });
		const pCode = await partner.code();
		const answer = await partner.request({ pCode, ...JUANA, fechaVencimiento });
		expect(refusal(answer)).toEqual(MISMATCH);
		expect(await partner.status(pCode)).toBe("ACTIVE");
	},
);

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

test.for([
	"31-02-2031",
	"2031-02-31",
	"29/02/2031",
	"05/20/2031",
	"2031/05/20",
	"2031-5-20",
	"20-05-31",
	"20-05/2031",
	"20.05.2031",
	"0000-00-00",
	"20310520",
	" 2031-05-20",
	"2031-05-20T00:00:00Z",
	"",
])(
	'decision "fechaVencimiento": %s is no real date in one of the three forms, 400',
	{ tags: ["request-expiry-form"] },
	async (fechaVencimiento) => {
		for (const validate_vencimiento of [0, 1]) {
			const partner = await Partner.create({ validate_vencimiento });
			const answer = await partner.request({ pCode: await partner.code(), ...JUANA, fechaVencimiento });
			expect(refusal(answer)).toEqual(invalid("fechaVencimiento INVALID_VALUE"));
		}
	},
);

test('decision "fechaVencimiento": D-M-Y is day first, always', {
	tags: ["request-expiry-day-first"],
}, async () => {
	const partner = await Partner.create({ validate_vencimiento: 1 });
	const rosa = { ...JUANA, dni: "5126663-3", serialNumber: "512666333", email: "rosa@example.cl" };
	const { body } = await partner.bulk(2);
	const [july, january] = body.data.pcodes;
	expect((await partner.request({ ...rosa, pCode: july, fechaVencimiento: "01/07/2029" })).status).toBe(200);
	const answer = await partner.request({ ...rosa, pCode: january, fechaVencimiento: "07/01/2029" });
	expect(refusal(answer)).toEqual(MISMATCH);
});

test("sandbox 10000013-K: a leap day matches in all three forms", async () => {
	const partner = await Partner.create({ validate_vencimiento: 1 });
	const { body } = await partner.bulk(3);
	const jose = { ...JUANA, dni: "10000013-K", serialNumber: "100000013" };
	for (const [i, fechaVencimiento] of ["2032-02-29", "29-02-2032", "29/02/2032"].entries()) {
		const { status } = await partner.request({ ...jose, pCode: body.data.pcodes[i], fechaVencimiento });
		expect(status).toBe(200);
	}
});
