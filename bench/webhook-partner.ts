import { dataOf } from "../scripts/data-of.ts";
import { WebhookReceiver } from "../test/support/webhook-receiver.ts";
import { type BenchPartner, createPartner, type Settings } from "./partner.ts";
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
	settings: Settings = {},
): Promise<BenchPartner> {
	const partner = await createPartner(service, { mode: "B2B", webhook_url: url, ...settings });
	const params = { path: { id: partner.id } };
	dataOf(
		await service.ops.POST("/ops/v1/partners/{id}/webhook-secret", { params, body: { overlap_hours: 0 } }),
	);
	return partner;
}
