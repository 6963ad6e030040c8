import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The way from the Worker to the signer, which can be slow: the request gets there, its answer comes late. */
export class SlowWay {
	/** Milliseconds by which each answer is late. */
	delayMs = 0;
	readonly #server;

	constructor(to: string) {
		this.#server = createServer(async (request, response) => {
			const { method = "GET", url, headers } = request;
			const sent = Object.entries(headers).filter(([name]) => /^(signer-|content-type)/.test(name));
			const body = method === "POST" ? await buffer(request) : null;
			const answer = await fetch(to + url, {
				method,
				headers: Object.fromEntries(sent) as HeadersInit,
				body,
			}).catch(() => null);
			await new Promise((resolve) => setTimeout(resolve, this.delayMs));
			if (answer)
				response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
			else response.destroy();
		});
	}

	/** @returns its address */
	async listen(): Promise<string> {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}
