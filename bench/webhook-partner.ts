import { WebhookReceiver } from "../test/support/webhook-receiver.ts";
import { type BenchPartner, createPartner } from "./partner.ts";
import type { BenchService } from "./service.ts";

/** An endpoint of this process that answers 204 at once. */
export interface Receiver {
	url: string;
	/** Bytes of the last delivery. */
	lastBytes(): number;
	stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	const receiver = new WebhookReceiver();
	return {
		url: `${await receiver.listen()}/hook`,
		lastBytes: () => Buffer.byteLength(receiver.received.at(-1)?.body ?? ""),
		stop: () => receiver.close(),
	};
}

/** A B2B partner with a webhook and the secret that signs it. */
export async function createB2bPartner(
	service: BenchService,
	{ url }: Receiver,
	settings: Record<string, unknown> = {},
): Promise<BenchPartner> {
	const partner = await createPartner(service, { mode: "B2B", webhook_url: url, ...settings });
	await service.client.expect(201, {
		method: "POST",
		path: `/ops/v1/partners/${partner.id}/webhook-secret`,
		headers: { authorization: `Bearer ${service.opsToken}` },
		body: { overlap_hours: 0 },
	});
	return partner;
}
