/** Every event that the service posts to a partner's webhook. A code's event is in `code-event.ts` too. */
export const WEBHOOK_EVENTS = [
	"certificate.emitted",
	"certificate.revoked",
	"certificate.expiring",
	"pcode.validated",
	"pcode.locked",
	"pcode.cancelled",
	"pcode.expiring",
	"pcode.lapsing",
	"onboarding.completed",
	"onboarding.expired",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Every event, future ones included. */
export const ALL_EVENTS = "*";

/** Events that a partner can subscribe its webhook to. */
export const SUBSCRIPTIONS = [ALL_EVENTS, ...WEBHOOK_EVENTS] as const;

export type Subscription = (typeof SUBSCRIPTIONS)[number];

/** Subscription of a partner that chooses nothing. */
export const DEFAULT_WEBHOOK_EVENTS: readonly Subscription[] = ["certificate.emitted"];

export function subscribes(subscriptions: readonly Subscription[], event: WebhookEvent): boolean {
	return subscriptions.includes(event) || subscriptions.includes(ALL_EVENTS);
}

/** Reports a change that a partner made by itself (`domain/notices.ts`). */
export const NOTICE = "settings.changed";

/** Events that a webhook gets without a subscription. */
export type PostedEvent = WebhookEvent | "ping" | typeof NOTICE;

/** Author of a webhook's switch-off: the endpoint itself, by answering 410, or ops. */
export type WebhookSwitch = "endpoint" | "ops";
