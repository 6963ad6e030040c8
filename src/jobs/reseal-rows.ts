import type { Statement } from "../db/query.ts";
import { resealPage } from "../db/reseal-page.ts";
import { SEALED_TABLES } from "../db/sealed-columns.ts";
import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";
import { beginPass, endPass, type Pass } from "./reseal-pass.ts";

const ROWS_PER_PAGE = 100;
/** One statement a row, and D1 takes a thousand an invocation, all jobs of a cron together. */
const STATEMENTS_PER_RUN = 300;
const PAGES_PER_RUN = 20;

/**
 * Seals rows of D1 anew after a rotation of SEALING_KEYS: passes over all sealed tables while there is more than
 * one key. A pass that found nothing says `clean`: the older keys may go.
 */
export const resealRows: Job = {
	name: "reseal-rows",
	async run({ platform: { db, sealer }, now }, cursor) {
		const pass: Pass | null = beginPass(sealer, cursor, now);
		if (pass === null) return { cursor: null, report: { keys: 1 }, changes: [] };
		const changes: Statement[] = [];
		for (let pages = 0; pages < PAGES_PER_RUN && changes.length < STATEMENTS_PER_RUN; pages++) {
			const table = SEALED_TABLES[pass.table];
			if (!table) return endPass(sealer, pass, changes);
			const page = await resealPage(db, sealer, table, { after: pass.after, limit: ROWS_PER_PAGE });
			for (const row of page.unopenable) log("error", "unopenable", { table: table.name, row });
			changes.push(...page.statements);
			pass.looked += page.looked;
			pass.stale += page.stale;
			if (page.last === null) Object.assign(pass, { table: pass.table + 1, after: "" });
			else pass.after = page.last;
		}
		return {
			cursor: pass,
			report: { looked_at: pass.looked, resealed: changes.length, clean: false },
			changes,
		};
	},
};
