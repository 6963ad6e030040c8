/** Changes by one of the partner's keys that are reported by another channel: a thief of a key cannot hide them. */
export type Noticed = "keys" | "webhook" | "delivery_email";

interface Addresses {
	webhookUrl: string | null;
	webhookOffAt: number | null;
	deliveryEmail: string | null;
}

/**
 * Chooses which of the previous addresses gets the notice: the unchanged one, or else the only one. A change of keys
 * goes to the e-mail, which people read. A webhook that is off gets notices of keys only, once it is on again.
 */
export function noticeChannel(
	changed: Noticed,
	{ webhookUrl, webhookOffAt, deliveryEmail }: Addresses,
): "webhook" | "email" | null {
	const byEmail = deliveryEmail !== null ? "email" : null;
	const byWebhook = webhookUrl !== null ? "webhook" : null;
	const atOnce = webhookOffAt === null ? byWebhook : null;
	switch (changed) {
		case "keys":
			return byEmail ?? byWebhook;
		case "webhook":
			return byEmail ?? atOnce;
		case "delivery_email":
			return atOnce ?? byEmail;
	}
}
