import { findDueDeliveries } from "../db/outbox.ts";
import { findMovedClocks } from "../db/partners.ts";
import { batch, type PartnerDb } from "../db/query.ts";
import { deliver } from "../delivery/deliver.ts";
import { sweepOutbox } from "../delivery/queue.ts";
import { askAll, homeOf } from "../directory.ts";
import { type PartnerClock, partnerNow } from "../domain/partner-clock.ts";
import { endDueSessions } from "../jobs/end-onboarding-sessions.ts";
import { eraseHolders, lapseValidations } from "../jobs/erase-holders.ts";
import type { Job, JobCaller } from "../jobs/job.ts";
import { remindOfCertificates, remindOfCodes, remindOfLapses } from "../jobs/remind.ts";
import {
	eraseDeliveryDetails,
	forgetDeliveryAttempts,
	forgetOnboardingSessions,
	forgetRutAttempts,
} from "../jobs/retention.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/*
 * Runs the crons' jobs for one partner alone, by its own clock. The crons for all partners go by the real clock, which
 * is never ahead of a partner's: they do none of this work too early.
 */

const DELIVERIES_MAX = 50;
const AT_ONCE = 10;
/** Like a first attempt: somebody waits. Milliseconds. */
const ATTEMPT_MS = 5_000;
/** Pages of a job in one call. */
const PAGES_MAX = 20;

type MovedPartner = PartnerClock & { id: string };

export interface DoneWork {
	sessionsEnded: number;
	validationsLapsed: number;
	holdersErased: number;
	reminders: number;
	deliveriesTried: number;
	delivered: number;
}

/** Does all that is due by the partner's clock, and waits for it. @throws {Unavailable} */
export async function doDueWork(
	platform: Platform,
	partner: MovedPartner,
	requestId: string,
): Promise<DoneWork> {
	const of = { partnerId: partner.id, now: partnerNow(platform, partner) };
	const at = platform.clock();
	const { db, database } = await homeOf(platform, partner.id);
	const asked = { ...of, platform, requestId, at, database, db: database.db };
	const run = (job: Job) => runFully({ ...asked, actor: `job:${job.name}` }, job);
	const sessionsEnded = await endDueSessions(platform, of);
	const { lapsed = 0 } = await run(lapseValidations);
	const { holders = 0 } = await run(eraseHolders);
	const { deliveries: ofCertificates = 0 } = await run(remindOfCertificates);
	const { deliveries: ofCodes = 0 } = await run(remindOfCodes);
	const { deliveries: ofLapses = 0 } = await run(remindOfLapses);
	// Deliveries that the jobs have just created are due as well.
	const tried = await tryDue(platform, db, { partnerId: partner.id, now: partnerNow(platform, partner) });
	for (const job of [
		forgetRutAttempts,
		forgetOnboardingSessions,
		forgetDeliveryAttempts,
		eraseDeliveryDetails,
	])
		await run(job);
	await sweepOutbox(platform, of);
	return {
		sessionsEnded,
		validationsLapsed: lapsed,
		holdersErased: holders,
		reminders: ofCertificates + ofCodes + ofLapses,
		deliveriesTried: tried.length,
		delivered: tried.filter((outcome) => outcome.kind === "delivered").length,
	};
}

/** Runs the due work of every partner whose clock was moved. Never throws: the service's own cron follows. */
export async function doWorkOfMovedClocks(platform: Platform): Promise<void> {
	const failed = (error: unknown) => {
		log("error", "job_failed", { job: "moved-clock", ...describeError(error) });
		return [];
	};
	const each = await askAll(platform, ({ db }) => findMovedClocks(db)).catch(failed);
	for (const partner of each.flat())
		await doDueWork(platform, partner, `cron-${platform.clock()}`).catch(failed);
}

/** @returns the sums of what the job's runs report. */
async function runFully(caller: JobCaller, job: Job): Promise<Record<string, number>> {
	const sums: Record<string, number> = {};
	let cursor: unknown = null;
	for (let page = 0; page < PAGES_MAX; page++) {
		const result = await job.run(caller, cursor);
		if (result.changes.length > 0) await batch(caller.db, { changes: result.changes });
		for (const [name, value] of Object.entries(result.report))
			if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
		cursor = result.cursor;
		if (cursor === null) break;
	}
	return sums;
}

/** One attempt of each delivery that is due. */
async function tryDue(platform: Platform, db: PartnerDb, of: { partnerId: string; now: number }) {
	const { partnerId } = of;
	const ids = await findDueDeliveries(db, { ...of, limit: DELIVERIES_MAX });
	const outcomes = [];
	for (let i = 0; i < ids.length; i += AT_ONCE)
		outcomes.push(
			...(await Promise.all(
				ids.slice(i, i + AT_ONCE).map((id) => deliver(platform, { partnerId, id }, ATTEMPT_MS)),
			)),
		);
	return outcomes.filter((outcome) => outcome !== null);
}
