import { asc, gt } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { evidence } from "../db/schema.ts";
import { evidenceKeyId, resealPicture } from "../secrets/evidence.ts";
import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";
import { beginPass, endPass } from "./reseal-pass.ts";

const PICTURES_PER_RUN = 100;
/** A picture is up to 4 MiB and is in memory twice while it is sealed anew: one at a time. */
const RESEALED_PER_RUN = 20;

/** The same for the pictures in R2. Only the head of an object is read to see which key it is under. */
export const resealEvidence: Job = {
	name: "reseal-evidence",
	async run({ platform: { db, sealer, evidence: bucket }, now }, cursor) {
		const pass = beginPass(sealer, cursor, now);
		if (pass === null) return { cursor: null, report: { keys: 1 }, changes: [] };
		const page = await ask(
			db
				.select({ key: evidence.objectKey })
				.from(evidence)
				.where(gt(evidence.objectKey, pass.after))
				.orderBy(asc(evidence.objectKey))
				.limit(PICTURES_PER_RUN),
		);
		let resealed = 0;
		let seen = 0;
		for (const { key } of page) {
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
		const more = seen < page.length || page.length === PICTURES_PER_RUN;
		if (!more) return endPass(sealer, pass, [], resealed);
		return { cursor: pass, report: { looked_at: pass.looked, resealed, clean: false }, changes: [] };
	},
};
