import { type SQL, sql } from "drizzle-orm";
import { askSql } from "../db/query.ts";
import { holderEmails } from "../db/schema.ts";
import type { Job } from "./job.ts";

const EMAILS_PER_RUN = 5_000;

interface Entry {
	partner_id: string;
	email_index: string;
	gone: number;
}

/** Forgets whose an e-mail was once the partner has no holder of that RUT any more. */
export const forgetEmails: Job = {
	name: "forget-emails",
	async run({ platform: { db } }, cursor) {
		const [after, afterIndex] = Array.isArray(cursor) ? (cursor as [string, string]) : ["", ""];
		const [page = []] = (await askSql(db, [
			sql`SELECT partner_id, email_index, ${isOrphan(sql`holder_emails`)} AS gone FROM holder_emails
				WHERE (partner_id, email_index) > (${after}, ${afterIndex})
				ORDER BY partner_id, email_index LIMIT ${EMAILS_PER_RUN}`,
		])) as [Entry[]];
		const gone = page.filter((entry) => entry.gone).map((entry) => [entry.partner_id, entry.email_index]);
		const forget = db.delete(holderEmails).where(
			sql`(partner_id, email_index) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(gone)}))
					AND ${isOrphan(sql`holder_emails`)}`,
		);
		const last = page.at(-1);
		return {
			cursor: page.length === EMAILS_PER_RUN && last ? [last.partner_id, last.email_index] : null,
			report: { looked_at: page.length, emails: gone.length },
			changes: gone.length > 0 ? [forget] : [],
		};
	},
};

function isOrphan(emails: SQL): SQL {
	return sql`NOT EXISTS (SELECT 1 FROM holders WHERE holders.partner_id = ${emails}.partner_id
		AND holders.rut_index = ${emails}.rut_index)`;
}
