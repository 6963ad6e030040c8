import type { Bindings } from "../config.ts";
import { platformOf } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { refreshCrl } from "./refresh-crl.ts";

/**
 * {@link refreshCrl} for the cron, and for after an answer that told of a revocation. Never throws: what fails now is
 * found by the next cron.
 */
export async function keepCrlFresh(env: Bindings): Promise<void> {
	try {
		await refreshCrl(await platformOf(env));
	} catch (error) {
		log("error", "crl_not_refreshed", describeError(error));
	}
}
