import { type SQL, sql } from "drizzle-orm";
import { purchaseCodes } from "../db/schema.ts";

/** Columns by which retention decides, and by which it knows the code again when it acts. */
export const RETAINED_FACTS = {
	code: purchaseCodes.code,
	version: purchaseCodes.version,
	issuedAt: purchaseCodes.issuedAt,
	certificateNotAfter: purchaseCodes.certificateNotAfter,
	cancelledAt: purchaseCodes.cancelledAt,
	blockedAt: purchaseCodes.blockedAt,
};

/**
 * The codes that have not changed since they were looked at and on which no step runs: erasing goes past the
 * codes' objects, so it must not meet a claim that is just being answered.
 */
export function versionsStand(seen: readonly { code: string; version: number }[], now: number): SQL {
	const pairs = JSON.stringify(seen.map(({ code, version }) => [code, version]));
	return sql`(SELECT codes.code FROM json_each(${pairs}) AS seen
		JOIN purchase_codes AS codes ON codes.code = seen.value ->> 0 AND codes.version = seen.value ->> 1
		WHERE coalesce(codes.processing_until, 0) <= ${now})`;
}
