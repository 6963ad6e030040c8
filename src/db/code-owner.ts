import { eq } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import { clockOffsetOf } from "./partner-clocks.ts";
import { FACT_COLUMNS } from "./purchase-codes.ts";
import { type Db, query } from "./query.ts";
import { purchaseCodes } from "./schema.ts";

/** A code's facts and its partner's clock by the code alone, for ops, who see every partner. */
export async function findCodeOwner(db: Db, code: string): Promise<(CodeFacts & PartnerClock) | null> {
	const [facts] = await query(
		db
			.select({ ...FACT_COLUMNS, clockOffset: clockOffsetOf(purchaseCodes.partnerId) })
			.from(purchaseCodes)
			.where(eq(purchaseCodes.code, code)),
	);
	return facts ?? null;
}
