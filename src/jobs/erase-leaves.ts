import { and, asc, gt, isNotNull, sql } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { certificates } from "../db/schema.ts";
import { addYears, REGISTER_YEARS } from "../domain/retention.ts";
import { type Job, keyAfter, nextKey } from "./job.ts";

const CERTIFICATES_PER_RUN = 5_000;

/** Erases certificates that are past their time. Serial, dates and revocation stay: they name nobody. */
export const eraseLeaves: Job = {
	name: "erase-leaves",
	async run({ platform: { db }, now }, cursor) {
		const page = await ask(
			db
				.select({ serial: certificates.serial, notAfter: certificates.notAfter })
				.from(certificates)
				.where(and(gt(certificates.serial, keyAfter(cursor)), isNotNull(certificates.leafSealed)))
				.orderBy(asc(certificates.serial))
				.limit(CERTIFICATES_PER_RUN),
		);
		const past = page.filter(
			({ notAfter }) => notAfter !== null && addYears(notAfter, REGISTER_YEARS) <= now,
		);
		const serials = JSON.stringify(past.map(({ serial }) => serial));
		const erase = db
			.update(certificates)
			.set({ leafSealed: null })
			.where(sql`${certificates.serial} IN (SELECT value FROM json_each(${serials}))`);
		return {
			cursor: nextKey(page, CERTIFICATES_PER_RUN, ({ serial }) => serial),
			report: { looked_at: page.length, certificates: past.length },
			changes: past.length > 0 ? [erase] : [],
		};
	},
};
