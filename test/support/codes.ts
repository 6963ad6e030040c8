import { JUANA, Partner, type Settings } from "./service.ts";

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
