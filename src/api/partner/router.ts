import type { OpenAPIHono } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { describeApi } from "../../http/openapi.ts";
import { checkBefore } from "../../http/partner-checks.ts";
import { describeWebhooks } from "../../http/webhooks.ts";
import { DESK_CODES } from "../../texts/desk-codes.ts";
import { DESK_REFERENCE } from "../../texts/desk-reference.ts";
import type { Text } from "../../texts/language.ts";
import { ONBOARDING_REFERENCE } from "../../texts/onboarding-reference.ts";
import { REFERENCE } from "../../texts/reference.ts";
import { WEBHOOK_REFERENCE } from "../../texts/webhook-reference.ts";
import { cancellation } from "./desk/cancellation.ts";
import { ownCertificates } from "./desk/certificates.ts";
import { ownDeliveries } from "./desk/deliveries.ts";
import { ownExport } from "./desk/export.ts";
import { ownKeys } from "./desk/keys.ts";
import { ownPurchaseCode } from "./desk/purchase-code.ts";
import { ownRevocation } from "./desk/revocation.ts";
import { ownSettings } from "./desk/settings.ts";
import { usage } from "./desk/usage.ts";
import { ownWebhook } from "./desk/webhook.ts";
import { ownWidget } from "./desk/widget.ts";
import { onboardingSessions } from "./onboarding-sessions.ts";
import { bulk } from "./purchase-codes/bulk.ts";
import { list } from "./purchase-codes/list.ts";
import { certificateClaim } from "./redeem/certificate-claim.ts";
import { certificateRequest } from "./redeem/certificate-request.ts";
import { status } from "./redeem/status.ts";

/** Calls that only the Worker of local and dev has under `/api/partner/v1`, and their tag. */
interface MoreCalls {
	calls: OpenAPIHono<AppEnv>;
	tag: { name: string; description: Text };
}

/** Every call of partners, and the document that describes them. */
export function createPartnerApi(more: readonly MoreCalls[]): {
	partners: OpenAPIHono<AppEnv>;
	describePartners: ReturnType<typeof describeApi>;
} {
	const calls: OpenAPIHono<AppEnv> = createApi()
		.route("/api/partners/v1", certificateRequest)
		.route("/api/partners/v1", certificateClaim)
		.route("/api/partners/v1", status)
		.route("/api/partners/v1", onboardingSessions)
		.route("/api/partner/v1", bulk)
		.route("/api/partner/v1", list)
		.route("/api/partner/v1", ownKeys)
		.route("/api/partner/v1", ownDeliveries)
		.route("/api/partner/v1", ownWebhook)
		.route("/api/partner/v1", ownSettings)
		.route("/api/partner/v1", ownWidget)
		.route("/api/partner/v1", ownPurchaseCode)
		.route("/api/partner/v1", cancellation)
		.route("/api/partner/v1", ownCertificates)
		.route("/api/partner/v1", ownRevocation)
		.route("/api/partner/v1", usage)
		.route("/api/partner/v1", ownExport);
	for (const { calls: added } of more) calls.route("/api/partner/v1", added);
	describeWebhooks(calls);
	const describePartners = describeApi(calls, {
		title: REFERENCE.title,
		introduction: REFERENCE.introduction,
		tags: [
			{ name: "Redeem", description: REFERENCE.tagRedeem },
			{ name: "Onboarding", description: ONBOARDING_REFERENCE.tagOnboarding },
			{ name: "Purchase codes", description: REFERENCE.tagPurchaseCodes },
			{ name: "Desk", description: DESK_REFERENCE.tagDesk },
			{ name: "Certificates", description: DESK_CODES.tagCertificates },
			...more.map(({ tag }) => tag),
			{ name: "Webhooks", description: WEBHOOK_REFERENCE.tagWebhooks },
		],
		security: [
			{
				name: "partnerKey",
				scheme: { type: "apiKey", in: "header", name: "x-gw" },
				description: REFERENCE.partnerKey,
			},
		],
		headers: ["x-request-id", "Retry-After", "RateLimit-Policy", "RateLimit", "Idempotency-Replayed"],
	});
	return { partners: checkBefore(calls), describePartners };
}

export const { partners, describePartners } = createPartnerApi([]);
