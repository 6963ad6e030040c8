import type { Statement } from "../db/query.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { JobResult } from "./job.ts";

/** Where a pass over everything sealed stands; kept as a job's cursor. */
export interface Pass {
	/** The key that this pass seals with; another one begins another pass. */
	keyId: string;
	/** Epoch milliseconds. What an older deployment sealed after it, the pass may have missed. */
	startedAt: number;
	table: number;
	after: string;
	looked: number;
	stale: number;
}

/** The pass to go on with, or a new one; null when there is only one key and nothing can be under another. */
export function beginPass(sealer: Sealer, cursor: unknown, now: number): Pass | null {
	if (sealer.keyCount < 2) return null;
	const pass = cursor as Pass | null;
	if (pass?.keyId === sealer.currentKeyId) return { ...pass };
	return { keyId: sealer.currentKeyId, startedAt: now, table: 0, after: "", looked: 0, stale: 0 };
}

/** The report of a whole pass. `clean` with `started_at` is what the runbook waits for before a key is dropped. */
export function endPass(
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
