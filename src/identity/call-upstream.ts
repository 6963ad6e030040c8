import { readBody } from "../read-body.ts";
import type { NoAnswer } from "./ports.ts";

/** Sends a request: a service binding, a sandbox handler, or `globalThis` for the internet. */
export interface Fetcher {
	fetch(request: Request): Promise<Response>;
}

interface UpstreamCall {
	fetcher: Fetcher;
	/** Called for each attempt, because a body can be sent only once. Must pass the signal on. */
	makeRequest: (signal: AbortSignal) => Request;
	/** Milliseconds one attempt may take, from the first byte sent to the last byte read. */
	timeoutMs: number;
}

type UpstreamAnswer = { kind: "json"; value: unknown } | { kind: "status"; status: number } | NoAnswer;

/** Deadline of one attempt, in milliseconds. */
export const UPSTREAM_TIMEOUT_MS = 8_000;

/** A real answer is under 1 KiB. Reading stops at this limit. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Sends a read-only request and reads the JSON of a 200 within one deadline.
 *
 * Retries once, and only when no response came at all: after a status, a timeout or a broken body a retry would cost
 * the upstream a second look-up and the caller a second wait. Any other status is returned with its body unread.
 *
 * @throws what `makeRequest` throws: a request that cannot be sent is a bug or a wrong setting
 */
export async function callUpstream(call: UpstreamCall): Promise<UpstreamAnswer> {
	const first = await attempt(call);
	const answer = first === "unreachable" ? await attempt(call) : first;
	return answer === "unreachable" ? noAnswer("connection", "no connection, twice") : answer;
}

async function attempt({
	fetcher,
	makeRequest,
	timeoutMs,
}: UpstreamCall): Promise<UpstreamAnswer | "unreachable"> {
	const abort = new AbortController();
	const request = makeRequest(abort.signal);
	const { promise: deadline, resolve: expire } = Promise.withResolvers<UpstreamAnswer>();
	const timer = setTimeout(() => {
		// Expires before aborting: the abort makes fetch throw, which would look like a failed connection.
		expire(noAnswer("timeout", `no whole answer within ${timeoutMs} ms`));
		abort.abort();
	}, timeoutMs);
	try {
		// A race as well as an abort: a fetcher or a body may ignore the signal.
		return await Promise.race([exchange(fetcher, request, abort.signal), deadline]);
	} finally {
		clearTimeout(timer);
	}
}

async function exchange(
	fetcher: Fetcher,
	request: Request,
	signal: AbortSignal,
): Promise<UpstreamAnswer | "unreachable"> {
	let response: Response;
	try {
		response = await fetcher.fetch(request);
	} catch {
		return "unreachable";
	}
	// The deadline has already answered, but the body still holds a connection.
	if (signal.aborted) {
		discard(response);
		return noAnswer("timeout", "answered after the deadline");
	}
	if (response.status !== 200) {
		discard(response);
		return { kind: "status", status: response.status };
	}
	if (!isJson(response.headers.get("content-type"))) {
		discard(response);
		return noAnswer("format", "content type is not application/json");
	}
	const { promise: stop, resolve: expire } = Promise.withResolvers<void>();
	signal.addEventListener("abort", () => expire(), { once: true });
	const reading = response.body && (await readBody(response.body, MAX_BODY_BYTES, { stop }));
	switch (reading?.kind) {
		case undefined:
			return parseJson(new Uint8Array());
		case "whole":
			return parseJson(reading.bytes);
		case "too_large":
			return noAnswer("format", `body over ${MAX_BODY_BYTES} bytes`);
		case "broken":
		case "stopped":
			return noAnswer("connection", "the connection broke while the answer was read");
	}
}

function parseJson(body: Uint8Array): UpstreamAnswer {
	try {
		return {
			kind: "json",
			value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body)),
		};
	} catch {
		return noAnswer("format", "body is not JSON in UTF-8");
	}
}

function isJson(contentType: string | null): boolean {
	return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

/** Releases the connection of an unread body. Not awaited: a stalled body may never finish cancelling. */
function discard(response: Response): void {
	response.body?.cancel().catch(ignore);
}

function ignore(): void {}

function noAnswer(reason: NoAnswer["reason"], detail: string): NoAnswer {
	return { kind: "unavailable", reason, detail };
}
