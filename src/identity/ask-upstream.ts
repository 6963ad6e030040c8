import { concatBytes } from "@noble/hashes/utils.js";
import type { Unavailable } from "./ports.ts";

/** Whatever sends a request: a service binding, a sandbox handler, or `globalThis` for the open internet. */
export interface Fetcher {
	fetch(request: Request): Promise<Response>;
}

interface Question {
	fetcher: Fetcher;
	/** Made anew for each attempt, because a body can be sent once only. Must pass the signal on. */
	makeRequest: (signal: AbortSignal) => Request;
	/** Milliseconds one attempt may take, from the first byte sent to the last byte read. */
	timeoutMs: number;
}

type UpstreamAnswer = { kind: "json"; value: unknown } | { kind: "status"; status: number } | Unavailable;

/** Deadline of one attempt, in milliseconds. */
export const UPSTREAM_TIMEOUT_MS = 8_000;

/** A real answer is under 1 KiB; what is far above it is not read to its end. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Sends a read-only question and reads the JSON of a 200 within one deadline.
 *
 * Asks once more only when no response came at all: a status, a timeout or a broken body would cost the upstream a
 * second look-up, and the caller a second wait. Any other status is returned with its body unread.
 *
 * @throws what `makeRequest` throws: an unsendable request is a bug or a wrong setting
 */
export async function askUpstream(question: Question): Promise<UpstreamAnswer> {
	const first = await attempt(question);
	const answer = first === "unreachable" ? await attempt(question) : first;
	return answer === "unreachable" ? unavailable("connection", "no connection, twice") : answer;
}

async function attempt({
	fetcher,
	makeRequest,
	timeoutMs,
}: Question): Promise<UpstreamAnswer | "unreachable"> {
	const abort = new AbortController();
	const request = makeRequest(abort.signal);
	const { promise: deadline, resolve: expire } = Promise.withResolvers<UpstreamAnswer>();
	const timer = setTimeout(() => {
		// Expires first: the abort makes the fetch throw, which would read as a failed connection.
		expire(unavailable("timeout", `no whole answer within ${timeoutMs} ms`));
		abort.abort();
	}, timeoutMs);
	try {
		// Raced, not only aborted: a fetcher or a body is free to ignore the signal.
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
	// Too late to matter: the deadline has answered, but the body still holds a connection.
	if (signal.aborted) {
		discard(response);
		return unavailable("timeout", "answered after the deadline");
	}
	if (response.status !== 200) {
		discard(response);
		return { kind: "status", status: response.status };
	}
	if (!isJson(response.headers.get("content-type"))) {
		discard(response);
		return unavailable("format", "content type is not application/json");
	}
	const body = await readBody(response, signal);
	return body instanceof Uint8Array ? parseJson(body) : body;
}

/** The body's bytes, up to the limit; the rest, or a body still coming at the deadline, is cancelled. */
async function readBody(response: Response, signal: AbortSignal): Promise<Uint8Array | Unavailable> {
	if (response.body === null) return new Uint8Array();
	const reader = response.body.getReader();
	const cancel = () => void reader.cancel().catch(ignore);
	signal.addEventListener("abort", cancel, { once: true });
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return concatBytes(...chunks);
			size += value.byteLength;
			if (size > MAX_BODY_BYTES) {
				cancel();
				return unavailable("format", `body over ${MAX_BODY_BYTES} bytes`);
			}
			chunks.push(value);
		}
	} catch {
		return unavailable("connection", "the connection broke while the answer was read");
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

function parseJson(body: Uint8Array): UpstreamAnswer {
	try {
		return {
			kind: "json",
			value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body)),
		};
	} catch {
		return unavailable("format", "body is not JSON in UTF-8");
	}
}

function isJson(contentType: string | null): boolean {
	return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

/** Gives an unread body's connection back. Not awaited: a stalled body may never finish cancelling. */
function discard(response: Response): void {
	response.body?.cancel().catch(ignore);
}

function ignore(): void {}

function unavailable(reason: Unavailable["reason"], detail: string): Unavailable {
	return { kind: "unavailable", reason, detail };
}
