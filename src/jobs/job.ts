import type { JobReport } from "../db/jobs.ts";
import type { DatabaseDb, Statement } from "../db/query.ts";
import type { Database } from "../directory.ts";
import type { JobName } from "../domain/audit-actions.ts";
import type { Platform } from "../platform.ts";
import type { Caller } from "../services/caller.ts";

/** Who asked for the runs of a job: the cron as `job:…`, or an operator. */
export type JobAsker = Omit<Caller, "later">;

/**
 * Caller of a job's run on one database. A `partnerId` limits the run to that partner, by whose clock `now` is. The whole
 * run has one time.
 */
export interface JobCaller extends JobAsker {
	database: Database;
	db: DatabaseDb;
}

/** The cron's own runs of a job over every partner, by the real clock. */
export function cronCaller(platform: Platform, { name }: { name: string }, at: number): JobAsker {
	return { platform, partnerId: null, actor: `job:${name}`, requestId: `jobs-${at}`, at, now: at };
}

export interface JobResult {
	/** Position where the next run continues, JSON; null at the end. */
	cursor: unknown;
	report: JobReport;
	/** Changes in D1; committed with the cursor and one audit row, or not at all. */
	changes: readonly Statement[];
}

/** A job repeats without end; each run does one bounded batch. */
export interface Job {
	/** kebab-case; also the audit's action. */
	name: JobName;
	/** It is about what no partner has, or about all databases at once: it runs on the first alone. */
	once?: true;
	/** A count of its report that is the same on every database, and is not summed. */
	alike?: string;
	run(caller: JobCaller, cursor: unknown): Promise<JobResult>;
}

/** Reads a cursor with a text key; '', the start, if it is anything else. */
export function keyAfter(cursor: unknown): string {
	return typeof cursor === "string" ? cursor : "";
}
