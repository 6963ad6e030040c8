/** What a partner can subscribe its webhook to. */
export const WEBHOOK_EVENTS = [
	"certificate.emitted",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
