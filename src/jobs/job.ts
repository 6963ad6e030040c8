import type { Statement } from "../db/query.ts";
import type { UpkeepReport } from "../db/upkeep-jobs.ts";
import type { Actor } from "../domain/actor.ts";
import type { Platform } from "../platform.ts";

export interface UpkeepContext {
	platform: Platform;
	/** Epoch milliseconds. */
	now: number;
	/** For the audit and the log of what the run causes elsewhere. */
	requestId: string;
	/** `job:<name>` on the cron, `ops:token` when asked. */
	actor: Actor;
}

export interface JobResult {
	/** Where the next run goes on, JSON; null when this one came to the end. */
	cursor: unknown;
	report: UpkeepReport;
	/** Changes of the register; committed with the cursor and one audit row, or not at all. */
	changes: readonly Statement[];
}

/** A chore that never ends and never has much to do: each run takes a bounded piece of it. */
export interface Job {
	/** kebab-case; also the audit's action. */
	name: string;
	run(context: UpkeepContext, cursor: unknown): Promise<JobResult>;
}

/** A text cursor of a walk along a primary key; from the start when it is something else. */
export function keyAfter(cursor: unknown): string {
	return typeof cursor === "string" ? cursor : "";
}

/** The walk goes on behind a full page and starts anew behind the last. */
export function nextKey<Row>(page: readonly Row[], limit: number, key: (row: Row) => string): string | null {
	return page.length < limit ? null : key(page.at(-1)!);
}
