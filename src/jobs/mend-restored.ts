import { pageRestoredCodes } from "../db/purchase-codes.ts";
import type { Database } from "../directory.ts";
import { findMending } from "../mending.ts";
import { callCode } from "../objects/stubs.ts";
import { endMendingUnderWay } from "../services/end-mending.ts";
import { rebuildDirectory } from "../services/rebuild-directory.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import type { JobAsker } from "./job.ts";

const CODES_PER_PAGE = 200;

/** Where a walk stands. */
export interface MendCursor {
	/** The last code looked at. */
	after: string;
	/** Etag of the mending that was under way when the walk began, which the walk may end; null: none, or not any more. */
	ends: string | null;
}

export interface MendedPage {
	looked: number;
	/** Codes whose certificates were entered into D1 again. */
	mended: string[];
	/** Codes whose object did not answer: the run is to be repeated. */
	failed: string[];
	/** A mending goes on after this page. */
	mending: boolean;
	/** Null at the end. */
	next: MendCursor | null;
}

/**
 * Asks the objects of a page of codes what their database has forgotten since it was restored to `restoredTo`. No cron runs this:
 * every object is woken, and between restores there is nothing to find. A walk without failures ends the mending
 * that was under way when it began, unless it left out codes that an earlier moment would take in. First the directory is
 * rebuilt: a code's object asks it.
 * @param cursor - null: the walk begins
 */
export async function mendPage(
	caller: JobAsker,
	{ database, restoredTo, cursor }: { database: Database; restoredTo: number; cursor: MendCursor | null },
): Promise<MendedPage> {
	const { platform, actor, requestId } = caller;
	if (cursor === null) await rebuildDirectory(caller);
	const mending = await findMending(platform, database.number);
	const { after, ends } = cursor ?? { after: "", ends: mending?.etag ?? null };
	const codes = await pageRestoredCodes(database.db, { after, restoredTo, limit: CODES_PER_PAGE });
	const mended: string[] = [];
	const failed: string[] = [];
	await Promise.all(
		codes.map(async (owned) => {
			const call = { ...owned, actor, requestId, idempotency: null };
			try {
				const { answer } = await callCode(platform, owned, (object) => object.mend(call));
				if (answer.kind === "mended") mended.push(owned.code);
				if (answer.kind === "rejected") failed.push(owned.code);
			} catch (error) {
				log("error", "mend_failed", { p_code: owned.code, ...describeError(error) });
				failed.push(owned.code);
			}
		}),
	);
	const page = { looked: codes.length, mended, failed };
	const mayEnd = mending?.etag === ends && failed.length === 0;
	if (codes.length === CODES_PER_PAGE) {
		const next = { after: codes.at(-1)!.code, ends: mayEnd ? ends : null };
		return { ...page, mending: mending !== null, next };
	}
	const tookInAll = mending !== null && restoredTo <= (mending.restoredTo ?? Number.POSITIVE_INFINITY);
	if (!mayEnd || !tookInAll) return { ...page, mending: mending !== null, next: null };
	const why = `a walk from ${new Date(restoredTo).toISOString()} without failures`;
	const ending = { database: database.number, why, only: mending };
	return { ...page, mending: await endMendingUnderWay(caller, ending), next: null };
}
