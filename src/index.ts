import { app } from "./app.ts";
import type { Bindings } from "./config.ts";
import { consumeDeliveries } from "./delivery/deliver.ts";
import { sweepOutbox } from "./delivery/queue.ts";
import { runUpkeep } from "./jobs/run-upkeep.ts";
import { keepCrlFresh } from "./pki/keep-crl-fresh.ts";
import { type DeliveryMessage, platformOf } from "./platform.ts";
import { describeError } from "./telemetry/describe-error.ts";
import { log } from "./telemetry/log.ts";

export { PartnerObject } from "./objects/partner-object.ts";
export { PurchaseCodeObject } from "./objects/purchase-code-object.ts";

/** The cron of deliveries and revocation lists; the other one is the hourly upkeep (wrangler.toml). */
const EVERY_MINUTE = "* * * * *";

export default {
	fetch: app.fetch,
	async queue(batch, env) {
		await consumeDeliveries(batch, await platformOf(env));
	},
	async scheduled({ cron }, env) {
		const parts = await Promise.allSettled([
			cron === EVERY_MINUTE ? null : runUpkeep(env, Date.now()),
			keepCrlFresh(env),
			sweep(env),
		]);
		for (const part of parts)
			if (part.status === "rejected") log("error", "cron_failed", { ...describeError(part.reason) });
	},
} satisfies ExportedHandler<Bindings, DeliveryMessage>;

async function sweep(env: Bindings): Promise<void> {
	await sweepOutbox(await platformOf(env));
}
