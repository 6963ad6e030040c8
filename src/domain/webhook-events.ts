/** What a partner can subscribe its webhook to. */
export const WEBHOOK_EVENTS = [
	"certificate.emitted",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
	"onboarding.completed",
	"onboarding.expired",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a webhook gets whose partner has chosen nothing. */
export const DEFAULT_WEBHOOK_EVENTS: readonly WebhookEvent[] = ["certificate.emitted"];

/** Who switched a partner's webhook off: the endpoint itself, by answering 410, or ops. */
export type WebhookSwitch = "endpoint" | "ops";
