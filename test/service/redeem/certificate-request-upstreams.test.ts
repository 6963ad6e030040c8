import { beforeAll, expect, test } from "vitest";
import { refusal } from "../../support/refusal.ts";
import { readRegisterBesideKeyUse } from "../../support/register.ts";
import { DOWN, RUBBISH, SILENT, SLOW } from "../../support/sandbox-people.ts";
import { freshService, JUANA, Partner } from "../../support/service.ts";

beforeAll(freshService);

const IN_PROGRESS = [406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"];

/** Waits until the list shows the code as processing: the validation has reached the registry. */
async function untilProcessing(partner: Partner, pCode: string): Promise<void> {
	while ((await partner.listed(pCode)).processing !== 1);
}

test.for([
	["10000005-9: the registry answers 503", DOWN],
	["10000006-7: the registry never answers", SILENT],
	["10000007-5: the registry answers something that is not its format", RUBBISH],
] as const)(
	"sandbox %s: REGISTRY_UNAVAILABLE, nothing changed, no attempt spent",
	{ tags: ["registry-unavailable"], timeout: 20_000 },
	async ([, person]) => {
		const partner = await Partner.create();
		const pCode = await partner.code();
		const before = await readRegisterBesideKeyUse();
		const answer = await partner.request({ pCode, ...JUANA, ...person });
		expect(refusal(answer)).toEqual([503, "REGISTRY_UNAVAILABLE"]);
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(await readRegisterBesideKeyUse()).toEqual(before);
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
	},
);

test("sandbox 10000004-0: the registry takes 4 s, then valid; the code reads processing meanwhile", {
	tags: ["list-en-proceso"],
}, async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	const slow = partner.request({ pCode, ...JUANA, ...SLOW });
	await untilProcessing(partner, pCode);
	expect((await partner.listed(pCode)).status).toBe("en_proceso");
	expect(await partner.status(pCode)).toBe("ACTIVE");
	const { body } = await slow;
	expect(body.data.titular.nombreCompleto).toBe("TITO LENTO PRUEBA");
	expect(await partner.listed(pCode)).toMatchObject({ status: "validado", processing: 0 });
});

test("§7 another validation in progress: the same code, or another code of this partner for the same RUT, 406", {
	tags: ["request-other-validation"],
	timeout: 20_000,
}, async () => {
	const [partner, stranger] = [await Partner.create(), await Partner.create()];
	const { body } = await partner.bulk(2);
	const [pCode, other] = body.data.pcodes;
	const tito = { ...JUANA, ...SLOW };
	const slow = partner.request({ pCode, ...tito });
	await untilProcessing(partner, pCode);

	const strangers = stranger.request({ pCode: await stranger.code(), ...tito });
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(IN_PROGRESS);
	expect(refusal(await partner.request({ pCode: other, ...tito }))).toEqual(IN_PROGRESS);
	expect((await partner.request({ pCode: other, ...JUANA, email: "otra@example.cl" })).status).toBe(200);

	expect((await slow).status).toBe(200);
	expect((await strangers).status).toBe(200);
	expect((await partner.request({ pCode, ...tito })).status).toBe(200);
});
