import { connect, type Socket } from "node:net";
import { type Answer, AnswerReader } from "./read-answer.ts";

/** No answer: none within the time, the connection's end before it, or bytes that are no HTTP answer. */
export interface NoAnswer {
	failure: "timeout" | "closed" | "garbled";
	ms: number;
}

export interface Sending {
	bytes: Buffer;
	/** An answer to HEAD has no body, any its length says. */
	method: string;
	/** Uses a connection of its own. */
	alone: boolean;
	/** Says after the bytes that nothing more will come. */
	thenEnd: boolean;
	timeoutMs: number;
}

/**
 * HTTP/1.1 as bytes: what is sent is what was made, however wrong. Calls that are framed as they should be share
 * kept-alive connections, one call at a time on each.
 */
export class WireClient {
	readonly #host: string;
	readonly #port: number;
	readonly #idle: Socket[] = [];

	constructor({ host, port }: { host: string; port: number }) {
		this.#host = host;
		this.#port = port;
	}

	async send(sending: Sending): Promise<Answer | NoAnswer> {
		const kept = sending.alone ? undefined : this.#idle.pop();
		kept?.removeAllListeners();
		const outcome = await this.#exchange(kept ?? connect(this.#port, this.#host), sending);
		// A kept connection may have been closed by the other side while the call was on its way.
		const gone = kept && "failure" in outcome && outcome.failure === "closed";
		return gone ? this.#exchange(connect(this.#port, this.#host), sending) : outcome;
	}

	close(): void {
		for (const socket of this.#idle) socket.destroy();
	}

	#exchange(socket: Socket, sending: Sending): Promise<Answer | NoAnswer> {
		const started = performance.now();
		const reader = new AnswerReader(sending.method);
		return new Promise((resolve) => {
			const finish = (outcome: Omit<Answer, "ms"> | Omit<NoAnswer, "ms">) => {
				clearTimeout(timer);
				socket.removeAllListeners();
				socket.on("error", () => undefined);
				// Whoever refuses a call without reading its body closes the connection behind the answer.
				const unread = "failure" in outcome || outcome.status >= 400;
				if (unread || sending.alone || !reader.keepsAlive) socket.destroy();
				else this.#keep(socket);
				resolve({ ...outcome, ms: performance.now() - started });
			};
			const timer = setTimeout(() => finish({ failure: "timeout" }), sending.timeoutMs);
			const read = (bytes: Buffer | null) => {
				const state = reader.take(bytes);
				if (state === "garbled") finish({ failure: "garbled" });
				else if (state === "whole") finish(reader.answer());
				else if (bytes === null) finish({ failure: "closed" });
			};
			socket.setNoDelay(true);
			socket.on("data", read);
			socket.on("error", () => read(null));
			socket.on("close", () => read(null));
			socket.write(sending.bytes);
			if (sending.thenEnd) socket.end();
		});
	}

	#keep(socket: Socket): void {
		const forget = () => {
			const at = this.#idle.indexOf(socket);
			if (at >= 0) this.#idle.splice(at, 1);
			socket.destroy();
		};
		socket.on("close", forget);
		socket.on("data", forget);
		this.#idle.push(socket);
	}
}

export interface Asked {
	status: number;
	// biome-ignore lint/suspicious/noExplicitAny: an answer is any the service says
	body: any;
}

/** A well-formed call, for what stands before and after the fuzz. @throws when no answer comes. */
export async function ask(
	client: WireClient,
	call: { method?: string; path: string; credentials: string; body?: unknown },
): Promise<Asked> {
	const { method = "GET", path, credentials, body } = call;
	const payload = body === undefined ? "" : JSON.stringify(body);
	const lines = [`${method} ${path} HTTP/1.1`, "Host: service.test", credentials];
	if (body !== undefined) lines.push("Content-Type: application/json");
	if (method !== "GET") lines.push(`Content-Length: ${Buffer.byteLength(payload)}`);
	const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${payload}`);
	const outcome = await client.send({ bytes, method, alone: false, thenEnd: false, timeoutMs: 60_000 });
	if ("failure" in outcome) throw new Error(`${method} ${path}: ${outcome.failure}`);
	return { status: outcome.status, body: parse(outcome) };
}

function parse({ body }: Answer): unknown {
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		return undefined;
	}
}
