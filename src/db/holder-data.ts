import { sql } from "drizzle-orm";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { DeliveryKind } from "../domain/holder-messages.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { Language } from "../texts/language.ts";
import type { RequestRow } from "./holder-requests.ts";
import { CODE_FACTS } from "./holders-across-partners.ts";
import { batch, type DatabaseDb } from "./query.ts";
import type { FoundCode } from "./schema-holder.ts";

/*
 * Everything that is kept of a holder's codes, in one round trip. The caller has found the codes, each with its partner.
 * Written by hand: drizzle has neither json_each nor INDEXED BY. Times in epoch milliseconds.
 */

/** A code with its holder as stored. */
export interface KeptCode extends CodeFacts, PartnerClock {
	partnerName: string;
	rutSealed: string;
	fullNameSealed: string;
	emailSealed: string;
	phoneSealed: string | null;
	partnerCopySealed: string | null;
	hasPin: 0 | 1;
	renews: string | null;
	language: Language | null;
	holderValidatedAt: number;
	termsVersion: string | null;
	termsAcceptedAt: number | null;
	notBefore: number | null;
	revokedAt: number | null;
	revocationReason: RevocationReason | null;
	hasLeaf: 0 | 1;
	/** Failed validations of the RUT at this partner, over all codes. */
	failures: number;
}

export interface KeptPicture {
	code: string;
	side: "front" | "back";
	mediaType: string;
	createdAt: number;
}

export interface KeptDelivery {
	code: string;
	event: DeliveryKind;
	channel: "webhook" | "email";
	createdAt: number;
	deliveredAt: number | null;
	/** Recipient or payload are still there. */
	hasContent: 0 | 1;
}

/** Reads everything that is kept of the holder of these codes. @throws {Unavailable} */
export async function readKept(db: DatabaseDb, codes: readonly FoundCode[]) {
	const asked = sql`json_each(${JSON.stringify(codes)}) AS pair`;
	const of = (table: string) =>
		sql.raw(`${table}.partner_id = pair.value ->> 0 AND ${table}.code = pair.value ->> 1`);
	return batch(db, {
		codes: sql<KeptCode>`SELECT ${CODE_FACTS}, partners.name AS partnerName, partners.clock_offset AS clockOffset,
				rut_sealed AS rutSealed, full_name_sealed AS fullNameSealed, email_sealed AS emailSealed,
				phone_sealed AS phoneSealed, partner_copy_sealed AS partnerCopySealed, pin_hash IS NOT NULL AS hasPin,
				holders.renews AS renews, holders.language AS language, holders.validated_at AS holderValidatedAt, terms_version AS termsVersion,
				terms_accepted_at AS termsAcceptedAt, not_before AS notBefore, revoked_at AS revokedAt,
				revocation_reason AS revocationReason, leaf_id IS NOT NULL AS hasLeaf, coalesce(failures, 0) AS failures
			FROM ${asked}
			CROSS JOIN holders ON ${of("holders")}
			CROSS JOIN purchase_codes ON ${of("purchase_codes")}
			CROSS JOIN partners ON partners.id = holders.partner_id
			LEFT JOIN certificates ON certificates.serial = purchase_codes.certificate_serial
				AND certificates.partner_id = purchase_codes.partner_id
			LEFT JOIN rut_attempts ON rut_attempts.partner_id = holders.partner_id
				AND rut_attempts.rut_index = holders.rut_index
			ORDER BY purchase_codes.created_at DESC, purchase_codes.code`,
		pictures: sql<KeptPicture>`SELECT code, side, media_type AS mediaType, created_at AS createdAt
			FROM ${asked} CROSS JOIN evidence INDEXED BY evidence_code ON ${of("evidence")}
			ORDER BY created_at, side`,
		deliveries: sql<KeptDelivery>`SELECT code, event, channel, created_at AS createdAt, delivered_at AS deliveredAt,
				coalesce(recipient_sealed, payload_sealed) IS NOT NULL AS hasContent
			FROM ${asked} CROSS JOIN outbox INDEXED BY outbox_code ON ${of("outbox")}
			ORDER BY created_at, event`,
		requests: sql<RequestRow>`SELECT holder_requests.id AS id, partner_id AS partnerId, code, kind, detail_sealed AS detailSealed,
				asked_at AS askedAt, closed_at AS closedAt, outcome, answer_sealed AS answerSealed
			FROM ${asked} CROSS JOIN holder_requests INDEXED BY holder_requests_code ON ${of("holder_requests")}
			ORDER BY asked_at DESC`,
	});
}
