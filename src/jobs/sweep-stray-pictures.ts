import { sql } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { evidence } from "../db/schema.ts";
import { STRAY_PICTURE_MS } from "../domain/retention.ts";
import { type Job, keyAfter, type UpkeepContext } from "./job.ts";

/** R2 lists and deletes a thousand objects a call. */
const OBJECTS_PER_PAGE = 1_000;
const PAGES_PER_RUN = 10;

/**
 * Erases pictures that no row tells of. A validation stores its pictures before the commit that tells of them; if
 * the commit does not come, they stay behind.
 */
export const sweepStrayPictures: Job = {
	name: "sweep-stray-pictures",
	async run(context, cursor) {
		const report = { looked_at: 0, stray: 0 };
		let at: string | null = keyAfter(cursor);
		for (let pages = 0; at !== null && pages < PAGES_PER_RUN; pages++) {
			const page = await sweepPage(context, at);
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
	/** Key to go on after; null at the end. */
	next: string | null;
}

async function sweepPage(
	{ platform: { db, evidence: bucket }, now }: UpkeepContext,
	startAfter: string,
): Promise<SweptPage> {
	const { objects, truncated } = await bucket.list({
		limit: OBJECTS_PER_PAGE,
		...(startAfter !== "" && { startAfter }),
	});
	const old = objects.filter(({ uploaded }) => uploaded.getTime() + STRAY_PICTURE_MS <= now);
	const keys = JSON.stringify(old.map(({ key }) => key));
	const known = await ask(
		db
			.select({ key: evidence.objectKey })
			.from(evidence)
			.where(sql`${evidence.objectKey} IN (SELECT value FROM json_each(${keys}))`),
	);
	const kept = new Set(known.map(({ key }) => key));
	const stray = old.map(({ key }) => key).filter((key) => !kept.has(key));
	if (stray.length > 0) await bucket.delete(stray);
	const next = truncated ? (objects.at(-1)?.key ?? null) : null;
	return { lookedAt: objects.length, stray: stray.length, next };
}
