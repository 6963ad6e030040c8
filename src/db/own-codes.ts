import { and, desc, eq, sql } from "drizzle-orm";
import type { AuditAction } from "../domain/audit-actions.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { type DeliveryStanding, standingOf } from "../domain/delivery-standing.ts";
import type { ProductCode } from "../domain/products.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { Validity } from "../domain/validity.ts";
import { selectCertificatesOfCode } from "./certificates.ts";
import { codeEntity } from "./code-changes.ts";
import { selectCarrying } from "./outbox.ts";
import { FACT_COLUMNS, ofCode } from "./purchase-codes.ts";
import { batch, named, type PartnerDb } from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { auditEvents } from "./schema-operations.ts";

/*
 * A partner's certificates and codes as the partner sees them: no leaf, no holder. Times in epoch milliseconds. Pages of
 * certificates are written by hand: drizzle can prescribe neither an index (INDEXED BY) nor the order of joins (CROSS JOIN).
 */

export interface OwnCertificate {
	serial: string;
	code: string;
	product: ProductCode;
	externalReferenceId: string | null;
	notBefore: number | null;
	notAfter: number;
	issuedAt: number;
	revokedAt: number | null;
	revocationReason: RevocationReason | null;
}

/** The last certificate of the page before, in the order of {@link pageCertificates}. */
export interface CertificatePosition {
	notAfter: number;
	serial: string;
}

interface CertificateList {
	partnerId: string;
	now: number;
	validity?: Validity;
	/** Their end lies before this. */
	endingBefore?: number;
	after: CertificatePosition | null;
	limit: number;
}

const COLUMNS = `serial, certificates.code AS code, product, external_reference_id AS externalReferenceId,
	not_before AS notBefore, not_after AS notAfter, certificates.issued_at AS issuedAt, revoked_at AS revokedAt,
	revocation_reason AS revocationReason`;

const ITS_CODE = `CROSS JOIN purchase_codes AS codes
	ON codes.code = certificates.code AND codes.partner_id = certificates.partner_id`;

/** Certificates by their end, then by serial. Each page reads its own rows and no others, whatever the stock. */
export async function pageCertificates(
	db: PartnerDb,
	{ partnerId, now, validity, endingBefore, after, limit }: CertificateList,
): Promise<OwnCertificate[]> {
	const branch = (isGood: 0 | 1) => `SELECT * FROM certificates INDEXED BY certificates_validity
		WHERE partner_id = :partnerId AND issued_at IS NOT NULL AND (revoked_at IS NULL) = ${isGood}
			AND (not_after, serial) > (:afterTime, :afterSerial) AND not_after < :until`;
	const branches =
		validity === undefined ? `${branch(1)} UNION ALL ${branch(0)}` : branch(validity === "revoked" ? 0 : 1);
	// The end of a certificate is the first moment at which it is not valid. No serial is as great as `~`.
	const first = validity === "valid" ? { notAfter: now, serial: "~" } : { notAfter: -1, serial: "" };
	const from = after === null || after.notAfter < first.notAfter ? first : after;
	const until = Math.min(
		endingBefore ?? Number.MAX_SAFE_INTEGER,
		validity === "expired" ? now + 1 : Number.MAX_SAFE_INTEGER,
	);
	const { page } = await batch(db, {
		page: named<OwnCertificate>(
			`SELECT ${COLUMNS}
				FROM (${branches} ORDER BY not_after, serial LIMIT :limit) AS certificates ${ITS_CODE}
				ORDER BY not_after, serial`,
			{ partnerId, afterTime: from.notAfter, afterSerial: from.serial, until, limit },
		),
	});
	return page;
}

/** The certificates of one RUT by purchase code, which is the order of the index. @param of - `after`: the last code of the page before */
export function selectCertificatesOfHolder(of: {
	partnerId: string;
	rutIndex: string;
	after: string;
	limit: number;
}) {
	return named<OwnCertificate>(
		`SELECT ${COLUMNS}
			FROM holders INDEXED BY holders_rut
			CROSS JOIN purchase_codes AS codes ON codes.code = holders.code AND codes.partner_id = holders.partner_id
			CROSS JOIN certificates
				ON certificates.serial = codes.certificate_serial AND certificates.partner_id = holders.partner_id
			WHERE holders.partner_id = :partnerId AND rut_index = :rutIndex AND holders.code > :after
			ORDER BY holders.code LIMIT :limit`,
		of,
	);
}

/** The issued certificates of these codes of the partner, in no order. */
export async function findCertificatesOfCodes(
	db: PartnerDb,
	partnerId: string,
	codes: readonly string[],
): Promise<OwnCertificate[]> {
	if (codes.length === 0) return [];
	const { found } = await batch(db, {
		found: named<OwnCertificate>(
			`SELECT ${COLUMNS}
				FROM json_each(:codes) AS asked
				CROSS JOIN purchase_codes AS codes INDEXED BY purchase_codes_code
					ON codes.code = asked.value AND codes.partner_id = :partnerId
				CROSS JOIN certificates
					ON certificates.serial = codes.certificate_serial AND certificates.partner_id = :partnerId
				WHERE certificates.issued_at IS NOT NULL`,
			{ partnerId, codes: JSON.stringify(codes) },
		),
	});
	return found;
}

/** One issued certificate of the partner. A serial that was reserved and never handed out is nobody's. */
export function selectOwnCertificate(partnerId: string, serial: string) {
	return named<OwnCertificate>(
		`SELECT ${COLUMNS} FROM certificates ${ITS_CODE}
			WHERE serial = :serial AND certificates.partner_id = :partnerId AND certificates.issued_at IS NOT NULL`,
		{ partnerId, serial },
	);
}

/** @throws {Unavailable} */
export async function findOwnCertificate(
	db: PartnerDb,
	partnerId: string,
	serial: string,
): Promise<OwnCertificate | null> {
	const { found } = await batch(db, { found: selectOwnCertificate(partnerId, serial) });
	return found[0] ?? null;
}

export interface TimelineEntry {
	/** Epoch milliseconds. */
	at: number;
	/** The actor as the audit records it. */
	actor: string;
	action: AuditAction;
	/** Null for the creation. */
	outcome: string | null;
}

export interface OwnCode {
	facts: CodeFacts & { batchId: string };
	certificate: OwnCertificate | null;
	/** B2B: how the delivery of the certificate stands. */
	delivery: DeliveryStanding | null;
	/** Oldest first. */
	timeline: TimelineEntry[];
}

/** A partner's code with its certificate, its creation and its latest changes; one round trip. */
export async function findOwnCode(
	db: PartnerDb,
	{ partnerId, code }: { partnerId: string; code: string },
	changesShown: number,
): Promise<OwnCode | null> {
	const { at, actor, action, outcome } = auditEvents;
	const ofPartner = eq(auditEvents.partnerId, partnerId);
	const batchEntity = sql`(SELECT 'batch:' || batch_id FROM purchase_codes WHERE partner_id = ${partnerId} AND code = ${code})`;
	const {
		facts: [facts],
		certificates,
		carrying,
		created: [created],
		changes,
	} = await batch(db, {
		facts: db
			.select({ ...FACT_COLUMNS, batchId: purchaseCodes.batchId })
			.from(purchaseCodes)
			.where(ofCode(partnerId, code)),
		certificates: selectCertificatesOfCode(db, { partnerId, code }),
		carrying: selectCarrying(db, { partnerId, code }),
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
	// The time is the real clock's, as that of the changes; `created_at` is by the partner's clock.
	const { at: createdAt, actor: creator } = created ?? { at: facts.createdAt, actor: "" };
	const creation = { at: createdAt, actor: creator, action: "created" as const, outcome: null };
	const issued = certificates.find(({ serial }) => serial === facts.certificateSerial);
	const { product, externalReferenceId, issuedAt, certificateNotAfter } = facts;
	return {
		facts,
		certificate: issued
			? { ...issued, product, externalReferenceId, issuedAt: issuedAt!, notAfter: certificateNotAfter! }
			: null,
		delivery: standingOf(carrying),
		timeline: [creation, ...changes.reverse()],
	};
}
