/** What a partner can subscribe its webhook to. */
export const WEBHOOK_EVENTS = [
	"certificate.emitted",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Who switched a partner's webhook off: the endpoint itself, by answering 410, or ops. */
export type WebhookSwitch = "endpoint" | "ops";
