import { createPartnerApi } from "../api/partner/router.ts";
import { createApi } from "../http/api.ts";
import { SANDBOX_REFERENCE } from "../texts/sandbox-reference.ts";
import { clockCall } from "./clock-call.ts";
import { eventCall } from "./event-call.ts";
import { listenCalls } from "./listen-calls.ts";
import { settingsCall } from "./settings-call.ts";

const calls = createApi()
	.route("/", settingsCall)
	.route("/", clockCall)
	.route("/", eventCall)
	.route("/", listenCalls);

/** Partners' calls in local and dev: prod's, and the sandbox's own. */
export const { partners, describePartners } = createPartnerApi([
	{ calls, tag: { name: "Sandbox", description: SANDBOX_REFERENCE.tagSandbox } },
]);
