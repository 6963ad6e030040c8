import { endRun, type JobReport, listJobs, readJobState } from "../db/jobs.ts";
import { batch, type Db } from "../db/query.ts";
import { inBackground } from "../deadlines.ts";
import type { JobName } from "../domain/audit-actions.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { digestAudit } from "./audit/take-digests.ts";
import { verifyAuditChains } from "./audit/verify.ts";
import { eraseHolders, lapseValidations } from "./erase-holders.ts";
import { cronCaller, type Job, type JobCaller } from "./job.ts";
import { reconcile } from "./reconcile.ts";
import { remindOfCertificates, remindOfCodes, remindOfLapses } from "./remind.ts";
import { resealEvidence, resealRows } from "./reseal.ts";
import {
	eraseDeliveryDetails,
	eraseLeaves,
	forgetConsoleSessions,
	forgetDeliveryAttempts,
	forgetEmails,
	forgetHolderCounts,
	forgetHolderVisits,
	forgetIdempotencyKeys,
	forgetOnboardingSessions,
	forgetRutAttempts,
} from "./retention.ts";
import { sweepStrayPictures } from "./sweep-stray-pictures.ts";
import { watchAuthority } from "./watch-authority.ts";

/** Runs in this order by cron. docs/operators/jobs.md says what each is for. */
export const JOBS: readonly Job[] = [
	forgetIdempotencyKeys,
	forgetRutAttempts,
	forgetOnboardingSessions,
	forgetHolderVisits,
	forgetConsoleSessions,
	forgetHolderCounts,
	forgetDeliveryAttempts,
	lapseValidations,
	eraseHolders,
	remindOfCertificates,
	remindOfCodes,
	remindOfLapses,
	sweepStrayPictures,
	forgetEmails,
	eraseLeaves,
	eraseDeliveryDetails,
	reconcile,
	resealRows,
	resealEvidence,
	digestAudit,
	verifyAuditChains,
	watchAuthority,
];

export interface ShownJob {
	name: JobName;
	/** Time of the last run; null: it never ran. */
	ranAt: number | null;
	report: JobReport | null;
	/** The last run came to the job's end. */
	done: boolean;
}

/** State of every job after its last run. */
export async function jobStates(db: Db): Promise<ShownJob[]> {
	const rows = await listJobs(db);
	return JOBS.map(({ name }) => {
		const row = rows.find(({ job }) => job === name);
		if (!row) return { name, ranAt: null, report: null, done: false };
		return { name, ranAt: row.ranAt, report: JSON.parse(row.report), done: row.cursor === null };
	});
}

interface FinishedRun {
	report: JobReport;
	/** The job came to its end; false: the next run continues. */
	done: boolean;
}

/**
 * Runs every job once, at one time. A job that fails does not stop the others.
 * @param asked - the operator who asked for the run; else the cron runs each.
 */
export async function runJobs(platform: Platform, asked?: JobCaller): Promise<void> {
	const now = platform.clock();
	for (const job of JOBS) {
		try {
			await runJob(asked ?? cronCaller(platform, job, now), job);
		} catch (error) {
			log("error", "job_failed", { job: job.name, ...describeError(error) });
			count(platform.metrics, { name: "job", outcome: "failed", subject: job.name });
		}
	}
}

/** One bounded run of one job: its changes, its audit row and its cursor are committed together. */
export function runJob(caller: JobCaller, job: Job): Promise<FinishedRun> {
	return inBackground(() => runOnce(caller, job));
}

async function runOnce(caller: JobCaller, job: Job): Promise<FinishedRun> {
	const { platform, actor, requestId, now } = caller;
	const { db } = platform;
	const start = performance.now();
	const state = await readJobState(db, job.name);
	const result = await job.run(caller, state.cursor);
	await batch(db, { run: await endRun(db, state, { ...result, actor, requestId, now }) });
	const duration = performance.now() - start;
	log("info", "job", { job: job.name, duration_ms: Math.round(duration), ...result.report });
	count(platform.metrics, { name: "job", outcome: "ok", subject: job.name, duration });
	return { report: result.report, done: result.cursor === null };
}
