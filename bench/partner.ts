import { createPartnerClient, type DataOf, dataOf, type paths } from "../client/index.ts";
import { dataOf as opsDataOf } from "../scripts/data-of.ts";
import type { paths as OpsPaths } from "../scripts/ops-openapi.ts";
import { checkDigit } from "../src/domain/rut.ts";
import { type Timing, timingOf } from "./http.ts";
import type { BenchService } from "./service.ts";

/** RUTs 20,000,000 to 20,999,999 are valid in the sandbox, for load. */
const LOAD_RANGE = 20_000_000;
const PIN = "1357";
/** Codes that nobody emits, of all rounds. */
const QUOTA = 1_000_000;

/** A partner of its own, calling as its integration would. */
export interface BenchPartner {
	id: string;
	apiKey: string;
}

export type Settings = Partial<
	OpsPaths["/ops/v1/partners"]["post"]["requestBody"]["content"]["application/json"]
>;
export type Timed<Data> = Timing & { data: Data };

/** @param settings - without them B2C, reduced flow, RSA-2048, `modern`. */
export async function createPartner({ ops }: BenchService, settings: Settings = {}): Promise<BenchPartner> {
	const body = { name: "Bench", max_codes_14_days: QUOTA, ...settings };
	const { partner, api_key } = opsDataOf(await ops.POST("/ops/v1/partners", { body }));
	return { id: partner.id, apiKey: api_key };
}

export function bulk(service: BenchService, partner: BenchPartner, quantity: number) {
	const body = { productCode: "FV01" as const, quantity };
	return timed(clientOf(service, partner).POST("/api/partner/v1/pcode/bulk", { body }));
}

export async function createCodes(
	service: BenchService,
	partner: BenchPartner,
	n: number,
): Promise<string[]> {
	return (await bulk(service, partner, n)).data.pcodes;
}

/** A code that waits for its claim, and what the claim sends. */
export interface ValidatedCode {
	partner: BenchPartner;
	claim: { p_code: string; dni: string; pin: string };
}

/** Codes of one partner, each validated for another holder, from the `first` of the sandbox's load range on. */
export async function validateCodes(
	service: BenchService,
	partner: BenchPartner,
	count: number,
	first = 0,
): Promise<ValidatedCode[]> {
	const codes: ValidatedCode[] = [];
	while (codes.length < count)
		for (const code of await createCodes(service, partner, Math.min(500, count - codes.length))) {
			const holder = first + codes.length;
			await requestCertificate(service, partner, code, holder);
			codes.push(claimOf(partner, code, holder));
		}
	return codes;
}

/** Fields that claim a code validated for the n-th holder. */
export function claimOf(partner: BenchPartner, code: string, n: number): ValidatedCode {
	return { partner, claim: { p_code: code, dni: dniOf(n), pin: PIN } };
}

/** certificate_request for the n-th holder of the sandbox's load range. */
export function requestCertificate(
	service: BenchService,
	partner: BenchPartner,
	pCode: string,
	n: number,
	partnerCopy?: string,
) {
	const body = { ...requestOf(pCode, n), ...(partnerCopy !== undefined && { partnerCopy }) };
	return timed(clientOf(service, partner).POST("/api/partners/v1/certificate_request", { body }));
}

/** Fields of a certificate_request for the n-th holder. */
export function requestOf(pCode: string, n: number) {
	return {
		pCode,
		referenceId: `load-${n}`,
		dni: dniOf(n),
		email: `holder-${n}@example.cl`,
		pin: PIN,
		serialNumber: String(LOAD_RANGE + n).padStart(9, "0"),
	};
}

export function claim(service: BenchService, { partner, claim: body }: ValidatedCode) {
	return timed(clientOf(service, partner).POST("/api/partners/v1/certificate_claim", { body }));
}

export function readStatus(service: BenchService, partner: BenchPartner, code: string) {
	const query = { p_code: code };
	return timed(clientOf(service, partner).GET("/api/partners/v1/status", { query }));
}

export type ListQuery = NonNullable<paths["/api/partner/v1/pcodes"]["get"]["parameters"]["query"]>;

export function readPage(service: BenchService, partner: BenchPartner, query: ListQuery = {}) {
	return timed(clientOf(service, partner).GET("/api/partner/v1/pcodes", { query }));
}

function clientOf({ url, http }: BenchService, { apiKey }: BenchPartner) {
	return createPartnerClient({ baseUrl: url.origin, apiKey, patienceMs: 0, fetch: withoutKey });

	/** Drops the Idempotency-Key: storing answers for repeats is no part of the measured call. */
	function withoutKey(request: Request): Promise<Response> {
		request.headers.delete("idempotency-key");
		return http.fetch(request);
	}
}

function dniOf(n: number): string {
	return `${LOAD_RANGE + n}-${checkDigit(String(LOAD_RANGE + n))}`;
}

/** @throws unless the answer says success. */
async function timed<Outcome extends { status: number; body: unknown; response: Response }>(
	call: Promise<Outcome>,
): Promise<Timed<DataOf<Outcome>>> {
	const outcome = await call;
	return { data: dataOf(outcome), ...timingOf(outcome.response) };
}
