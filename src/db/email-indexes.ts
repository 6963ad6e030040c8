import { sql } from "drizzle-orm";
import { batchSql, type Db, type Statement } from "./query.ts";
import { holders } from "./schema.ts";

/* Holders of before, whose e-mail has no index yet: a partial index has them alone, and is empty once the job is through. */

export interface UnindexedHolder {
	partnerId: string;
	code: string;
	emailSealed: string;
}

/** By code. */
export async function pageUnindexedHolders(db: Db, after: string, limit: number): Promise<UnindexedHolder[]> {
	const { page } = await batchSql(db, {
		page: sql<UnindexedHolder>`SELECT partner_id AS "partnerId", code, email_sealed AS "emailSealed"
			FROM holders INDEXED BY holders_unindexed
			WHERE email_index IS NULL AND code > ${after} ORDER BY code LIMIT ${limit}`,
	});
	return page;
}

/** By the sealed e-mail, which no two holders share: one who was validated again since is left as it is. */
export function indexEmails(
	db: Db,
	indexed: readonly (UnindexedHolder & { emailIndex: string })[],
): Statement {
	const codes = JSON.stringify(indexed.map(({ code }) => code));
	const bySealed = JSON.stringify(
		Object.fromEntries(indexed.map(({ emailSealed, emailIndex }) => [emailSealed, emailIndex])),
	);
	return db
		.update(holders)
		.set({ emailIndex: sql`${bySealed} ->> email_sealed` })
		.where(sql`code IN (SELECT value FROM json_each(${codes})) AND email_index IS NULL`);
}
