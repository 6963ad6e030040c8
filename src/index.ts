import { app } from "./app.ts";
import type { Bindings } from "./bindings.ts";
import { inBackground } from "./deadlines.ts";
import { consumeDeliveries } from "./delivery/deliver.ts";
import { sweepOutbox } from "./delivery/queue.ts";
import { endDueSessions } from "./jobs/end-onboarding-sessions.ts";
import { cronCaller } from "./jobs/job.ts";
import { runJobs } from "./jobs/run.ts";
import { keepCrlFresh } from "./pki/publish-crl.ts";
import { renewResponders } from "./pki/renewed-responder.ts";
import { type DeliveryMessage, platformOf } from "./platform.ts";
import { carryOnMoves } from "./services/move-partner.ts";
import { describeError } from "./telemetry/describe-error.ts";
import { log } from "./telemetry/log.ts";

export { PartnerObject } from "./objects/partner.ts";
export { PurchaseCodeObject } from "./objects/purchase-code.ts";

/** The cron of deliveries, CRLs and sessions that are over; the other one runs the jobs every hour (wrangler.toml). */
const EVERY_MINUTE = "* * * * *";

export default {
	fetch: app.fetch,
	async queue(batch, env) {
		await consumeDeliveries(batch, await platformOf(env));
	},
	async scheduled({ cron }, env) {
		const platform = await platformOf(env);
		const { frozen } = platform.settings;
		const parts = await inBackground(() =>
			Promise.allSettled([
				frozen || cron === EVERY_MINUTE ? null : runJobs(platform),
				keepCrlFresh(platform),
				renewResponders(platform),
				frozen ? null : sweepOutbox(platform),
				frozen || cron !== EVERY_MINUTE ? null : endDueSessions(platform),
				frozen || cron !== EVERY_MINUTE
					? null
					: carryOnMoves(cronCaller(platform, { name: "move" }, platform.clock())),
			]),
		);
		for (const part of parts)
			if (part.status === "rejected") log("error", "cron_failed", { ...describeError(part.reason) });
	},
} satisfies ExportedHandler<Bindings, DeliveryMessage>;
