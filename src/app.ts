import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { createApi } from "./http/api.ts";
import { health } from "./http/health.ts";
import { preferredLanguage } from "./http/languages.ts";
import { observeRequests } from "./http/observe-requests.ts";
import { onError } from "./http/on-error.ts";
import { describeApi } from "./http/openapi-document.ts";
import { refuseOtherMethods } from "./http/other-methods.ts";
import { rejectionAnswer } from "./http/rejections.ts";
import { opsAudit } from "./ops/audit.ts";
import { hideOpsWithoutToken } from "./ops/authorize-ops.ts";
import { opsCertificates } from "./ops/certificates.ts";
import { opsDeliveries } from "./ops/deliveries.ts";
import { opsEvidence } from "./ops/evidence.ts";
import { opsJobs } from "./ops/jobs.ts";
import { opsKeys } from "./ops/keys.ts";
import { opsPartners } from "./ops/partners.ts";
import { opsPurchaseCodes } from "./ops/purchase-codes.ts";
import { opsReconcile } from "./ops/reconcile.ts";
import { opsWebhookSecrets } from "./ops/webhook-secrets.ts";
import { authorityCertificates } from "./pki/certificates.ts";
import { certificateRevocationList } from "./pki/crl.ts";
import { ocspResponder } from "./pki/ocsp.ts";
import { platformOf } from "./platform.ts";
import { bulk } from "./purchase-codes/bulk.ts";
import { list } from "./purchase-codes/list.ts";
import { certificateClaim } from "./redeem/certificate-claim.ts";
import { certificateRequest } from "./redeem/certificate-request.ts";
import { status } from "./redeem/status.ts";

export const app = createApi();

app.use(requestId(), observeRequests, secureHeaders(), async (c, next) => {
	c.set("language", preferredLanguage(c.req.header("accept-language")));
	await next();
});
app.route("/", health);
app.get("/openapi.json", (c) =>
	c.body(describeApi(app, c.env.PUBLIC_URL), 200, { "Content-Type": "application/json" }),
);

app.route("/pki", ocspResponder);

app.use("*", async (c, next) => {
	c.header("Cache-Control", "no-store");
	c.set("platform", await platformOf(c.env));
	await next();
});
app.route("/pki", authorityCertificates);
app.route("/pki", certificateRevocationList);
app.route("/api/partners/v1", certificateRequest);
app.route("/api/partners/v1", certificateClaim);
app.route("/api/partners/v1", status);
app.route("/api/partner/v1", bulk);
app.route("/api/partner/v1", list);
app.use("/ops/*", hideOpsWithoutToken);
app.route("/ops/v1", opsPartners);
app.route("/ops/v1", opsKeys);
app.route("/ops/v1", opsAudit);
app.route("/ops/v1", opsJobs);
app.route("/ops/v1", opsReconcile);
app.route("/ops/v1", opsPurchaseCodes);
app.route("/ops/v1", opsDeliveries);
app.route("/ops/v1", opsWebhookSecrets);
app.route("/ops/v1", opsEvidence);
app.route("/ops/v1", opsCertificates);

refuseOtherMethods(app);
app.notFound((c) => rejectionAnswer(c, { reason: "not_found" }));
app.onError(onError);
