import { Agent, request } from "node:http";

export interface Reply {
	status: number;
	text: string;
	/** `Server-Timing`: what the call waited for by its own account, milliseconds by part. */
	timing: Record<string, number>;
	/** From the call to the answer's last octet, milliseconds. */
	ms: number;
}

export interface Call {
	method?: "GET" | "POST";
	path: string;
	headers?: Record<string, string>;
	body?: unknown;
}

/** HTTP on kept-alive connections with as little of the client's own time as node:http takes. */
export class HttpClient {
	readonly #agent: Agent;
	readonly #origin: URL;

	constructor(origin: URL, connections: number) {
		this.#origin = origin;
		this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
	}

	send({ method = "GET", path, headers = {}, body }: Call): Promise<Reply> {
		const payload = body === undefined ? undefined : JSON.stringify(body);
		const { hostname, port } = this.#origin;
		const started = performance.now();
		return new Promise((resolve, reject) => {
			const outgoing = request(
				{
					hostname,
					port,
					path,
					method,
					agent: this.#agent,
					headers: {
						...headers,
						...(payload !== undefined && {
							"content-type": "application/json",
							"content-length": Buffer.byteLength(payload),
						}),
					},
				},
				(response) => {
					let text = "";
					response.setEncoding("utf8");
					response.on("data", (chunk: string) => {
						text += chunk;
					});
					response.on("error", reject);
					response.on("end", () =>
						resolve({
							status: response.statusCode ?? 0,
							text,
							timing: readTiming(response.headers["server-timing"]),
							ms: performance.now() - started,
						}),
					);
				},
			);
			outgoing.on("error", reject);
			outgoing.end(payload);
		});
	}

	/** @throws unless the answer has this status. */
	async expect(status: number, call: Call): Promise<Reply> {
		const reply = await this.send(call);
		if (reply.status !== status)
			throw new Error(`${call.path}: ${reply.status} instead of ${status}: ${reply.text.slice(0, 500)}`);
		return reply;
	}

	close(): void {
		this.#agent.destroy();
	}
}

/** `d1;dur=1.2, total;dur=3.4` */
function readTiming(header: string | string[] | undefined): Record<string, number> {
	const entries = [...String(header ?? "").matchAll(/([a-z0-9]+);dur=([0-9.]+)/g)];
	return Object.fromEntries(entries.map(([, part, ms]) => [part!, Number(ms)]));
}
