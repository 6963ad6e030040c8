import { indexEmails, pageUnindexedHolders } from "../db/email-indexes.ts";
import { openHolderEmail } from "../db/holders.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { type Job, keyAfter } from "./job.ts";

/** Each is opened and hashed: some tenths of a second of CPU. */
const HOLDERS_PER_RUN = 1_000;

/**
 * Gives holders of before the index of their e-mail, by which the e-mail is freed and `/revocar` finds them without opening
 * it. Past the codes' objects, as resealing is: a holder who is validated again meanwhile is left as it is.
 */
export const indexOldEmails: Job = {
	name: "index-emails",
	async run({ platform: { db, sealer, index } }, cursor) {
		const page = await pageUnindexedHolders(db, keyAfter(cursor), HOLDERS_PER_RUN);
		const indexed = [];
		for (const holder of page) {
			const { partnerId, code, emailSealed } = holder;
			try {
				const email = (await openHolderEmail(sealer, code, emailSealed)).toLowerCase();
				indexed.push({ ...holder, emailIndex: await index.of("email", partnerId, email) });
			} catch (error) {
				log("error", "unopenable", { table: "holders", row: code, ...describeError(error) });
			}
		}
		return {
			cursor: page.length < HOLDERS_PER_RUN ? null : page.at(-1)!.code,
			report: { looked_at: page.length, indexed: indexed.length },
			changes: indexed.length > 0 ? [indexEmails(db, indexed)] : [],
		};
	},
};
