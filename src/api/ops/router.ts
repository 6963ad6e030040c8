import { BODY_MAX, LOGO_BODY_MAX } from "../../domain/limits.ts";
import { createApi } from "../../http/api.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { describeApi, serveDocument } from "../../http/openapi.ts";
import { OPS_REFERENCE } from "../../texts/ops-reference.ts";
import { opsAudit } from "./audit.ts";
import { opsAuthority } from "./authority.ts";
import { authorizeOps, hideOpsWithoutWayIn } from "./authorize.ts";
import { opsCertificates } from "./certificates.ts";
import { opsDatabases } from "./databases.ts";
import { opsDeliveries } from "./deliveries.ts";
import { opsDigests } from "./digests.ts";
import { opsEvidence } from "./evidence.ts";
import { opsHolderRequests } from "./holder-requests.ts";
import { opsHolders } from "./holders.ts";
import { opsJobs } from "./jobs.ts";
import { opsKeys } from "./keys.ts";
import { opsMovePartner } from "./move-partner.ts";
import { opsPartners } from "./partners.ts";
import { opsPurchaseCodes } from "./purchase-codes.ts";
import { opsRestores } from "./restores.ts";
import { opsWebhookSecrets } from "./webhook-secrets.ts";
import { opsWidget } from "./widget.ts";

const routes = createApi()
	.route("/ops/v1", opsPartners)
	.route("/ops/v1", opsMovePartner)
	.route("/ops/v1", opsKeys)
	.route("/ops/v1", opsWebhookSecrets)
	.route("/ops/v1", opsWidget)
	.route("/ops/v1", opsPurchaseCodes)
	.route("/ops/v1", opsCertificates)
	.route("/ops/v1", opsHolders)
	.route("/ops/v1", opsHolderRequests)
	.route("/ops/v1", opsDeliveries)
	.route("/ops/v1", opsEvidence)
	.route("/ops/v1", opsAudit)
	.route("/ops/v1", opsDigests)
	.route("/ops/v1", opsJobs)
	.route("/ops/v1", opsAuthority)
	.route("/ops/v1", opsDatabases)
	.route("/ops/v1", opsRestores);

export const describeOps = describeApi(routes, {
	title: OPS_REFERENCE.title,
	introduction: OPS_REFERENCE.introduction,
	tags: [
		{ name: "Partners", description: OPS_REFERENCE.tagPartners },
		{ name: "Codes", description: OPS_REFERENCE.tagCodes },
		{ name: "Deliveries", description: OPS_REFERENCE.tagDeliveries },
		{ name: "Audit", description: OPS_REFERENCE.tagAudit },
		{ name: "Jobs", description: OPS_REFERENCE.tagJobs },
	],
	security: [
		{
			name: "opsToken",
			scheme: { type: "http", scheme: "bearer" },
			description: OPS_REFERENCE.opsToken,
		},
		{
			name: "cloudflareAccess",
			scheme: { type: "apiKey", in: "header", name: "Cf-Access-Jwt-Assertion" },
			description: OPS_REFERENCE.cloudflareAccess,
		},
	],
	headers: ["x-request-id", "Retry-After", "WWW-Authenticate"],
});

routes.get("/ops/openapi.json", serveDocument(describeOps));

/**
 * Every call of ops. Each route that is mounted above is authorised here, after the declared size of its body and
 * before all else; a path or method that is not mounted stays 404 or 405, as everywhere.
 */
export const ops = createApi();
ops.use("/ops/*", hideOpsWithoutWayIn);
for (const [path, mounted] of Map.groupBy(routes.routes, ({ path }) => path))
	for (const method of new Set(mounted.map((route) => route.method))) {
		const hasBody = ["POST", "PUT", "PATCH"].includes(method);
		const bodyMax = path.endsWith("/widget") ? LOGO_BODY_MAX : BODY_MAX;
		if (hasBody) ops.on(method, path, refuseLarge(bodyMax));
		ops.on(method, path, authorizeOps);
		if (hasBody) ops.on(method, path, takeBody(bodyMax));
	}
ops.route("/", routes);
