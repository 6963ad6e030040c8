import type { JobReport } from "../db/jobs.ts";
import type { Statement } from "../db/query.ts";
import type { Actor } from "../domain/actor.ts";
import type { Platform } from "../platform.ts";

export interface JobContext {
	platform: Platform;
	/** When the run started, epoch milliseconds: one time for the whole run. */
	now: number;
	/** Of this partner alone, whose clock `now` is by; absent: of all, by the real one. */
	only?: string;
	/** For the audit and the log of every change that the run causes. */
	requestId: string;
	/** `job:…` on the cron, `ops:…` when ops asked for the run. */
	actor: Actor;
}

export interface JobResult {
	/** Where the next run continues, JSON; null when this one came to the end. */
	cursor: unknown;
	report: JobReport;
	/** Changes in D1; committed with the cursor and one audit row, or not at all. */
	changes: readonly Statement[];
}

/** A job repeats without end; each run does one bounded batch of it. */
export interface Job {
	/** kebab-case; also the audit's action. */
	name: string;
	run(context: JobContext, cursor: unknown): Promise<JobResult>;
}

/** A cursor of a walk by a text key; '', the start, if it is anything else. */
export function keyAfter(cursor: unknown): string {
	return typeof cursor === "string" ? cursor : "";
}
