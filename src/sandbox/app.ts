import type { OpenAPIHono } from "@hono/zod-openapi";
import { createApp } from "../app.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import type { describeApi } from "../http/openapi.ts";
import { createPartnerApi } from "../partner-api.ts";
import { SANDBOX_REFERENCE } from "../texts/sandbox-reference.ts";
import { clockCall } from "./clock-call.ts";
import { eventCall } from "./event-call.ts";
import { listenCalls } from "./listen-calls.ts";
import { settingsCall } from "./settings-call.ts";

/* The service of local and dev: that of prod, and the calls that drive the sandbox. */

const calls: OpenAPIHono<AppEnv> = createApi()
	.route("/", settingsCall)
	.route("/", clockCall)
	.route("/", eventCall)
	.route("/", listenCalls);
const api = createPartnerApi([
	{ calls, tag: { name: "Sandbox", description: SANDBOX_REFERENCE.tagSandbox } },
]);

export const describePartners: ReturnType<typeof describeApi> = api.describePartners;
export const app: OpenAPIHono<AppEnv> = createApp(api);
