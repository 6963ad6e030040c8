import { env } from "cloudflare:workers";
import { cronCaller } from "../../../src/jobs/job.ts";
import { reconcile } from "../../../src/jobs/reconcile.ts";
import { platformOf } from "../../../src/platform.ts";

const STALE_MARK = /^reconcile: stale_step /;

/**
 * D1 may write a step's mark after the step was answered and recovered. For callers it ends with the step's lease, as
 * any mark does; in the database it stays until the code's next step, or until the hourly upkeep that runs here.
 * @returns what else was found broken.
 */
export async function clearLateMarks(broken: readonly string[]): Promise<string[]> {
	const others = broken.filter((line) => !STALE_MARK.test(line));
	if (others.length === broken.length) return others;
	const platform = await platformOf(env);
	const caller = cronCaller(platform, { name: "check" }, Date.now());
	for (const database of platform.databases)
		await reconcile.run({ ...caller, database, db: database.db }, null);
	return others;
}
