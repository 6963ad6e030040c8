export { type DataOf, dataOf } from "./data-of.ts";
export type { paths, webhooks } from "./openapi.ts";
export type { Answer, CallOptions, Outcome } from "./outcome.ts";
export { createPartnerClient, type PartnerClient, type PartnerClientOptions } from "./partner-client.ts";
export { type ReceivedWebhook, verifyWebhook, WebhookError, type WebhookEvent } from "./verify-webhook.ts";
