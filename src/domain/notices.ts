/** Changes that a partner makes by itself and hears of by another way: whoever stole a key cannot make them unseen. */
export type Noticed = "keys" | "webhook" | "delivery_email";

/** The kind of such a notice; no webhook subscribes to it. */
export const NOTICE = "settings.changed";

/**
 * Which address of a partner, as they were before the change, is told of it: the other one. A change of keys goes to the
 * e-mail, which people read; one of the only e-mail to the former e-mail. A webhook alone has no other address.
 */
export function noticeChannel(
	changed: Noticed,
	{ webhookUrl, deliveryEmail }: { webhookUrl: string | null; deliveryEmail: string | null },
): "webhook" | "email" | null {
	const byEmail = deliveryEmail !== null ? "email" : null;
	const byWebhook = webhookUrl !== null ? "webhook" : null;
	switch (changed) {
		case "keys":
			return byEmail ?? byWebhook;
		case "webhook":
			return byEmail;
		case "delivery_email":
			return byWebhook ?? byEmail;
	}
}
