import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { batch, type Db, prepared } from "./query.ts";
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
	lockedUntil: purchaseCodes.lockedUntil,
	lockKind: purchaseCodes.lockKind,
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
export async function findFacts(db: Db, partnerId: string, code: string): Promise<CodeFacts | null> {
	const { facts } = await batch(db, { facts: selectFacts(db, { partnerId, code }) });
	return facts[0] ?? null;
}

/** For a job's statement: of one partner alone, or of all. */
export function andPartner(partnerId: string | null): SQL {
	return partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`;
}

export function ofCode(partnerId: string, code: string) {
	return and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code));
}
