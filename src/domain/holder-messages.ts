import { NOTICE, WEBHOOK_EVENTS } from "./webhook-events.ts";

/** Messages to a holder through the outbox. */
const HOLDER_MESSAGES = ["holder.issued", "holder.expiring", "holder.revoked", "holder.answered"] as const;
export type HolderMessage = (typeof HOLDER_MESSAGES)[number];

/** Everything that a row of the outbox can carry. */
export const DELIVERY_KINDS = [...WEBHOOK_EVENTS, ...HOLDER_MESSAGES, NOTICE] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
