import { expect } from "vitest";
import { type Answer, JUANA, ops, Partner, type Product, type Settings } from "./service.ts";

/** A partner and one fresh code of its. */
export async function activeCode(settings: Settings = {}) {
	const partner = await Partner.create(settings);
	return { partner, pCode: await partner.code() };
}

/** Creates a code validated for {@link JUANA}. */
export async function validatedCode(settings: Settings = {}) {
	const { partner, pCode } = await activeCode(settings);
	const { status, text } = await partner.request({ pCode, ...JUANA });
	if (status !== 200) throw new Error(`the code was not validated: ${status} ${text}`);
	return { partner, pCode };
}

/** Issues a certificate of a B2C partner to {@link JUANA}, or as the fields say. @returns partner, code, serial and end */
export async function claimed(
	partner: Partner,
	product: Product = "FV01",
	fields: Partial<typeof JUANA> = {},
) {
	const pCode = await partner.code(product);
	const holder = { ...JUANA, ...fields };
	expect((await partner.request({ pCode, ...holder })).status).toBe(200);
	const { status, body } = await partner.claim(pCode, { dni: holder.dni, pin: holder.pin });
	expect(status).toBe(200);
	const { data } = body;
	return { partner, pCode, serial: data.serialNumber as string, end: Date.parse(data.validTo) };
}

/** A change of a code by ops. */
export function operate(pCode: string, verb: string, reason = "test"): Promise<Answer> {
	return ops("POST", `/pcodes/${pCode}/${verb}`, { reason });
}

/** Steps of a code's object: a call on a code of {@link JUANA}'s, and what makes the code ready for it. */
export const STEPS = {
	claim: { ready: () => validatedCode(), act: (partner: Partner, pCode: string) => partner.claim(pCode) },
	"claim with a wrong PIN": {
		ready: () => validatedCode(),
		act: (partner: Partner, pCode: string) => partner.claim(pCode, { pin: "0000" }),
	},
	"B2C request": {
		ready: () => activeCode(),
		act: (partner: Partner, pCode: string) => partner.request({ pCode, ...JUANA }),
	},
	"B2B request": {
		ready: () => activeCode({ mode: "B2B" }),
		act: (partner: Partner, pCode: string) => partner.request({ pCode, ...JUANA }),
	},
	"request with a wrong card": {
		ready: () => activeCode(),
		act: (partner: Partner, pCode: string) => partner.request({ pCode, ...JUANA, serialNumber: "999999999" }),
	},
} as const;
