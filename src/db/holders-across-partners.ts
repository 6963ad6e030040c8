import { asc, sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { FACT_COLUMNS } from "./purchase-codes.ts";
import { batch, type DatabaseDb, livesHere, query } from "./query.ts";
import { partners } from "./schema.ts";
import type { FoundCode } from "./schema-holder.ts";

/*
 * A holder over all partners: the one exception to "every statement carries the partner's id" (decisions, "The
 * holder"). No index spans partners: the caller computes the RUT's index for each and asks with the pairs.
 * Written by hand: drizzle has neither json_each nor INDEXED BY.
 */

/** A partner, and the index that a RUT has there. */
export type PartnerIndex = readonly [partnerId: string, rutIndex: string];

/** A code's holder, known by its e-mail's index. */
export interface HeldEmail {
	partnerId: string;
	code: string;
	emailIndex: string;
}

export async function listPartnerIds(db: DatabaseDb): Promise<string[]> {
	const rows = await query(
		db.select({ id: partners.id }).from(partners).where(livesHere(partners.id)).orderBy(asc(partners.id)),
	);
	return rows.map(({ id }) => id);
}

const PAIRS_PER_STATEMENT = 500;

/** Codes whose holder is known, issued or not. */
export async function findHeldEmails(db: DatabaseDb, pairs: readonly PartnerIndex[]): Promise<HeldEmail[]> {
	const found: HeldEmail[] = [];
	for (let i = 0; i < pairs.length; i += PAIRS_PER_STATEMENT) {
		const asked = JSON.stringify(pairs.slice(i, i + PAIRS_PER_STATEMENT));
		const { rows } = await batch(db, {
			rows: sql<HeldEmail>`SELECT holders.partner_id AS partnerId, holders.code AS code,
					holders.email_index AS emailIndex
				FROM json_each(${asked}) AS pair
				CROSS JOIN holders INDEXED BY holders_rut
					ON holders.partner_id = pair.value ->> 0 AND holders.rut_index = pair.value ->> 1`,
		});
		found.push(...rows);
	}
	return found;
}

/** A certificate as its holder sees it. Times in epoch milliseconds. */
export interface ShownCertificate {
	serial: string;
	partnerId: string;
	code: string;
	partnerName: string;
	issuedAt: number;
	notAfter: number;
	revokedAt: number | null;
	revocationReason: RevocationReason | null;
}

/** The certificates of these codes that were issued and have not expired, revoked ones included, the latest first. */
export async function showCertificates(
	db: DatabaseDb,
	codes: readonly FoundCode[],
	now: number,
): Promise<ShownCertificate[]> {
	const { rows } = await batch(db, {
		rows: sql<ShownCertificate>`SELECT certificates.serial AS serial, certificates.partner_id AS partnerId,
				certificates.code AS code, partners.name AS partnerName, certificates.issued_at AS issuedAt,
				certificates.not_after AS notAfter, certificates.revoked_at AS revokedAt,
				certificates.revocation_reason AS revocationReason
			FROM json_each(${JSON.stringify(codes)}) AS pair
			CROSS JOIN certificates INDEXED BY certificates_code
				ON certificates.partner_id = pair.value ->> 0 AND certificates.code = pair.value ->> 1
			CROSS JOIN partners ON partners.id = certificates.partner_id
			WHERE certificates.issued_at IS NOT NULL AND certificates.not_after > ${now}
			ORDER BY certificates.issued_at DESC`,
	});
	return rows;
}

/** A code of a holder, with what is stored of its certificate, as ops see it. */
export interface HeldCode
	extends CodeFacts,
		PartnerClock,
		Pick<CertificateFacts, "revokedAt" | "revocationReason"> {
	partnerName: string;
}

export const CODE_FACTS = sql.join(
	Object.entries(FACT_COLUMNS).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
	sql`, `,
);

/** Codes whose holder is known, issued or not, in one round trip; of each 500 partners the latest, or those not issued first. */
export async function findHeldCodes(
	db: DatabaseDb,
	pairs: readonly PartnerIndex[],
	{ limit, openFirst }: { limit: number; openFirst: boolean },
): Promise<HeldCode[]> {
	const parts: (readonly PartnerIndex[])[] = [];
	for (let i = 0; i < pairs.length; i += PAIRS_PER_STATEMENT)
		parts.push(pairs.slice(i, i + PAIRS_PER_STATEMENT));
	if (parts.length === 0) return [];
	const { rows } = await batch(db, {
		rows: parts.map(
			(
				asked,
			) => sql<HeldCode>`SELECT ${CODE_FACTS}, partners.name AS partnerName, partners.clock_offset AS clockOffset,
					certificates.revoked_at AS revokedAt, certificates.revocation_reason AS revocationReason
				FROM json_each(${JSON.stringify(asked)}) AS pair
				CROSS JOIN holders INDEXED BY holders_rut
					ON holders.partner_id = pair.value ->> 0 AND holders.rut_index = pair.value ->> 1
				CROSS JOIN purchase_codes
					ON purchase_codes.code = holders.code AND purchase_codes.partner_id = holders.partner_id
				CROSS JOIN partners ON partners.id = holders.partner_id
				LEFT JOIN certificates ON certificates.serial = purchase_codes.certificate_serial
					AND certificates.partner_id = purchase_codes.partner_id
				ORDER BY ${openFirst ? sql`purchase_codes.issued_at IS NOT NULL,` : sql``} purchase_codes.created_at DESC,
					purchase_codes.code LIMIT ${limit}`,
		),
	});
	return rows.flat();
}
