import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./ops-openapi.ts";

export type OpsClient = Client<paths>;

export interface OpsClientOptions {
	/** Address of the service, without a path. */
	baseUrl: string;
	/** Sent as a bearer token with every call. */
	token: string;
	/** Defaults to the platform's own. */
	fetch?: (request: Request) => Promise<Response>;
}

/** The ops calls with the paths, bodies and answers of their OpenAPI document. */
export function createOpsClient({ baseUrl, token, fetch }: OpsClientOptions): OpsClient {
	const headers = { authorization: `Bearer ${token}` };
	return createClient<paths>({ baseUrl, headers, ...(fetch && { fetch }) });
}
