import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedWebhook {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
	/** Epoch milliseconds. */
	at: number;
}

/** A partner's endpoint on loopback, in plain Node; what it answers is the test's choice, 204 without one. */
export class WebhookReceiver {
	readonly received: ReceivedWebhook[] = [];
	/** @param nth - 1 for the first. */
	answer: (response: ServerResponse, nth: number, webhook: ReceivedWebhook) => void = (response) =>
		response.writeHead(204).end();
	readonly #server = createServer((request, response) => {
		let body = "";
		request.setEncoding("utf8");
		request.on("data", (chunk: string) => {
			body += chunk;
		});
		request.on("end", () => {
			const webhook = { path: request.url ?? "", headers: request.headers, body, at: Date.now() };
			this.answer(response, this.received.push(webhook), webhook);
		});
	});

	/** @returns `http://127.0.0.1:port`, without a path. */
	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}
}
