import { and, eq, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { CHAIN_BEGIN, type ChangeOrigin, nextAuditRow } from "./audit-events.ts";
import { countCodes, insertBatch, insertCodes } from "./insert-batch.ts";
import type { Db, Statement } from "./query.ts";
import { batches, purchaseCodes } from "./schema.ts";
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

/**
 * Creates the replacement of a code: batch, code, counters and the batch's audit row, for the commit that replaces it.
 * What the partner may order now is not asked: the code was sold.
 * @param replacement - the new code, canonical.
 */
export async function insertReplacement(
	db: Db,
	{ partnerId, code: replaced, product }: Pick<CodeFacts, "partnerId" | "code" | "product">,
	replacement: string,
	origin: ChangeOrigin,
): Promise<Statement[]> {
	const id = batchReplacing(replaced);
	const created = { entity: `batch:${id}`, partnerId, action: "created", outcome: `1 ${product}` };
	const audit = await nextAuditRow(db, created, origin, CHAIN_BEGIN);
	const batch = { id, partnerId, product, codes: [replacement], now: origin.now };
	return [
		insertBatch(batch, sql`true`),
		insertCodes(batch),
		...countCodes(batch),
		db.insert(auditEvents).values(audit),
	];
}
