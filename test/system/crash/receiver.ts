import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Journal } from "./journal.ts";

/** What partners' webhooks and mailboxes get. Not killed with the service: what arrived there has arrived. */
export class Receiver {
	/** Of the world that runs. */
	journal: Journal | null = null;
	/** Told of every webhook; true: it gets no answer. */
	onWebhook: () => boolean = () => false;
	/** Share of webhooks that are answered 503. */
	failing = 0.05;
	readonly #random: () => number;
	readonly #server = createServer((request, response) => {
		let text = "";
		request.setEncoding("utf8");
		request.on("data", (chunk: string) => {
			text += chunk;
		});
		request.on("end", () => {
			const { url: path = "" } = request;
			const isWebhook = path.startsWith("/hook/");
			if (path === "/mail") this.#takeMail(JSON.parse(text) as Mail);
			if (isWebhook) {
				this.#takeWebhook(path, String(request.headers["webhook-id"]), text);
				if (this.onWebhook()) return;
			}
			response.writeHead(isWebhook && this.#random() < this.failing ? 503 : 204).end();
		});
	});

	constructor(random: () => number) {
		this.#random = random;
	}

	async listen(): Promise<number> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		return (this.#server.address() as AddressInfo).port;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		await new Promise((resolve) => this.#server.close(resolve));
	}

	#takeWebhook(path: string, id: string, body: string): void {
		this.journal?.webhooks.push({ partnerKind: path.split("/").at(-1) ?? "", id, body });
		const { data, type } = JSON.parse(body) as WebhookBody;
		if (type === "certificate.emitted")
			this.journal?.see(data.p_code, "webhook", data.certificate ?? null, data.serialNumber ?? null);
	}

	#takeMail({ to, subject, pfx }: Mail): void {
		const code = subject.split(": ").at(-1) ?? "";
		this.journal?.mails.push({ to, code });
		this.journal?.see(code, "email", pfx, null);
	}
}

interface WebhookBody {
	type: string;
	data: { p_code: string; certificate?: string; serialNumber?: string };
}

interface Mail {
	to: string;
	subject: string;
	id: string;
	/** Base64. */
	pfx: string;
}
