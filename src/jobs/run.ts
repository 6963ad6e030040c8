import { endRun, type JobReport, listJobs, readJobState } from "../db/jobs.ts";
import { batch } from "../db/query.ts";
import { inBackground } from "../deadlines.ts";
import { askAll, type Databases } from "../directory.ts";
import type { JobName } from "../domain/audit-actions.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { digestAudit } from "./audit/take-digests.ts";
import { verifyAuditChains } from "./audit/verify.ts";
import { eraseHolders, lapseValidations } from "./erase-holders.ts";
import { cronCaller, type Job, type JobAsker, type JobCaller } from "./job.ts";
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

/** State of every job after its last runs: the earliest of its databases, and the sums of what they report. */
export async function jobStates(platform: Pick<Databases, "databases">): Promise<ShownJob[]> {
	const each = await askAll(platform, ({ db }) => listJobs(db));
	return JOBS.map((job) => {
		const { name, once } = job;
		const rows = (once ? each.slice(0, 1) : each).map((jobs) => jobs.find(({ job }) => job === name));
		const ran = rows.filter((row) => row !== undefined);
		if (ran.length < rows.length) return { name, ranAt: null, report: null, done: false };
		return {
			name,
			ranAt: Math.min(...ran.map(({ ranAt }) => ranAt)),
			report: sumOf(
				job,
				ran.map(({ report }) => JSON.parse(report)),
			),
			done: ran.every(({ cursor }) => cursor === null),
		};
	});
}

/** Adds numbers; a flag holds where every report has it, a text is the first one's. */
function sumOf({ alike }: Job, reports: readonly JobReport[]): JobReport {
	const sums: Record<string, JobReport[string]> = {};
	for (const [name, value] of reports.flatMap(Object.entries<JobReport[string]>)) {
		const known = sums[name];
		if (typeof known === "number" && typeof value === "number" && name !== alike) sums[name] = known + value;
		else if (typeof known === "boolean") sums[name] = known && value;
		else sums[name] = known ?? value;
	}
	return sums;
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
export async function runJobs(platform: Platform, asked?: JobAsker): Promise<void> {
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

/**
 * One bounded run of one job on each database: its changes, its audit row and its cursor there are committed together.
 * @throws what the first failed run threw, after those on the other databases.
 */
export function runJob(asker: JobAsker, job: Job): Promise<FinishedRun> {
	return inBackground(async () => {
		const { databases } = asker.platform;
		const runs = await Promise.allSettled(
			databases
				.slice(0, job.once ? 1 : databases.length)
				.map((database) => runOnce({ ...asker, database, db: database.db }, job)),
		);
		const finished = runs.map((run) => {
			if (run.status === "rejected") throw run.reason;
			return run.value;
		});
		return {
			report: sumOf(
				job,
				finished.map(({ report }) => report),
			),
			done: finished.every(({ done }) => done),
		};
	});
}

async function runOnce(caller: JobCaller, job: Job): Promise<FinishedRun> {
	const { platform, db, database, actor, requestId, now } = caller;
	const start = performance.now();
	const state = await readJobState(db, job.name);
	const result = await job.run(caller, state.cursor);
	await batch(db, { run: await endRun(db, state, { ...result, actor, requestId, now }) });
	const duration = performance.now() - start;
	log("info", "job", {
		job: job.name,
		database: database.number,
		duration_ms: Math.round(duration),
		...result.report,
	});
	count(platform.metrics, { name: "job", outcome: "ok", subject: job.name, duration });
	return { report: result.report, done: result.cursor === null };
}
