import { and, asc, eq, gt, isNotNull, isNull, or } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import { clockOffsetOf } from "./partner-clocks.ts";
import { batch, type DatabaseDb, livesHere, openHere, type PartnerDb, prepared, query } from "./query.ts";
import { purchaseCodes } from "./schema.ts";

export const FACT_COLUMNS = {
	partnerId: purchaseCodes.partnerId,
	code: purchaseCodes.code,
	version: purchaseCodes.version,
	product: purchaseCodes.product,
	createdAt: purchaseCodes.createdAt,
	updatedAt: purchaseCodes.updatedAt,
	externalReferenceId: purchaseCodes.externalReferenceId,
	validatedAt: purchaseCodes.validatedAt,
	boundRut: purchaseCodes.boundRut,
	issuedAt: purchaseCodes.issuedAt,
	certificateSerial: purchaseCodes.certificateSerial,
	certificateNotAfter: purchaseCodes.certificateNotAfter,
	cancelledAt: purchaseCodes.cancelledAt,
	blockedAt: purchaseCodes.blockedAt,
	validationLockedUntil: purchaseCodes.validationLockedUntil,
	validationBlockedAt: purchaseCodes.validationBlockedAt,
	claimLockedUntil: purchaseCodes.claimLockedUntil,
	onboardingUntil: purchaseCodes.onboardingUntil,
	processingUntil: purchaseCodes.processingUntil,
	validationFailures: purchaseCodes.validationFailures,
	validationLocks: purchaseCodes.validationLocks,
	claimFailures: purchaseCodes.claimFailures,
	claimLocks: purchaseCodes.claimLocks,
} satisfies Record<keyof CodeFacts, unknown>;

/** The facts alone: the statement of `GET /status`. */
export const selectFacts = prepared((db, { partnerId, code }: { partnerId: string; code: string }) =>
	db.select(FACT_COLUMNS).from(purchaseCodes).where(ofCode(partnerId, code)),
);

/** @throws {Unavailable} */
export async function findFacts(db: PartnerDb, partnerId: string, code: string): Promise<CodeFacts | null> {
	const { facts } = await batch(db, { facts: selectFacts(db, { partnerId, code }) });
	return facts[0] ?? null;
}

export function ofCode(partnerId: string, code: string) {
	return and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code));
}

/** A code's facts and its partner's clock by the code alone, for ops, who see every partner. */
export async function findCodeOwner(
	db: DatabaseDb,
	code: string,
): Promise<(CodeFacts & PartnerClock) | null> {
	const [facts] = await query(
		db
			.select({ ...FACT_COLUMNS, clockOffset: clockOffsetOf(purchaseCodes.partnerId) })
			.from(purchaseCodes)
			.where(and(eq(purchaseCodes.code, code), livesHere(purchaseCodes.partnerId))),
	);
	return facts ?? null;
}

/**
 * Codes, of every partner, whose certificates D1 may have forgotten when it was restored to `restoredTo`: all but those
 * that were cancelled by then, and those that nobody had validated in their window.
 * @param after - the last code of the page before; '' from the start.
 */
export function pageRestoredCodes(
	db: DatabaseDb,
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
					openHere(purchaseCodes.partnerId),
					isNull(purchaseCodes.cancelledAt),
					or(isNotNull(purchaseCodes.validatedAt), isNotNull(purchaseCodes.issuedAt), open),
				),
			)
			.orderBy(asc(purchaseCodes.code))
			.limit(limit),
	);
}
