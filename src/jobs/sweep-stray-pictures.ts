import { findKnownPictures } from "../db/evidence.ts";
import { askAll } from "../directory.ts";
import { RESTORE_WINDOW_MS } from "../domain/retention.ts";
import { type Job, type JobCaller, keyAfter } from "./job.ts";

/** R2 lists and deletes a thousand objects a call. */
const OBJECTS_PER_PAGE = 1_000;
const PAGES_PER_RUN = 10;

/**
 * Erases pictures without a row: a validation stores its pictures before its commit, and the commit may fail. Spares
 * recent ones: their row may only be missing because D1 was restored to an earlier moment.
 */
export const sweepStrayPictures: Job = {
	name: "sweep-stray-pictures",
	once: true,
	async run(caller, cursor) {
		const report = { looked_at: 0, stray: 0 };
		let at: string | null = keyAfter(cursor);
		for (let pages = 0; at !== null && pages < PAGES_PER_RUN; pages++) {
			const page = await sweepPage(caller, at);
			report.looked_at += page.lookedAt;
			report.stray += page.stray;
			at = page.next;
		}
		return { cursor: at, report, changes: [] };
	},
};

interface SweptPage {
	lookedAt: number;
	stray: number;
	/** Key to continue after; null at the end. */
	next: string | null;
}

async function sweepPage({ platform, now }: JobCaller, startAfter: string): Promise<SweptPage> {
	const { evidence: bucket } = platform;
	const { objects, truncated } = await bucket.list({
		limit: OBJECTS_PER_PAGE,
		...(startAfter !== "" && { startAfter }),
	});
	const old = objects.filter(({ uploaded }) => uploaded.getTime() + RESTORE_WINDOW_MS <= now);
	const keys = old.map(({ key }) => key);
	const known = await askAll(platform, ({ db }) => findKnownPictures(db, keys));
	const stray = keys.filter((key) => !known.some((found) => found.has(key)));
	if (stray.length > 0) await bucket.delete(stray);
	const next = truncated ? (objects.at(-1)?.key ?? null) : null;
	return { lookedAt: objects.length, stray: stray.length, next };
}
