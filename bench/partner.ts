import { checkDigit } from "../src/domain/rut.ts";
import type { Reply } from "./http.ts";
import type { BenchService } from "./service.ts";

const EMISSIONS_A_MINUTE = 10;
/** RUTs 20,000,000 to 20,999,999 are valid in the sandbox, for load. */
const LOAD_RANGE = 20_000_000;
export const PIN = "1357";

/** A partner of its own, calling as its integration would. */
export interface BenchPartner {
	id: string;
	headers: { "x-gw": string };
}

/** @param settings - by their wire names; without them B2C, reduced flow, RSA-2048, `modern`. */
export async function createPartner(
	{ client, opsToken }: BenchService,
	settings: Record<string, unknown> = {},
): Promise<BenchPartner> {
	const { text } = await client.expect(201, {
		method: "POST",
		path: "/ops/v1/partners",
		headers: { authorization: `Bearer ${opsToken}` },
		body: { name: "Bench", ...settings },
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

/** The same of one partner, once its emission limit is lifted. */
export async function validateFor(
	service: BenchService,
	partner: BenchPartner,
	count: number,
): Promise<ValidatedCode[]> {
	const codes: ValidatedCode[] = [];
	while (codes.length < count) {
		for (const pCode of await createCodes(service, partner, Math.min(500, count - codes.length)))
			codes.push(await validate(service, partner, pCode, codes.length));
	}
	return codes;
}

async function validate(
	service: BenchService,
	partner: BenchPartner,
	pCode: string,
	n: number,
): Promise<ValidatedCode> {
	await requestCertificate(service, partner, pCode, n);
	return { partner, claim: { p_code: pCode, dni: dniOf(n), pin: PIN } };
}

/** certificate_request for the n-th holder of the sandbox's load range. */
export function requestCertificate(
	{ client }: BenchService,
	{ headers }: BenchPartner,
	pCode: string,
	n: number,
	partnerCopy?: string,
): Promise<Reply> {
	const body = {
		pCode,
		referenceId: `load-${n}`,
		dni: dniOf(n),
		email: `holder-${n}@example.cl`,
		pin: PIN,
		serialNumber: String(LOAD_RANGE + n).padStart(9, "0"),
		...(partnerCopy !== undefined && { partnerCopy }),
	};
	return client.expect(200, { method: "POST", path: "/api/partners/v1/certificate_request", headers, body });
}

export function dniOf(n: number): string {
	return `${LOAD_RANGE + n}-${checkDigit(String(LOAD_RANGE + n))}`;
}

export function claim({ client }: BenchService, { partner, claim: body }: ValidatedCode): Promise<Reply> {
	return client.expect(200, {
		method: "POST",
		path: "/api/partners/v1/certificate_claim",
		headers: partner.headers,
		body,
	});
}

export function readStatus(
	{ client }: BenchService,
	{ headers }: BenchPartner,
	code: string,
): Promise<Reply> {
	return client.expect(200, { path: `/api/partners/v1/status?p_code=${code}`, headers });
}

export function readPage(
	{ client }: BenchService,
	{ headers }: BenchPartner,
	query: Record<string, string> = {},
): Promise<Reply> {
	return client.expect(200, { path: `/api/partner/v1/pcodes?${new URLSearchParams(query)}`, headers });
}
