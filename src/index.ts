import { app } from "./app.ts";
import type { Bindings } from "./bindings.ts";
import { inBackground } from "./deadlines.ts";
import { consumeDeliveries } from "./delivery/deliver.ts";
import { sweepOutbox } from "./delivery/queue.ts";
import { thawed } from "./directory.ts";
import { endDueSessions } from "./jobs/end-onboarding-sessions.ts";
import { cronCaller } from "./jobs/job.ts";
import { databasesOf, runJobs } from "./jobs/run.ts";
import { keepCrlFresh } from "./pki/publish-crl.ts";
import { renewResponders } from "./pki/renewed-responder.ts";
import { type DeliveryMessage, platformOf } from "./platform.ts";
import { carryOnMoves } from "./services/move-partner.ts";
import { describeError } from "./telemetry/describe-error.ts";
import { log } from "./telemetry/log.ts";

export { PartnerObject } from "./objects/partner.ts";
export { PurchaseCodeObject } from "./objects/purchase-code.ts";

export default {
	fetch: app.fetch,
	async queue(batch, env) {
		await consumeDeliveries(batch, await platformOf(env));
	},
	/** Runs every minute, and in a minute of each hour the jobs of a database. */
	async scheduled({ scheduledTime }, env) {
		const platform = await platformOf(env);
		const open = thawed(platform);
		const parts = await inBackground(() =>
			Promise.allSettled([
				runJobs(platform, { on: databasesOf(open.databases, scheduledTime) }),
				keepCrlFresh(platform),
				renewResponders(platform),
				sweepOutbox(open),
				endDueSessions(open),
				// A move writes to two databases: none is carried on while one of them is being restored.
				open.databases.length < platform.databases.length
					? null
					: carryOnMoves(cronCaller(platform, { name: "move" }, platform.clock())),
			]),
		);
		for (const part of parts)
			if (part.status === "rejected") log("error", "cron_failed", { ...describeError(part.reason) });
	},
} satisfies ExportedHandler<Bindings, DeliveryMessage>;
