import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedWebhook {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Epoch milliseconds. */
	at: number;
}

/** A partner's endpoint on loopback; what it answers is the test's choice. */
export class WebhookReceiver {
	readonly received: ReceivedWebhook[] = [];
	answer: (response: ServerResponse, nth: number) => void = (response) => response.writeHead(204).end();
	readonly #server = createServer((request, response) => {
		let body = "";
		request.setEncoding("utf8");
		request.on("data", (chunk: string) => {
			body += chunk;
		});
		request.on("end", () => {
			this.received.push({ path: request.url ?? "", headers: request.headers, body, at: Date.now() });
			this.answer(response, this.received.length);
		});
	});

	/** @returns the address to give to the service. */
	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}
}
