/** Changes that a partner makes by itself and hears of by another way: whoever stole a key cannot make them unseen. */
export type Noticed = "keys" | "webhook" | "delivery_email";

interface Addresses {
	webhookUrl: string | null;
	webhookOffAt: number | null;
	deliveryEmail: string | null;
}

/**
 * Chooses the address, of those before the change, that is told of it: the other one, or else the only one. A change of
 * keys goes to the e-mail, which people read. A webhook that is off hears of keys alone, once it is on again.
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
