import type { Answer, Call, CallOptions, CsvCall, PathOf } from "./outcome.ts";
import { repeat } from "./repeat.ts";

export interface PartnerClientOptions {
	/** Address of the service, without a path. */
	baseUrl: string;
	/** Sent as `x-gw` with every call. */
	apiKey: string;
	/** Milliseconds for which a call is repeated in all; 60,000 by default, 0 for a single attempt. */
	patienceMs?: number;
	/** Language of the messages for people; Spanish by default. */
	language?: "es" | "en";
	/** Defaults to the platform's own. */
	fetch?: (request: Request) => Promise<Response>;
}

/**
 * The partner's calls with the paths, bodies and answers of the OpenAPI document. Every answer is an outcome, by
 * `status`; a call throws when no answer comes, or one that the document does not have.
 */
export interface PartnerClient {
	GET: Call<"get">;
	POST: Call<"post">;
	PUT: Call<"put">;
	DELETE: Call<"delete">;
	CSV: CsvCall;
}

/** The calls that take an Idempotency-Key. */
export const KEYED_PATHS: readonly string[] = [
	"/api/partners/v1/certificate_request",
	"/api/partners/v1/certificate_claim",
	"/api/partners/v1/onboarding_sessions",
	"/api/partner/v1/pcode/bulk",
] satisfies PathOf<"post">[];

const PATIENCE_MS = 60_000;

const JSON_TYPE = "application/json";
const CSV_TYPE = "text/csv";

interface AnyCall extends CallOptions {
	path?: Record<string, string | number>;
	query?: Record<string, unknown>;
	body?: unknown;
}

export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
	const call = (method: string, accept?: string) => (path: string, asked?: AnyCall) =>
		send(options, { method, path, accept }, asked);
	return {
		GET: call("GET"),
		POST: call("POST"),
		PUT: call("PUT"),
		DELETE: call("DELETE"),
		CSV: call("GET", CSV_TYPE),
	} as unknown as PartnerClient;
}

function send(
	{ baseUrl, apiKey, patienceMs = PATIENCE_MS, language = "es", fetch }: PartnerClientOptions,
	{ method, path, accept = JSON_TYPE }: { method: string; path: string; accept?: string | undefined },
	{ path: values = {}, query = {}, body, idempotencyKey, signal }: AnyCall = {},
): Promise<Answer<number, unknown>> {
	const keyed = method === "POST" && KEYED_PATHS.includes(path);
	const address = `${baseUrl.replace(/\/+$/, "")}${fillPath(path, values)}${searchOf(query)}`;
	const headers: Record<string, string> = {
		"x-gw": apiKey,
		accept,
		"accept-language": language,
	};
	if (body !== undefined) headers["content-type"] = JSON_TYPE;
	if (keyed) headers["idempotency-key"] = idempotencyKey ?? crypto.randomUUID();
	const init: RequestInit = { method, headers };
	if (body !== undefined) init.body = JSON.stringify(body);
	if (signal) init.signal = signal;
	const attempt = async () => {
		const request = new Request(address, init);
		return readAnswer(await (fetch ?? globalThis.fetch)(request));
	};
	return repeat(attempt, { patienceMs, safe: keyed || method !== "POST", signal });
}

function fillPath(path: string, values: Record<string, string | number>): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

function searchOf(query: Record<string, unknown>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query))
		if (value !== undefined && value !== null) search.set(name, String(value));
	return search.size > 0 ? `?${search}` : "";
}

/** @throws {Error} when something else than the service answers, a proxy's page for instance */
async function readAnswer(response: Response): Promise<Answer<number, unknown>> {
	const { status, headers } = response;
	if (status === 200 && response.body && headers.get("content-type")?.startsWith(CSV_TYPE))
		return { status, body: response.body, retryAfter: null, response };
	const text = await response.text();
	const seconds = Number(headers.get("retry-after") ?? Number.NaN);
	try {
		const body: unknown = text === "" ? undefined : JSON.parse(text);
		return { status, body, retryAfter: Number.isFinite(seconds) ? seconds : null, response };
	} catch {
		throw new Error(`${response.url} ${status}: not an answer of the service`);
	}
}
