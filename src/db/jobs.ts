import { eq } from "drizzle-orm";
import type { Actor } from "../domain/actor.ts";
import type { JobName } from "../domain/audit-actions.ts";
import { findChainEnd, nextAuditRow } from "./audit-events.ts";
import { batch, type DatabaseDb, query, type Statement } from "./query.ts";
import { auditEvents, upkeepJobs } from "./schema-operations.ts";

/** Counts and flags of what a run found and did, for the log, the audit and ops. */
export type JobReport = Readonly<Record<string, number | boolean | string>>;

export interface JobState {
	job: JobName;
	/** Version of the job's last audit row. */
	version: number;
	/** The last run's report, JSON. */
	cursor: unknown;
}

export async function readJobState(db: DatabaseDb, job: JobName): Promise<JobState> {
	const [row] = await query(db.select().from(upkeepJobs).where(eq(upkeepJobs.job, job)));
	return { job, version: row?.version ?? 0, cursor: row?.cursor ? JSON.parse(row.cursor) : null };
}

/** Reads by a batch, so that D1 reports its size, which is shown beside the jobs. */
export async function listJobs(db: DatabaseDb) {
	const { jobs } = await batch(db, { jobs: db.select().from(upkeepJobs).orderBy(upkeepJobs.job) });
	return jobs;
}

/**
 * Statements that end a run: where the next one goes on, and, when the run changes D1, one audit row
 * that records all its changes. Two runs of one job at a time collide on that row, and one of them is undone.
 */
export async function endRun(
	db: DatabaseDb,
	state: JobState,
	run: {
		cursor: unknown;
		report: JobReport;
		changes: readonly Statement[];
		actor: Actor;
		requestId: string;
		now: number;
	},
): Promise<Statement[]> {
	const { job } = state;
	const changed = run.changes.length > 0;
	const values = {
		version: state.version + Number(changed),
		cursor: run.cursor === null ? null : JSON.stringify(run.cursor),
		ranAt: run.now,
		report: JSON.stringify(run.report),
	};
	const save = db
		.insert(upkeepJobs)
		.values({ job, ...values })
		.onConflictDoUpdate({ target: upkeepJobs.job, set: values });
	if (!changed) return [save];
	const entity = `upkeep:${job}`;
	const { hash } = await findChainEnd(db, entity);
	const entry = { entity, partnerId: "", action: job, outcome: reportText(run.report) };
	const audit = await nextAuditRow(db, entry, run, { version: state.version, hash });
	return [db.insert(auditEvents).values(audit), ...run.changes, save];
}

/** `holders=3 emails=1`: counts alone. */
function reportText(report: JobReport): string {
	return Object.entries(report)
		.map(([name, value]) => `${name}=${value}`)
		.join(" ");
}
