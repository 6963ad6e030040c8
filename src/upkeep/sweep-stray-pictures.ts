import { sql } from "drizzle-orm";
import { ask } from "../db/register.ts";
import { evidence } from "../db/schema.ts";
import { STRAY_PICTURE_MS } from "../domain/retention.ts";
import { type Job, keyAfter } from "./job.ts";

const OBJECTS_PER_RUN = 1_000;

/**
 * Erases pictures that no row tells of. A validation stores its pictures before the commit that tells of them; if
 * the commit does not come, they stay behind.
 */
export const sweepStrayPictures: Job = {
	name: "sweep-stray-pictures",
	async run({ env, register, now }, cursor) {
		const startAfter = keyAfter(cursor);
		const { objects, truncated } = await env.EVIDENCE.list({
			limit: OBJECTS_PER_RUN,
			...(startAfter !== "" && { startAfter }),
		});
		const old = objects.filter(({ uploaded }) => uploaded.getTime() + STRAY_PICTURE_MS <= now);
		const keys = JSON.stringify(old.map(({ key }) => key));
		const known = await ask(
			register
				.select({ key: evidence.objectKey })
				.from(evidence)
				.where(sql`${evidence.objectKey} IN (SELECT value FROM json_each(${keys}))`),
		);
		const kept = new Set(known.map(({ key }) => key));
		const stray = old.map(({ key }) => key).filter((key) => !kept.has(key));
		if (stray.length > 0) await env.EVIDENCE.delete(stray);
		return {
			cursor: truncated ? (objects.at(-1)?.key ?? null) : null,
			report: { looked_at: objects.length, stray: stray.length },
			changes: [],
		};
	},
};
