import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { type Db, query } from "./query.ts";
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

/** The facts alone. */
export function selectFacts(db: Db, partnerId: string | Placeholder, code: string | Placeholder) {
	return db
		.select(FACT_COLUMNS)
		.from(purchaseCodes)
		.where(and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code)));
}

/** The statement of `GET /status`, built once per database: building it costs more than running it. */
const preparedFacts = new WeakMap<Db, ReturnType<typeof prepareFacts>>();

function prepareFacts(db: Db) {
	return selectFacts(db, sql.placeholder("partnerId"), sql.placeholder("code")).prepare();
}

/** @throws {Unavailable} */
export async function findFacts(db: Db, partnerId: string, code: string): Promise<CodeFacts | null> {
	const prepared = preparedFacts.get(db) ?? prepareFacts(db);
	preparedFacts.set(db, prepared);
	const [facts] = await query(prepared.all({ partnerId, code }));
	return facts ?? null;
}

/** For a job's statement: of one partner alone, or of all. */
export function andPartner(partnerId: string | null): SQL {
	return partnerId === null ? sql`` : sql`AND partner_id = ${partnerId}`;
}

export function ofCode(partnerId: string, code: string) {
	return and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code));
}
