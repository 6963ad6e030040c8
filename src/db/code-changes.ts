import { and, eq, lte, sql } from "drizzle-orm";
import type { Actor } from "../domain/actor.ts";
import type { AuditAction } from "../domain/audit-actions.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { auditRow, lostAuditRace } from "./audit-events.ts";
import { HOLDER_COLUMNS, type SealedHolder } from "./holders.ts";
import { byPartnersClock, clockOffsetOf } from "./partner-clocks.ts";
import { FACT_COLUMNS, ofCode } from "./purchase-codes.ts";
import {
	batch,
	ConstraintViolated,
	type PartnerDb,
	prepared,
	type RowsStatement,
	type Statement,
} from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { holders } from "./schema-holder.ts";
import { auditEvents } from "./schema-operations.ts";

/* Reads and writes a purchase code for a step. */

/** A code as a step reads it. */
export interface CodeRow {
	facts: CodeFacts;
	/** Hash of the audit row of the facts' version, '' before the first change. */
	auditHash: string;
	holder: SealedHolder | null;
	/** Its partner's. */
	clockOffset: number;
}

/** One code of one partner with its holder: a statement for a step's first round trip. */
export const selectCode = prepared((db, { partnerId, code }: { partnerId: string; code: string }) =>
	db
		.select({ facts: FACT_COLUMNS, auditHash: AUDIT_HASH, holder: HOLDER_COLUMNS, clockOffset: CLOCK_OFFSET })
		.from(purchaseCodes)
		.leftJoin(holders, and(eq(holders.code, purchaseCodes.code), eq(holders.partnerId, partnerId)))
		.where(and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code))),
);

/** The audit row that a step wrote, if its commit arrived at the facts' version or before. */
export function selectStepCommit(db: PartnerDb, { partnerId, code, version }: CodeFacts, stepId: string) {
	return db
		.select({ action: auditEvents.action })
		.from(auditEvents)
		.where(
			and(
				eq(auditEvents.entity, codeEntity(code)),
				eq(auditEvents.partnerId, partnerId),
				lte(auditEvents.version, version),
				eq(auditEvents.step, stepId),
			),
		)
		.limit(1);
}

export function codeEntity(code: string): string {
	return `code:${code}`;
}

const CLOCK_OFFSET = clockOffsetOf(purchaseCodes.partnerId);

const AUDIT_HASH =
	sql<string>`coalesce((SELECT hash FROM audit_events WHERE entity = 'code:' || ${purchaseCodes.code} AND version = ${purchaseCodes.version}), '')`.as(
		"audit_hash",
	);

/** A change of a code, and all that is written with it. */
export interface CodeChange {
	/** The code as the decision saw it. */
	row: CodeRow;
	set: Partial<typeof purchaseCodes.$inferInsert>;
	action: AuditAction;
	outcome: string;
	actor: Actor;
	requestId: string;
	/** The step that makes the change; null for one without a lease. */
	stepId: string | null;
	/** Time by the partner's clock. */
	now: number;
	alongside: readonly Statement[];
	/** Create the deliveries of the change's events, where the partner subscribes to them. */
	events: readonly RowsStatement<{ id: string }>[];
}

export type ChangeResult =
	| { kind: "committed"; deliveries: string[] }
	| { kind: "conflict" }
	| { kind: "email_in_use" };

/** Reasons by the constraint that refuses a change whose decision no longer holds. */
const REFUSED_BY: Readonly<Record<string, "email_in_use" | "conflict">> = {
	"holder_emails.rut_index": "email_in_use",
	// The RUT was locked.
	"rut_attempts.failures": "conflict",
	// The session whose step this is has ended.
	"onboarding_sessions.until_at": "conflict",
};

/**
 * Commits one change of a code with all that belongs to it, or nothing. Ends the running step, if any.
 * @param change - `at`: by the real clock, for the audit.
 * @returns `conflict` when the code is no longer at the version the decision saw, its RUT was locked or its session ended since.
 * @throws {Unavailable} when it is unknown whether the change arrived.
 */
export async function commitCodeChange(
	db: PartnerDb,
	change: CodeChange & { at: number },
): Promise<ChangeResult> {
	const { facts, auditHash } = change.row;
	const { now, at, actor, action, outcome, requestId, stepId, alongside, events } = change;
	const version = facts.version + 1;
	const { partnerId, code } = facts;
	const entry = {
		entity: codeEntity(code),
		version,
		partnerId,
		at,
		actor,
		action,
		outcome,
		requestId,
		step: stepId,
	};
	const audit = await auditRow(db, entry, auditHash);
	const set = { ...change.set, version, updatedAt: now, processingUntil: null, processingRut: null };
	try {
		const written = await batch(db, {
			audit: db.insert(auditEvents).values(audit),
			code: db.update(purchaseCodes).set(set).where(ofCode(partnerId, code)),
			alongside,
			events,
		});
		const deliveries = written.events.flatMap((rows) => rows.map(({ id }) => id));
		return { kind: "committed", deliveries };
	} catch (error) {
		if (lostAuditRace(error)) return { kind: "conflict" };
		const kind = error instanceof ConstraintViolated && REFUSED_BY[error.constraint];
		if (kind) return { kind };
		throw error;
	}
}

/**
 * Marks a validation as running, unless the code changed meanwhile, another code of the partner is being validated for
 * the same RUT, or the RUT was locked: one statement, so that two of them cannot both find the way free. By itself
 * SQLite would walk through the partner's whole stock to find that other code.
 */
export function markValidation(
	db: PartnerDb,
	mark: { partnerId: string; code: string; version: number; rutIndex: string; now: number; until: number },
) {
	const { partnerId, code, version, rutIndex, now, until } = mark;
	return db
		.update(purchaseCodes)
		.set({ processingUntil: until, processingRut: rutIndex })
		.where(
			and(
				ofCode(partnerId, code),
				eq(purchaseCodes.version, version),
				sql`NOT EXISTS (SELECT 1 FROM purchase_codes AS other INDEXED BY purchase_codes_processing
					WHERE other.partner_id = ${partnerId}
					AND other.processing_rut_index = ${rutIndex} AND other.processing_until > ${now} AND other.code <> ${code})
					AND NOT EXISTS (SELECT 1 FROM rut_attempts WHERE rut_attempts.partner_id = ${partnerId}
						AND rut_attempts.rut_index = ${rutIndex} AND rut_attempts.locked_until > ${now})`,
			),
		)
		.returning({ version: purchaseCodes.version });
}

/** Marks an emission as running on a code that waits for its claim. @param until - by the real clock; the mark is by the partner's */
export const markEmission = prepared(
	(db, { partnerId, code, until }: { partnerId: string; code: string; until: number }) =>
		db
			.update(purchaseCodes)
			.set({ processingUntil: byPartnersClock(until, partnerId), processingRut: null })
			.where(and(ofCode(partnerId, code), eq(purchaseCodes.facet, "validated"))),
);

/** Ends the running step of a code without changing it. */
export function unmark(db: PartnerDb, mark: { partnerId: string; code: string; until: number }): Statement {
	return db
		.update(purchaseCodes)
		.set({ processingUntil: null, processingRut: null })
		.where(and(ofCode(mark.partnerId, mark.code), eq(purchaseCodes.processingUntil, mark.until)));
}
