import { routesWith } from "../../../http/partner-route.ts";
import { DESK_CODES } from "../../../texts/desk-codes.ts";
import { DESK_REFERENCE } from "../../../texts/desk-reference.ts";

/** Declares a partner's call on its own settings, keys, deliveries, codes and certificates. */
export const deskRoute = routesWith({ ...DESK_CODES, ...DESK_REFERENCE });
