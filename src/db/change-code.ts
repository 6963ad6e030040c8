import { and, eq, sql } from "drizzle-orm";
import { auditRow, lostAuditRace } from "./audit.ts";
import { askBatch, ConstraintViolated, type Db, type Statement } from "./query.ts";
import { type CodeRow, codeEntity } from "./read-code.ts";
import { holderEmails, purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-upkeep.ts";

export interface CodeChange {
	/** The code as the decision saw it. */
	row: CodeRow;
	set: Partial<typeof purchaseCodes.$inferInsert>;
	action: string;
	outcome: string;
	actor: string;
	requestId: string;
	step: string | null;
	now: number;
	/** Rows that belong to the change, written in the same batch. */
	alongside: readonly Statement[];
	/** Told what the rows alongside returned, once they are written. */
	written?: (results: readonly unknown[]) => void;
}

export type ChangeResult = "committed" | "conflict" | "email_in_use";

/**
 * Commits one change of a code with all that belongs to it, or nothing. Ends the running step, if any.
 * @returns `conflict` when the code is no longer at the version the decision saw.
 * @throws {Unavailable} when it is unknown whether the change arrived.
 */
export async function commitCodeChange(db: Db, change: CodeChange): Promise<ChangeResult> {
	const { facts, auditHash } = change.row;
	const version = facts.version + 1;
	const audit = await auditRow(
		{
			entity: codeEntity(facts.code),
			version,
			partnerId: facts.partnerId,
			at: change.now,
			actor: change.actor,
			action: change.action,
			outcome: change.outcome,
			requestId: change.requestId,
			step: change.step,
		},
		auditHash,
	);
	const update = db
		.update(purchaseCodes)
		.set({ ...change.set, version, updatedAt: change.now, processingUntil: null, processingRut: null })
		.where(ofCode(facts.partnerId, facts.code));
	try {
		const own = [db.insert(auditEvents).values(audit), update];
		const results = await askBatch(db, [...own, ...change.alongside]);
		change.written?.(results.slice(own.length));
		return "committed";
	} catch (error) {
		if (lostAuditRace(error)) return "conflict";
		if (error instanceof ConstraintViolated && error.constraint === "holder_emails.rut_index")
			return "email_in_use";
		throw error;
	}
}

/** Gives the e-mail to the RUT; a batch with it fails when the e-mail is another RUT's. */
export function ownEmail(
	db: Db,
	owner: { partnerId: string; emailIndex: string; rutIndex: string; now: number },
): Statement {
	const { partnerId, emailIndex, rutIndex, now } = owner;
	return db
		.insert(holderEmails)
		.values({ partnerId, emailIndex, rutIndex, createdAt: now })
		.onConflictDoUpdate({
			target: [holderEmails.partnerId, holderEmails.emailIndex],
			set: { rutIndex: sql`CASE WHEN rut_index = excluded.rut_index THEN rut_index END` },
		});
}

/**
 * Marks a validation as running, unless the code changed meanwhile or another code of the partner is being
 * validated for the same RUT: one statement, so that two of them cannot both find the way free. By itself SQLite
 * would walk through the partner's whole stock to find that other code.
 */
export function markValidation(
	db: Db,
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
					AND other.processing_rut_index = ${rutIndex} AND other.processing_until > ${now} AND other.code <> ${code})`,
			),
		)
		.returning({ version: purchaseCodes.version });
}

/** Marks an emission as running on a code that waits for its claim. */
export function markEmission(db: Db, mark: { partnerId: string; code: string; until: number }) {
	return db
		.update(purchaseCodes)
		.set({ processingUntil: mark.until, processingRut: null })
		.where(and(ofCode(mark.partnerId, mark.code), eq(purchaseCodes.facet, "validated")));
}

/** Ends the running step of a code without changing it. */
export function unmark(db: Db, mark: { partnerId: string; code: string; until: number }): Statement {
	return db
		.update(purchaseCodes)
		.set({ processingUntil: null, processingRut: null })
		.where(and(ofCode(mark.partnerId, mark.code), eq(purchaseCodes.processingUntil, mark.until)));
}

function ofCode(partnerId: string, code: string) {
	return and(eq(purchaseCodes.partnerId, partnerId), eq(purchaseCodes.code, code));
}
