import { checkDigit } from "../src/domain/rut.ts";
import type { Reply } from "./http-client.ts";
import type { BenchService } from "./start-service.ts";

const EMISSIONS_A_MINUTE = 10;

/** A partner of its own, calling as its integration would. */
export interface BenchPartner {
	id: string;
	headers: { "x-gw": string };
}

export async function createPartner({ client, opsToken }: BenchService): Promise<BenchPartner> {
	const { text } = await client.expect(201, {
		method: "POST",
		path: "/ops/v1/partners",
		headers: { authorization: `Bearer ${opsToken}` },
		body: { name: "Bench" },
	});
	const { data } = JSON.parse(text);
	return { id: data.partner.id, headers: { "x-gw": data.api_key } };
}

export function bulk({ client }: BenchService, { headers }: BenchPartner, quantity: number): Promise<Reply> {
	const body = { productCode: "FV01", quantity };
	return client.expect(201, { method: "POST", path: "/api/partner/v1/pcode/bulk", headers, body });
}

export async function createCodes(
	service: BenchService,
	partner: BenchPartner,
	n: number,
): Promise<string[]> {
	return JSON.parse((await bulk(service, partner, n)).text).data.pcodes;
}

/** A code that waits for its claim, and what the claim sends. */
export interface ValidatedCode {
	partner: BenchPartner;
	claim: { p_code: string; dni: string; pin: string };
}

/** Validated codes of as many partners as the emission limit asks for, holders from the sandbox's load range. */
export async function validateCodes(service: BenchService, count: number): Promise<ValidatedCode[]> {
	const codes: ValidatedCode[] = [];
	while (codes.length < count) {
		const partner = await createPartner(service);
		const size = Math.min(EMISSIONS_A_MINUTE, count - codes.length);
		for (const pCode of await createCodes(service, partner, size)) {
			codes.push(await validate(service, partner, pCode, codes.length));
		}
	}
	return codes;
}

async function validate(
	{ client }: BenchService,
	partner: BenchPartner,
	pCode: string,
	n: number,
): Promise<ValidatedCode> {
	const number = 20_000_000 + n;
	const dni = `${number}-${checkDigit(String(number))}`;
	const pin = "1357";
	await client.expect(200, {
		method: "POST",
		path: "/api/partners/v1/certificate_request",
		headers: partner.headers,
		body: {
			pCode,
			referenceId: `load-${n}`,
			dni,
			email: `holder-${n}@example.cl`,
			pin,
			serialNumber: String(number).padStart(9, "0"),
		},
	});
	return { partner, claim: { p_code: pCode, dni, pin } };
}

export function claim({ client }: BenchService, { partner, claim: body }: ValidatedCode): Promise<Reply> {
	return client.expect(200, {
		method: "POST",
		path: "/api/partners/v1/certificate_claim",
		headers: partner.headers,
		body,
	});
}
