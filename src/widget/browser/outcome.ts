import type { Refusal } from "./state.ts";

export type Outcome<Data> = { data: Data } | { refusal: Refusal };

interface ErrorBody {
	error?: string;
	details?: { code: string; field?: string }[];
}

/** Reads an answer of the service. @param body - null: it was no JSON */
export function outcomeOf<Data>(response: Response, body: unknown): Outcome<Data> {
	const { success, data } = (body ?? {}) as { success?: boolean; data?: Data };
	if (response.ok && success && data !== undefined) return { data };
	const { error = "UNKNOWN", details = [] } = (body ?? {}) as ErrorBody;
	const { status } = response;
	return {
		refusal: {
			status,
			code: status === 400 ? error : (details[0]?.code ?? error),
			field: details[0]?.field,
			retryAfterMs: 1_000 * Number(response.headers.get("retry-after") ?? 0),
		},
	};
}
