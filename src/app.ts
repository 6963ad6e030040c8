import { requestId } from "hono/request-id";
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
import { holderPages } from "./holder/router.ts";
import { createApi } from "./http/api.ts";
import { errorAnswer } from "./http/errors.ts";
import { onError, refuseOtherMethods } from "./http/fallbacks.ts";
import { health } from "./http/health.ts";
import { observeRequests } from "./http/observe-requests.ts";
import { describeApi, serveDocument } from "./http/openapi.ts";
import { keepPlainHttpToPki } from "./http/plain-http.ts";
import { responseHeaders } from "./http/response-headers.ts";
import { staticFiles } from "./http/static-files.ts";
import { describeWebhooks } from "./http/webhooks.ts";
import { ops } from "./ops/router.ts";
import { authorityCertificates } from "./pki/certificates.ts";
import { certificateRevocationList } from "./pki/crl.ts";
import { ocspResponder } from "./pki/ocsp.ts";
import { platformOf } from "./platform.ts";
import { bulk } from "./purchase-codes/bulk.ts";
import { list } from "./purchase-codes/list.ts";
import { certificateClaim } from "./redeem/certificate-claim.ts";
import { certificateRequest } from "./redeem/certificate-request.ts";
import { status } from "./redeem/status.ts";
import { referencePage } from "./reference/page.ts";
import { DESK_REFERENCE } from "./texts/desk-reference.ts";
import { preferredLanguage } from "./texts/language.ts";
import { REFERENCE } from "./texts/reference.ts";
import { frameCalls } from "./widget/frame-calls.ts";
import { widgetLogo } from "./widget/logo.ts";
import { widgetPages } from "./widget/pages.ts";
import { widgetScript } from "./widget/script.ts";
import { onboardingSessions } from "./widget/sessions.ts";
import { signOn } from "./widget/sign-on.ts";

const partners = createApi()
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

export const app = createApi();

app.use("/docs/*", staticFiles);
app.use("/cps/*", staticFiles);
app.use(requestId(), observeRequests, responseHeaders, async (c, next) => {
	c.set("language", preferredLanguage(c.req.header("accept-language")));
	await next();
});
app.use(keepPlainHttpToPki);
app.route("/", health);
app.get("/openapi.json", serveDocument(describePartners));
app.get("/docs/reference", referencePage(describePartners));
app.route("/", widgetScript);

app.route("/pki", ocspResponder);

app.use("*", async (c, next) => {
	c.set("platform", await platformOf(c.env));
	await next();
});
app.route("/pki", authorityCertificates);
app.route("/pki", certificateRevocationList);
app.route("/", partners);
app.route("/", ops);
app.route("/", frameCalls);
app.route("/", holderPages);
app.route("/", widgetPages);
app.route("/", signOn);
app.route("/", widgetLogo);

refuseOtherMethods(app);
app.notFound((c) => errorAnswer(c, "not_found"));
app.onError(onError);
