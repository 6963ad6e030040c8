import { and, eq, lte, type Placeholder, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { ask, type Db } from "./query.ts";
import { holderEmails, holders, purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-upkeep.ts";

const FACT_COLUMNS = {
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
	onboardingUntil: purchaseCodes.onboardingUntil,
	processingUntil: purchaseCodes.processingUntil,
	validationFailures: purchaseCodes.validationFailures,
	validationLocks: purchaseCodes.validationLocks,
	claimFailures: purchaseCodes.claimFailures,
	claimLocks: purchaseCodes.claimLocks,
} satisfies Record<keyof CodeFacts, unknown>;

/** No column that purchase_codes has too: in a batch, D1 tells columns apart by name alone. */
const HOLDER_COLUMNS = {
	rutSealed: holders.rutSealed,
	rutIndex: holders.rutIndex,
	fullNameSealed: holders.fullNameSealed,
	emailSealed: holders.emailSealed,
	phoneSealed: holders.phoneSealed,
	partnerCopySealed: holders.partnerCopySealed,
	pinSalt: holders.pinSalt,
	pinHash: holders.pinHash,
};

export type HolderRow = typeof holders.$inferSelect;
/** A holder as it is read beside its code. */
export type SealedHolder = Pick<HolderRow, keyof typeof HOLDER_COLUMNS>;

/** A code as a step reads it. */
export interface CodeRow {
	facts: CodeFacts;
	/** Hash of the audit row of the facts' version, '' before the first change. */
	auditHash: string;
	holder: SealedHolder | null;
}

/** One code of one partner with its holder: a statement for a step's first round trip. */
export function selectCode(db: Db, partnerId: string, code: string) {
	return db
		.select({ facts: FACT_COLUMNS, auditHash: AUDIT_HASH, holder: HOLDER_COLUMNS })
		.from(purchaseCodes)
		.leftJoin(holders, and(eq(holders.code, purchaseCodes.code), eq(holders.partnerId, partnerId)))
		.where(and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code)))
		.limit(1);
}

/** The facts alone. */
export function selectFacts(db: Db, partnerId: string | Placeholder, code: string | Placeholder) {
	return db
		.select(FACT_COLUMNS)
		.from(purchaseCodes)
		.where(and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code)))
		.limit(1);
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
	const [facts] = await ask(prepared.all({ partnerId, code }));
	return facts ?? null;
}

/** Whose e-mail it is with this partner. */
export function selectEmailOwner(db: Db, partnerId: string, emailIndex: string) {
	return db
		.select({ rutIndex: holderEmails.rutIndex })
		.from(holderEmails)
		.where(and(eq(holderEmails.partnerId, partnerId), eq(holderEmails.emailIndex, emailIndex)))
		.limit(1);
}

/** The audit row that a run of a step wrote, if its commit arrived at the facts' version or before. */
export function selectStepCommit(db: Db, { partnerId, code, version }: CodeFacts, step: string) {
	return db
		.select({ action: auditEvents.action })
		.from(auditEvents)
		.where(
			and(
				eq(auditEvents.entity, codeEntity(code)),
				eq(auditEvents.partnerId, partnerId),
				lte(auditEvents.version, version),
				eq(auditEvents.step, step),
			),
		)
		.limit(1);
}

export function codeEntity(code: string): string {
	return `code:${code}`;
}

const AUDIT_HASH =
	sql<string>`coalesce((SELECT hash FROM audit_events WHERE entity = 'code:' || ${purchaseCodes.code} AND version = ${purchaseCodes.version}), '')`.as(
		"audit_hash",
	);

/** A code's facts by the code alone, for ops, who see every partner. */
export async function findCodeOwner(db: Db, code: string): Promise<CodeFacts | null> {
	const [facts] = await ask(
		db.select(FACT_COLUMNS).from(purchaseCodes).where(eq(purchaseCodes.code, code)).limit(1),
	);
	return facts ?? null;
}
