import { cancellation } from "./desk/cancellation.ts";
import { ownCertificates } from "./desk/certificates.ts";
import { ownDeliveries } from "./desk/deliveries.ts";
import { ownKeys } from "./desk/keys.ts";
import { ownPurchaseCode } from "./desk/purchase-code.ts";
import { ownRevocation } from "./desk/revocation.ts";
import { ownSettings } from "./desk/settings.ts";
import { usage } from "./desk/usage.ts";
import { ownWebhook } from "./desk/webhook.ts";
import { ownWidget } from "./desk/widget.ts";
import { createApi } from "./http/api.ts";
import { describeApi } from "./http/openapi.ts";
import { describeWebhooks } from "./http/webhooks.ts";
import { bulk } from "./purchase-codes/bulk.ts";
import { list } from "./purchase-codes/list.ts";
import { certificateClaim } from "./redeem/certificate-claim.ts";
import { certificateRequest } from "./redeem/certificate-request.ts";
import { status } from "./redeem/status.ts";
import { DESK_REFERENCE } from "./texts/desk-reference.ts";
import { REFERENCE } from "./texts/reference.ts";
import { onboardingSessions } from "./widget/sessions.ts";

/** Every call of partners, and the document that describes them. */
export const partners = createApi()
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
	.route("/api/partner/v1", usage);
describeWebhooks(partners);

export const describePartners = describeApi(partners, {
	title: REFERENCE.title,
	introduction: REFERENCE.introduction,
	tags: [
		{ name: "Redeem", description: REFERENCE.tagRedeem },
		{ name: "Onboarding", description: REFERENCE.tagOnboarding },
		{ name: "Purchase codes", description: REFERENCE.tagPurchaseCodes },
		{ name: "Desk", description: DESK_REFERENCE.tagDesk },
		{ name: "Certificates", description: REFERENCE.tagCertificates },
		{ name: "Webhooks", description: REFERENCE.tagWebhooks },
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
