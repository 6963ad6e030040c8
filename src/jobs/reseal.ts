import { pagePictureKeys } from "../db/evidence.ts";
import type { Statement } from "../db/query.ts";
import { resealPage, SEALED_TABLES } from "../db/sealed-columns.ts";
import { evidenceKeyId, resealPicture } from "../secrets/evidence.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { log } from "../telemetry/log.ts";
import type { Job, JobResult } from "./job.ts";

const ROWS_PER_PAGE = 100;
/** One statement a row; D1 takes a thousand an invocation, for all jobs of a cron. */
const STATEMENTS_PER_RUN = 300;
const PAGES_PER_RUN = 20;

/**
 * Seals rows of D1 again after a rotation of SEALING_KEYS: passes over all sealed tables while there is more than one
 * key. A pass that found nothing reports `clean`: the older keys may be removed.
 */
export const resealRows: Job = {
	name: "reseal-rows",
	alike: "keys",
	async run({ db, platform: { sealer }, now }, cursor) {
		const pass: Pass | null = startPass(sealer, cursor, now);
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

const PICTURES_PER_RUN = 100;
/** Reseals one at a time: a picture of up to 4 MiB is in memory twice meanwhile. */
const RESEALED_PER_RUN = 20;

/** Reseals the pictures in R2. The head of an object shows which key sealed it. */
export const resealEvidence: Job = {
	name: "reseal-evidence",
	alike: "keys",
	async run({ db, platform: { sealer, evidence: bucket }, now }, cursor) {
		const pass = startPass(sealer, cursor, now);
		if (pass === null) return { cursor: null, report: { keys: 1 }, changes: [] };
		const keys = await pagePictureKeys(db, pass.after, PICTURES_PER_RUN);
		let resealed = 0;
		let seen = 0;
		for (const key of keys) {
			if (resealed === RESEALED_PER_RUN) break;
			const keyId = await evidenceKeyId(bucket, key);
			if (keyId !== null && keyId !== sealer.currentKeyId) {
				pass.stale += 1;
				if (await resealPicture(bucket, sealer, key)) resealed += 1;
				else log("error", "unopenable", { table: "evidence", row: key });
			}
			seen += 1;
			pass.after = key;
		}
		pass.looked += seen;
		const more = seen < keys.length || keys.length === PICTURES_PER_RUN;
		if (!more) return endPass(sealer, pass, [], resealed);
		return { cursor: pass, report: { looked_at: pass.looked, resealed, clean: false }, changes: [] };
	},
};

/** Progress of a pass over everything sealed; kept as the job's cursor. */
interface Pass {
	/** The key that this pass seals with; a new key starts a new pass. */
	keyId: string;
	/** Epoch milliseconds. The pass may miss what an older deployment sealed after it. */
	startedAt: number;
	table: number;
	after: string;
	looked: number;
	stale: number;
}

/** The pass to continue, or a new one; null with a single key, when nothing can be sealed under another. */
function startPass(sealer: Sealer, cursor: unknown, now: number): Pass | null {
	if (sealer.keyCount < 2) return null;
	const pass = cursor as Pass | null;
	if (pass?.keyId === sealer.currentKeyId) return { ...pass };
	return { keyId: sealer.currentKeyId, startedAt: now, table: 0, after: "", looked: 0, stale: 0 };
}

/** The report of a whole pass. The runbook waits for `clean` and `started_at` before a key is removed. */
function endPass(
	sealer: Sealer,
	pass: Pass,
	changes: readonly Statement[],
	resealed = changes.length,
): JobResult {
	const report = {
		keys: sealer.keyCount,
		sealing_key: pass.keyId,
		looked_at: pass.looked,
		resealed,
		clean: pass.stale === 0,
		started_at: new Date(pass.startedAt).toISOString(),
	};
	return { cursor: null, report, changes };
}
