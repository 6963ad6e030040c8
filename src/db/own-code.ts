import { and, desc, eq, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import { selectCertificatesOfCode } from "./certificates.ts";
import { codeEntity } from "./code-changes.ts";
import type { OwnCertificate } from "./own-certificates.ts";
import { FACT_COLUMNS, ofCode } from "./purchase-codes.ts";
import { batch, type Db } from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-operations.ts";

export interface TimelineEntry {
	/** Epoch milliseconds. */
	at: number;
	/** As the audit records it. */
	actor: string;
	action: string;
	/** Null for the creation. */
	outcome: string | null;
}

export interface OwnCode {
	facts: CodeFacts & { batchId: string };
	certificate: OwnCertificate | null;
	/** Oldest first. */
	timeline: TimelineEntry[];
}

/** A partner's code with its certificate, its creation and its latest changes; one round trip. */
export async function findOwnCode(
	db: Db,
	{ partnerId, code }: { partnerId: string; code: string },
	changesShown: number,
): Promise<OwnCode | null> {
	const { at, actor, action, outcome } = auditEvents;
	const ofPartner = eq(auditEvents.partnerId, partnerId);
	const batchEntity = sql`(SELECT 'batch:' || batch_id FROM purchase_codes WHERE partner_id = ${partnerId} AND code = ${code})`;
	const {
		facts: [facts],
		certificates,
		created: [created],
		changes,
	} = await batch(db, {
		facts: db
			.select({ ...FACT_COLUMNS, batchId: purchaseCodes.batchId })
			.from(purchaseCodes)
			.where(ofCode(partnerId, code)),
		certificates: selectCertificatesOfCode(db, { partnerId, code }),
		created: db
			.select({ at, actor })
			.from(auditEvents)
			.where(and(eq(auditEvents.entity, batchEntity), eq(auditEvents.version, 1), ofPartner)),
		changes: db
			.select({ at, actor, action, outcome })
			.from(auditEvents)
			.where(and(eq(auditEvents.entity, codeEntity(code)), ofPartner))
			.orderBy(desc(auditEvents.version))
			.limit(changesShown),
	});
	if (!facts) return null;
	// By the real clock, as the changes are; `created_at` is by the partner's.
	const { at: createdAt, actor: creator } = created ?? { at: facts.createdAt, actor: "" };
	const creation = { at: createdAt, actor: creator, action: "created", outcome: null };
	const issued = certificates.find(({ serial }) => serial === facts.certificateSerial);
	const { product, externalReferenceId, issuedAt, certificateNotAfter } = facts;
	return {
		facts,
		certificate: issued
			? { ...issued, product, externalReferenceId, issuedAt: issuedAt!, notAfter: certificateNotAfter! }
			: null,
		timeline: [creation, ...changes.reverse()],
	};
}
