import { endRun, type JobReport, listJobs, readJobState } from "../db/jobs.ts";
import { batch } from "../db/query.ts";
import { inBackground } from "../deadlines.ts";
import { askEach, type Database, type Databases } from "../directory.ts";
import type { JobName } from "../domain/audit-actions.ts";
import { DIRECTORY } from "../domain/database-names.ts";
import { MINUTE_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { Unavailable } from "../unavailable.ts";
import { digestAudit } from "./audit/take-digests.ts";
import { verifyAuditChains } from "./audit/verify.ts";
import { eraseHolders, lapseValidations } from "./erase-holders.ts";
import { eraseOldCopies } from "./erase-old-copies.ts";
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
	eraseOldCopies,
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

/** State of every job after its last runs: the earliest of its databases, of those that answer, and the sums of what they report. */
export async function jobStates(
	platform: Pick<Databases, "databases">,
): Promise<{ jobs: ShownJob[]; silent: number[] }> {
	const { answers, silent } = await askEach(platform, async ({ number, db }) => ({
		number,
		jobs: await listJobs(db),
	}));
	const jobs = JOBS.map((job) => {
		const { name, once } = job;
		const asked = once ? answers.filter(({ number }) => number === DIRECTORY) : answers;
		const rows = asked.map(({ jobs }) => jobs.find((row) => row.job === name));
		const ran = rows.filter((row) => row !== undefined);
		if (ran.length === 0 || ran.length < rows.length) return { name, ranAt: null, report: null, done: false };
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
	return { jobs, silent };
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
	/** Numbers of databases that did not answer: nothing ran there. */
	silent: number[];
}

/** Minute of the hour at which the jobs of `DB` run; those of each other database run a minute after the one before. */
const FIRST_MINUTE = 17;

/** The databases whose jobs run in this minute of each hour. Each has a call of the cron, and its limits, to itself. */
export function databasesOf<D extends { number: number }>(databases: readonly D[], at: number): D[] {
	const minute = Math.floor(at / MINUTE_MS) % 60;
	return databases.filter(({ number }) => (FIRST_MINUTE + number - DIRECTORY) % 60 === minute);
}

/**
 * Runs every job once, at one time. A job that fails does not stop the others.
 * @param asked - the operator who asked for the run; else the cron runs each.
 * @param on - the databases to run on; all, unless it is given
 */
export async function runJobs(
	platform: Platform,
	{ asked, on = platform.databases }: { asked?: JobAsker; on?: readonly Database[] } = {},
): Promise<void> {
	const now = platform.clock();
	for (const job of JOBS) {
		try {
			const { silent } = await runJob(asked ?? cronCaller(platform, job, now), job, on);
			if (silent.length > 0) count(platform.metrics, { name: "job", outcome: "failed", subject: job.name });
		} catch (error) {
			log("error", "job_failed", { job: job.name, ...describeError(error) });
			count(platform.metrics, { name: "job", outcome: "failed", subject: job.name });
		}
	}
}

/**
 * One bounded run of one job on each database: its changes, its audit row and its cursor there are committed together.
 * @throws {Unavailable} where none answers; what the first failed run threw, after those on the other databases.
 */
export function runJob(
	asker: JobAsker,
	job: Job,
	on: readonly Database[] = asker.platform.databases,
): Promise<FinishedRun> {
	return inBackground(async () => {
		const chosen = job.once ? on.filter(({ number }) => number === DIRECTORY) : on;
		const runs = await Promise.allSettled(
			chosen.map((database) => runOnce({ ...asker, database, db: database.db }, job)),
		);
		const silent: number[] = [];
		const finished = runs.flatMap((run, i) => {
			if (run.status === "fulfilled") return [run.value];
			const { number } = chosen[i]!;
			if (!(run.reason instanceof Unavailable)) throw run.reason;
			log("error", "job_failed", { job: job.name, database: number, ...describeError(run.reason) });
			silent.push(number);
			return [];
		});
		if (silent.length > 0 && finished.length === 0) throw new Unavailable("db", "no database answered");
		const reports = finished.map(({ report }) => report);
		const report = sumOf(job, reports);
		return { report, done: silent.length === 0 && finished.every(({ done }) => done), silent };
	});
}

async function runOnce(caller: JobCaller, job: Job): Promise<Omit<FinishedRun, "silent">> {
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
