import { and, asc, gt, isNotNull, isNull, or } from "drizzle-orm";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import { type Db, query } from "./query.ts";
import { purchaseCodes } from "./schema.ts";

/**
 * Codes, of every partner, whose certificates D1 may have forgotten when it was restored to `restoredTo`: all but those
 * that were cancelled by then, and those that nobody had validated in their window.
 * @param after - the last code of the page before; '' from the start.
 */
export function pageRestoredCodes(
	db: Db,
	{ after, restoredTo, limit }: { after: string; restoredTo: number; limit: number },
): Promise<{ partnerId: string; code: string }[]> {
	const open = gt(purchaseCodes.createdAt, restoredTo - CODE_WINDOW_MS);
	return query(
		db
			.select({ partnerId: purchaseCodes.partnerId, code: purchaseCodes.code })
			.from(purchaseCodes)
			.where(
				and(
					gt(purchaseCodes.code, after),
					isNull(purchaseCodes.cancelledAt),
					or(isNotNull(purchaseCodes.validatedAt), isNotNull(purchaseCodes.issuedAt), open),
				),
			)
			.orderBy(asc(purchaseCodes.code))
			.limit(limit),
	);
}
