import { pageRestoredCodes } from "../db/purchase-codes.ts";
import { callCode } from "../objects/stubs.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import type { JobCaller } from "./job.ts";

const CODES_PER_PAGE = 200;

export interface MendedPage {
	looked: number;
	/** Codes whose certificates were entered into D1 again. */
	mended: string[];
	/** Codes whose object did not answer: the run is to be repeated. */
	failed: string[];
	/** The last code looked at; null at the end. */
	next: string | null;
}

/**
 * Asks the objects of a page of codes what D1 has forgotten since it was restored to `restoredTo`. No cron runs this:
 * every object is woken, and between restores there is nothing to find.
 */
export async function mendPage(
	{ platform, actor, requestId }: JobCaller,
	{ restoredTo, after }: { restoredTo: number; after: string },
): Promise<MendedPage> {
	const codes = await pageRestoredCodes(platform.db, { after, restoredTo, limit: CODES_PER_PAGE });
	const page: MendedPage = { looked: codes.length, mended: [], failed: [], next: null };
	await Promise.all(
		codes.map(async (owned) => {
			const call = { ...owned, actor, requestId, idempotency: null };
			try {
				const { answer } = await callCode(platform, owned, (object) => object.mend(call));
				if (answer.kind === "mended") page.mended.push(owned.code);
				if (answer.kind === "rejected") page.failed.push(owned.code);
			} catch (error) {
				log("error", "mend_failed", { p_code: owned.code, ...describeError(error) });
				page.failed.push(owned.code);
			}
		}),
	);
	if (codes.length === CODES_PER_PAGE) page.next = codes.at(-1)!.code;
	return page;
}
