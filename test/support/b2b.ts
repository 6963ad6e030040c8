import { expect } from "vitest";
import { until } from "./clock.ts";
import { outboxOf } from "./look-inside.ts";
import { down, type useReceiver } from "./receiver.ts";
import { type Answer, loadHolder, ops, Partner, type Settings } from "./service.ts";

export const HOOK = "https://partner.example/webhooks/certificates";

let holders = 0;

/** A B2B partner with a webhook and the one secret that signs it. */
export async function createWebhookPartner(settings: Settings = {}) {
	const partner = await Partner.create({ mode: "B2B", webhook_url: HOOK, ...settings });
	return { partner, secret: await rotateSecret(partner, 0) };
}

export async function rotateSecret(partner: Partner, overlapHours: number): Promise<string> {
	const path = `/partners/${partner.id}/webhook-secret`;
	const { status, body } = await ops("POST", path, { overlap_hours: overlapHours });
	expect(status).toBe(201);
	return body.data.webhook_secret;
}

/** One certificate_request of a holder nobody has used yet. */
export async function request(partner: Partner, fields: Settings = {}): Promise<Answer & { pCode: string }> {
	const pCode = await partner.code();
	const answer = await partner.request({ pCode, ...loadHolder(holders++), ...fields });
	expect(answer.status).toBe(200);
	return { ...answer, pCode };
}

/** A partner of {@link createWebhookPartner}, and a code whose certificate goes to the webhook. */
export async function issueToWebhook(settings: Settings = {}, fields: Settings = {}) {
	const created = await createWebhookPartner(settings);
	return { ...created, ...(await request(created.partner, fields)) };
}

/** A certificate whose first attempt failed. @param answer - the receiver's, from now on */
export async function undelivered({ receiver, queue }: ReturnType<typeof useReceiver>, answer = down) {
	receiver.answer = answer;
	const { partner, pCode } = await issueToWebhook();
	await until(() => queue.length === 1);
	const { id, created_at } = await deliveryOf(pCode);
	return { partner, pCode, id: id as string, start: created_at as number };
}

/** The only delivery of a code to its partner. */
export async function deliveryOf(pCode: string) {
	const rows = await outboxOf(pCode);
	expect(rows).toHaveLength(1);
	return rows[0]!;
}

export async function deliveries(query = ""): Promise<Record<string, unknown>[]> {
	const { status, body } = await ops("GET", `/deliveries${query}`);
	expect(status).toBe(200);
	return body.data.deliveries;
}
