import { routesWith } from "../http/partner-route.ts";
import { SANDBOX_REFERENCE } from "../texts/sandbox-reference.ts";

/** A partner's call that local and dev alone have. */
export const sandboxRoute = routesWith(SANDBOX_REFERENCE);
