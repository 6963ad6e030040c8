import { Pool } from "undici";

/** Times of a call in milliseconds. */
export interface Timing {
	/** Time from the call to the answer's last byte, in this process. */
	ms: number;
	/** Waits for objects by the service's own account (`Server-Timing`). */
	objectMs: number;
}

export interface Reply extends Timing {
	status: number;
	text: string;
	/** The answer says when to come again. */
	retryAfter: boolean;
}

export interface Call {
	method?: "GET" | "POST";
	path: string;
	headers?: Record<string, string>;
	body?: unknown;
}

/** HTTP on kept-alive connections that times every call. */
export class HttpClient {
	readonly #pool: Pool;

	constructor(origin: URL, connections: number) {
		this.#pool = new Pool(origin.origin, { connections });
	}

	send({ method = "GET", path, headers = {}, body }: Call): Promise<Reply> {
		const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
		return this.#send(method, path, typed, body === undefined ? null : JSON.stringify(body));
	}

	/** @throws unless the answer has this status. */
	async expect(status: number, call: Call): Promise<Reply> {
		const reply = await this.send(call);
		if (reply.status !== status)
			throw new Error(`${call.path}: ${reply.status} instead of ${status}: ${reply.text.slice(0, 500)}`);
		return reply;
	}

	/** Serves the typed clients; `timingOf` reads the times of the response. */
	readonly fetch = async (request: Request): Promise<Response> => {
		const { pathname, search } = new URL(request.url);
		const body = request.body ? await request.text() : null;
		const reply = await this.#send(
			request.method,
			pathname + search,
			Object.fromEntries(request.headers),
			body,
		);
		const timing = `http;dur=${reply.ms}, object;dur=${reply.objectMs}`;
		return new Response(reply.text, { status: reply.status, headers: { "server-timing": timing } });
	};

	close(): Promise<void> {
		return this.#pool.destroy();
	}

	async #send(
		method: string,
		path: string,
		headers: Record<string, string>,
		body: string | null,
	): Promise<Reply> {
		const started = performance.now();
		const answer = await this.#pool.request({ method: method as "GET", path, headers, body });
		const text = await answer.body.text();
		const ms = performance.now() - started;
		const objectMs = readTiming(String(answer.headers["server-timing"] ?? ""), "object");
		const retryAfter = answer.headers["retry-after"] !== undefined;
		return { status: answer.statusCode, text, ms, objectMs, retryAfter };
	}
}

export function timingOf(response: Response): Timing {
	const header = response.headers.get("server-timing") ?? "";
	return { ms: readTiming(header, "http"), objectMs: readTiming(header, "object") };
}

/** `d1;dur=1.2, total;dur=3.4` @returns 0 where the part is not named */
function readTiming(header: string, part: string): number {
	return Number(new RegExp(`(?:^|[ ,])${part};dur=([0-9.]+)`).exec(header)?.[1] ?? 0);
}
