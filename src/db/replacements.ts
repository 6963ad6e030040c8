import { and, eq, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { Facet } from "../domain/status-tables.ts";
import { auditRow, type ChangeOrigin } from "./audit-events.ts";
import type { Db, Statement } from "./query.ts";
import { LEVELS } from "./rank-codes.ts";
import { batches, codeCounts, purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-operations.ts";

/*
 * A code that replaces another is a batch of one. The batch is named after the code that it replaces, so that no code
 * is ever replaced twice.
 */

/** Whether the code of this name was replaced; `codes` is the table it is asked in. */
export const IS_REPLACED = sql`EXISTS (SELECT 1 FROM batches
	WHERE batches.id = 'bt_' || lower(replace(codes.code, '-', '')) AND batches.partner_id = codes.partner_id)`;

function batchReplacing(code: string): string {
	return `bt_${code.replaceAll("-", "").toLowerCase()}`;
}

/** The code that replaces this one, if any does. */
export function selectReplacement(db: Db, partnerId: string, code: string) {
	return db
		.select({ replacement: purchaseCodes.code })
		.from(batches)
		.innerJoin(
			purchaseCodes,
			and(eq(purchaseCodes.partnerId, batches.partnerId), eq(purchaseCodes.seq, batches.firstSeq)),
		)
		.where(and(eq(batches.id, batchReplacing(code)), eq(batches.partnerId, partnerId)));
}

const UNUSED: Facet = "unused";

/**
 * Creates the replacement of a code: batch, code, counters and the batch's audit row, for the commit that replaces it.
 * What the partner may order now is not asked: the code was sold.
 * @param replacement - the new code, canonical.
 */
export async function insertReplacement(
	db: Db,
	{ partnerId, code: replaced, product }: Pick<CodeFacts, "partnerId" | "code" | "product">,
	replacement: string,
	{ actor, requestId, now }: ChangeOrigin,
): Promise<Statement[]> {
	const id = batchReplacing(replaced);
	const entry = { entity: `batch:${id}`, version: 1, partnerId, at: now, actor, action: "created" };
	const audit = await auditRow(db, { ...entry, outcome: `1 ${product}`, requestId, step: null }, "");
	const last = sql`coalesce((SELECT max(last_seq) FROM batches WHERE partner_id = ${partnerId}), 0)`;
	const latest = sql`coalesce((SELECT max(created_at) FROM batches WHERE partner_id = ${partnerId}), 0)`;
	const ofBatch = sql`FROM batches WHERE id = ${id} AND partner_id = ${partnerId}`;
	const seq = sql`(SELECT first_seq ${ofBatch})`;
	const createdAt = sql`(SELECT created_at ${ofBatch})`;
	const counts = LEVELS.map((level) => ({
		...{ partnerId, reference: "", facet: UNUSED, level, block: sql`${seq} >> ${level}`, n: 1 },
	}));
	const { partnerId: partner, reference, facet, level, block } = codeCounts;
	return [
		db.insert(batches).values({
			...{ id, partnerId, product, firstSeq: sql`${last} + 1`, lastSeq: sql`${last} + 1` },
			createdAt: sql`max(${now}, ${latest} + 1)`,
		}),
		db.insert(purchaseCodes).values({
			...{ partnerId, seq, code: replacement, batchId: id, product, createdAt, updatedAt: createdAt },
		}),
		db
			.insert(codeCounts)
			.values(counts)
			.onConflictDoUpdate({
				target: [partner, reference, facet, level, block],
				set: { n: sql`n + excluded.n` },
			}),
		db.insert(auditEvents).values(audit),
	];
}
