import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./openapi.ts";

export type PartnerClient = Client<paths>;

export interface PartnerClientOptions {
	/** Address of the service, without a path. */
	baseUrl: string;
	/** Sent as `x-gw` with every call. */
	apiKey: string;
	/** Without it, the platform's own. */
	fetch?: (request: Request) => Promise<Response>;
}

/**
 * The partner's calls with the paths, bodies and answers of the OpenAPI document:
 * `client.POST("/api/partner/v1/pcode/bulk", { body: { productCode: "FV01", quantity: 3 } })`.
 */
export function createPartnerClient({ baseUrl, apiKey, fetch }: PartnerClientOptions): PartnerClient {
	return createClient<paths>({ baseUrl, headers: { "x-gw": apiKey }, ...(fetch && { fetch }) });
}
