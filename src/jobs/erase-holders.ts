import { findLapsedValidations, pageHolders } from "../db/retention.ts";
import { VALIDATION_LIFE_MS } from "../domain/limits.ts";
import { keptUntil } from "../domain/retention.ts";
import { eraseHolderOf } from "../services/holder-data.ts";
import { type Job, type JobCaller, keyAfter } from "./job.ts";

/* Holders whose time is over. Their codes' objects decide once more and erase; each erasure is in its code's audit. */

/** Calls to objects: a run of the cron may make a thousand calls in all. */
const CODES_PER_RUN = 400;
const AT_ONCE = 10;
const ROWS_PER_RUN = 5_000;

interface OwnedCode {
	partnerId: string;
	code: string;
}

/** Closes codes whose validation has waited 90 days for its claim. */
export const lapseValidations: Job = {
	name: "lapse-validations",
	async run(caller) {
		const { db, now, partnerId: only } = caller;
		const codes = await findLapsedValidations(db, now - VALIDATION_LIFE_MS, CODES_PER_RUN, only);
		const lapsed = await eraseEach(caller, codes);
		const cursor = codes.length < CODES_PER_RUN ? null : "more";
		return { cursor, report: { looked_at: codes.length, lapsed }, changes: [] };
	},
};

/** Erases holders of certificates that ended long ago and of closed codes, along the table of holders. */
export const eraseHolders: Job = {
	name: "erase-holders",
	async run(caller, cursor) {
		const { db, now, partnerId: only } = caller;
		const rows = await pageHolders(db, { after: keyAfter(cursor), limit: ROWS_PER_RUN, only });
		const past = rows.filter((row) => (keptUntil(row) ?? Number.POSITIVE_INFINITY) <= now);
		const erasable = past.slice(0, CODES_PER_RUN);
		const holders = await eraseEach(caller, erasable);
		const report = { looked_at: rows.length, holders };
		if (erasable.length < past.length) return { cursor: erasable.at(-1)!.code, report, changes: [] };
		return { cursor: rows.length < ROWS_PER_RUN ? null : rows.at(-1)!.code, report, changes: [] };
	},
};

/** @returns how many were erased. */
async function eraseEach(caller: JobCaller, codes: readonly OwnedCode[]): Promise<number> {
	let erased = 0;
	for (let i = 0; i < codes.length; i += AT_ONCE) {
		const done = await Promise.all(codes.slice(i, i + AT_ONCE).map((code) => eraseHolderOf(caller, code)));
		erased += done.filter((answer) => answer?.kind === "erased").length;
	}
	return erased;
}
