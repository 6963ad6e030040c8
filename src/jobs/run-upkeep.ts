import type { Bindings } from "../config.ts";
import { askBatch } from "../db/query.ts";
import { endRun, readJobState, type UpkeepReport } from "../db/upkeep-jobs.ts";
import type { Actor } from "../domain/actor.ts";
import { platformOf } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import type { Job, UpkeepContext } from "./job.ts";
import { JOBS } from "./jobs.ts";

export interface FinishedRun {
	report: UpkeepReport;
	/** The job came to the end of what there was; false: run it again to go on. */
	done: boolean;
}

/** One bounded run of every job; one that fails leaves the others alone. For the cron. */
export async function runUpkeep(env: Bindings, now: number): Promise<void> {
	const platform = await platformOf(env);
	for (const job of JOBS) {
		try {
			await runJob({ platform, now, actor: `job:${job.name}`, requestId: `upkeep-${now}` }, job);
		} catch (error) {
			log("error", "upkeep_failed", { job: job.name, ...describeError(error) });
			count(platform.metrics, { name: "upkeep", outcome: "failed", subject: job.name });
		}
	}
}

export async function upkeepContext(
	env: Bindings,
	now: number,
	origin: { actor: Actor; requestId: string },
): Promise<UpkeepContext> {
	return { platform: await platformOf(env), now, ...origin };
}

/** One bounded run of one job: its changes, its audit row and its cursor are committed together. */
export async function runJob(context: UpkeepContext, job: Job): Promise<FinishedRun> {
	const { platform, actor, requestId, now } = context;
	const { db } = platform;
	const start = performance.now();
	const state = await readJobState(db, job.name);
	const result = await job.run(context, state.cursor);
	await askBatch(db, await endRun(db, state, { ...result, actor, requestId, now }));
	const duration = performance.now() - start;
	log("info", "upkeep", { job: job.name, duration_ms: Math.round(duration), ...result.report });
	count(platform.metrics, { name: "upkeep", outcome: "ok", subject: job.name, duration });
	return { report: result.report, done: result.cursor === null };
}
