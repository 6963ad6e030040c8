import { takeDigests } from "./audit/take-digests.ts";
import type { Job } from "./job.ts";

/** Writes a digest of each day's audit rows to R2, an hour after the day. */
export const digestAudit: Job = {
	name: "digest-audit",
	async run({ platform, now }) {
		const taken = await takeDigests(platform, now);
		const report = { days: taken.length, rows: taken.reduce((sum, { rows }) => sum + rows, 0) };
		return { cursor: null, report, changes: [] };
	},
};
