import type { WebhookReceiver } from "../../support/webhook-receiver.ts";
import type { Journal } from "./journal.ts";

/* Webhooks and mailboxes of partners. They outlive the service's kills, so what they received stays received. */

interface WebhookBody {
	type: string;
	data: { p_code: string; certificate?: string; serialNumber?: string };
}

interface Mail {
	to: string;
	subject: string;
	id: string;
	/** Base64; a message to a holder has none. */
	pfx?: string;
}

export interface Deliveries {
	/** Called at every webhook; true: it gets no answer. */
	onWebhook: () => boolean;
	/** Share of webhooks that are answered 503. */
	failing: number;
}

/** Writes into the journal what arrives. @returns what a run may change. */
export function answerDeliveries(
	receiver: WebhookReceiver,
	journal: Journal,
	random: () => number,
): Deliveries {
	const deliveries: Deliveries = { onWebhook: () => false, failing: 0.05 };
	receiver.answer = (response, _nth, { path, headers, body }) => {
		if (path === "/mail") takeMail(journal, JSON.parse(body) as Mail);
		const isWebhook = path.startsWith("/hook/");
		if (isWebhook) {
			takeWebhook(journal, path, String(headers["webhook-id"]), body);
			if (deliveries.onWebhook()) return;
		}
		response.writeHead(isWebhook && random() < deliveries.failing ? 503 : 204).end();
	};
	return deliveries;
}

function takeWebhook(journal: Journal, path: string, id: string, body: string): void {
	journal.webhooks.push({ partnerKind: path.split("/").at(-1) ?? "", id, body });
	const { data, type } = JSON.parse(body) as WebhookBody;
	if (type === "certificate.emitted")
		journal.see(data.p_code, "webhook", data.certificate ?? null, data.serialNumber ?? null);
}

function takeMail(journal: Journal, { id, to, subject, pfx }: Mail): void {
	if (pfx === undefined) return void journal.mails.push({ id, to, code: null });
	const code = subject.split(": ").at(-1) ?? "";
	journal.mails.push({ id, to, code });
	journal.see(code, "email", pfx, null);
}
