import { beforeAll, expect, test } from "vitest";
import { invalid, refusal, rejection } from "../../support/refusal.ts";
import { readRegisterBesideKeyUse } from "../../support/register.ts";
import { REFUSED_PEOPLE, VALID_PEOPLE } from "../../support/sandbox-people.ts";
import { freshService, JUANA_FULL, ops, Partner, type Settings } from "../../support/service.ts";

beforeAll(freshService);

const NAME_MISMATCH = rejection("NAME_MISMATCH", "names");
const SSO_REJECTED = rejection("SSO_REJECTED", "ssoCredential");

/** A request of JUANA to a new full-flow partner, with some fields otherwise; `undefined` leaves one out. */
async function askInFullFlow(fields: Record<string, unknown> = {}, settings: Settings = {}) {
	const partner = await Partner.create({ require_cedula_serie: 0, ...settings });
	const pCode = await partner.code();
	return { partner, pCode, answer: await partner.request({ pCode, ...JUANA_FULL, ...fields }) };
}

test("§2.7 otherwise full flow: names, fLastname, phone are required and no serialNumber", {
	tags: ["request-full-fields"],
}, async () => {
	const { answer, partner, pCode } = await askInFullFlow();
	expect(answer.status).toBe(200);
	expect(answer.body.data.status).toBe("VALIDATED");
	expect(answer.body.data.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
	expect(await partner.status(pCode)).toBe("VALIDATED");
});

test.for(["names", "fLastname", "phone"])(
	"§4.1 full flow: %s is required, 400",
	{ tags: ["request-full-field-required"] },
	async (field) => {
		const { answer } = await askInFullFlow({ [field]: undefined });
		expect(refusal(answer)).toEqual(invalid(`${field} REQUIRED`));
	},
);

test("§7 full flow: 400 names every field that is missing", {
	tags: ["request-full-missing-named"],
}, async () => {
	const { answer } = await askInFullFlow({ names: undefined, fLastname: undefined, phone: undefined });
	expect(refusal(answer)).toEqual(invalid("names REQUIRED", "fLastname REQUIRED", "phone REQUIRED"));
});

test("§4.1 full flow: mLastname is optional", { tags: ["request-middle-name-optional"] }, async () => {
	const { answer } = await askInFullFlow({ mLastname: undefined });
	expect(answer.status).toBe(200);
});

test("§4.1 full flow: a serialNumber is optional, and asked of the registry when it is sent", async () => {
	expect((await askInFullFlow({ serialNumber: "111111111" })).answer.status).toBe(200);
	const { answer } = await askInFullFlow({ serialNumber: "111111112" });
	expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
});

test.for([
	{ names: "JUANA ANDREA", fLastname: "PÉREZ", mLastname: "SOTO" },
	{ names: "juana andrea", fLastname: "perez", mLastname: "soto" },
	{ names: "  Juana   Andrea ", fLastname: " Perez", mLastname: "Soto  " },
	{ names: "Júana Ándrea", fLastname: "Pe\u0301rez", mLastname: "Sotó" },
])(
	'decision "nombreCompleto": case, accents and repeated spaces are ignored in %j',
	{ tags: ["request-name-comparison"] },
	async (names) => {
		const { answer } = await askInFullFlow(names);
		expect(answer.body.data?.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
	},
);

test.for([
	{ names: "Juana" },
	{ names: "Andrea Juana" },
	{ names: "JuanaAndrea" },
	{ fLastname: "Soto" },
	{ fLastname: "Pérez Soto" },
	{ mLastname: "Pérez" },
])(
	'decision "nombreCompleto": %j is not the registry\'s name, 406 NAME_MISMATCH',
	{ tags: ["request-name-mismatch"] },
	async (names) => {
		const { answer, partner, pCode } = await askInFullFlow(names);
		expect(refusal(answer)).toEqual(NAME_MISMATCH);
		expect(await partner.status(pCode)).toBe("ACTIVE");
	},
);

test.for(VALID_PEOPLE)("sandbox identity %s, full flow: valid", async (person) => {
	const [dni, serialNumber, fechaVencimiento, names, fLastname, mLastname, nombreCompleto] = person;
	const holder = { dni, serialNumber, fechaVencimiento, names, fLastname, mLastname: mLastname ?? undefined };
	const settings = { validate_vencimiento: 1, require_sso: 1 };
	const { answer } = await askInFullFlow({ ...holder, ssoCredential: `sso-${dni}` }, settings);
	expect(answer.body.data?.titular).toEqual({ rut: dni, nombreCompleto, email: JUANA_FULL.email });
});

test("sandbox identity 10000013-K: a maternal name that the registry does not have is NAME_MISMATCH", async () => {
	const jose = { dni: "10000013-K", names: "José", fLastname: "Rojas", mLastname: "Soto" };
	const { answer } = await askInFullFlow(jose);
	expect(refusal(answer)).toEqual(NAME_MISMATCH);
});

test.for(REFUSED_PEOPLE)(
	"sandbox identity %s, full flow without serial (%s), %s: ID_CARD_MISMATCH",
	async ([dni]) => {
		const { answer } = await askInFullFlow({ dni });
		expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
	},
);

test('decision "ssoCredential in full flow": the holder\'s own credential is accepted', async () => {
	const { answer } = await askInFullFlow({ ssoCredential: "sso-11111111-1" });
	expect(answer.status).toBe(200);
});

test.for(["sso-22222222-2", "sso-unknown", "anything", "ey.not=a=b64token", "{not}!a(token)"])(
	'decision "ssoCredential in full flow": checked whenever sent, %s is SSO_REJECTED',
	{ tags: ["request-sso-rejected"] },
	async (ssoCredential) => {
		for (const require_sso of [0, 1]) {
			const { answer, partner, pCode } = await askInFullFlow({ ssoCredential }, { require_sso });
			expect(refusal(answer)).toEqual(SSO_REJECTED);
			expect(await partner.status(pCode)).toBe("ACTIVE");
		}
	},
);

test("decision: with require_sso=1 the absence of ssoCredential is 400", {
	tags: ["request-sso-required"],
}, async () => {
	const { answer } = await askInFullFlow({}, { require_sso: 1 });
	expect(refusal(answer)).toEqual(invalid("ssoCredential REQUIRED"));
});

test("decision: with require_sso=0 no credential is asked for", {
	tags: ["request-sso-not-required"],
}, async () => {
	const { answer } = await askInFullFlow({}, { require_sso: 0 });
	expect(answer.status).toBe(200);
});

test("decision 503: single sign-on down is SERVICE_UNAVAILABLE, nothing changed, no attempt spent", {
	tags: ["sso-unavailable"],
}, async () => {
	const partner = await Partner.create({ require_cedula_serie: 0 });
	const pCode = await partner.code();
	const before = await readRegisterBesideKeyUse();
	const answer = await partner.request({ pCode, ...JUANA_FULL, ssoCredential: "sso-down" });
	expect(refusal(answer)).toEqual([503, "SERVICE_UNAVAILABLE"]);
	expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(await readRegisterBesideKeyUse()).toEqual(before);
	expect((await partner.request({ pCode, ...JUANA_FULL })).status).toBe(200);
});

test("sandbox: the registry's refusal stands whatever single sign-on says", {
	tags: ["registry-refusal-first"],
}, async () => {
	const { answer } = await askInFullFlow({ dni: "10000001-6", ssoCredential: "sso-down" });
	expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
});

test("decision: the registry's refusal spends the attempt though single sign-on is down", {
	tags: ["registry-refusal-spends"],
}, async () => {
	const { answer, pCode } = await askInFullFlow({ dni: "10000001-6", ssoCredential: "sso-down" });
	expect(refusal(answer)).toEqual(rejection("ID_CARD_MISMATCH", "serialNumber"));
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
	async ([wrong, settings, told]) => {
		const fields = { ssoCredential: "sso-down", ...wrong };
		const { answer, pCode } = await askInFullFlow(fields, { require_sso: 1, ...settings });
		expect(refusal(answer)).toEqual(told);
		const { body } = await ops("GET", `/pcodes/${pCode}`);
		expect(body.data.pcode).toMatchObject({ validation_failures: 1, validation_locks: 0 });
	},
);
