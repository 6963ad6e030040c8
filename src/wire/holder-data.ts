import { z } from "@hono/zod-openapi";
import type { KeptCode, KeptDelivery, KeptPicture } from "../db/holder-data.ts";
import type { RequestRow } from "../db/holder-requests.ts";
import type { HolderRecord } from "../db/holders.ts";
import { DELIVERY_KINDS } from "../domain/holder-messages.ts";
import { ANSWER_MS, REQUEST_KINDS, REQUEST_OUTCOMES } from "../domain/holder-requests.ts";
import { maskEmail, maskName, maskPhone } from "../domain/mask.ts";
import { PRODUCT_CODES } from "../domain/products.ts";
import { KEPT_FOR, keepingOf } from "../domain/retention.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { mark } from "../texts/language.ts";
import { OPS_FIELDS } from "../texts/ops-fields.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema } from "./certificate.ts";

/*
 * Shows what is kept of a holder, as the holder and ops see it. Phone and copy address are masked for both, since a stranger
 * in the mailbox would gain by them; name and e-mail for ops, who see no personal data.
 */

const { serialNumber, validFrom, validTo, revoked_at, revocation_reason } = certificateSchema.shape;

const keptCodeSchema = z
	.strictObject({
		p_code: z.string(),
		seller: z.string(),
		product: z.enum(PRODUCT_CODES),
		external_reference_id: z.string().nullable(),
		rut: z
			.string()
			.nullable()
			.openapi({ description: mark(OPS_FIELDS.unopenable) }),
		name: z.string().nullable(),
		email: z.string().nullable(),
		phone: z.string().nullable(),
		copy_email: z.string().nullable(),
		pin_hash_kept: z.boolean(),
		validated_at: dateTime,
		terms_version: z.string().nullable(),
		terms_accepted_at: dateTime.nullable(),
		renews: z.string().nullable(),
		language: z.enum(["es", "en"]).nullable(),
		failed_validations: z.int(),
		certificate: z
			.strictObject({
				serialNumber,
				issued_at: dateTime,
				validFrom,
				validTo,
				revoked_at,
				revocation_reason,
				copy_kept: z.boolean(),
			})
			.nullable(),
		pictures: z.array(
			z.strictObject({ side: z.enum(["front", "back"]), media_type: z.string(), created_at: dateTime }),
		),
		deliveries: z.array(
			z.strictObject({
				event: z.enum(DELIVERY_KINDS),
				channel: z.enum(["webhook", "email"]),
				created_at: dateTime,
				delivered_at: dateTime.nullable(),
				content_kept: z.boolean(),
			}),
		),
		kept_for: z.enum(KEPT_FOR).openapi({ description: mark(OPS_FIELDS.keptFor) }),
		kept_until: dateTime,
	})
	.openapi("KeptCode");

export const holderRequestSchema = z
	.strictObject({
		id: z.string(),
		p_code: z.string(),
		partner_id: z.string(),
		kind: z.enum(REQUEST_KINDS),
		detail: z
			.string()
			.nullable()
			.openapi({ description: mark(OPS_FIELDS.unopenable) }),
		asked_at: dateTime,
		answer_by: dateTime,
		closed_at: dateTime.nullable(),
		outcome: z.enum(REQUEST_OUTCOMES).nullable(),
		answer: z.string().nullable(),
	})
	.openapi("HolderRequest");

export const holderDataSchema = z
	.strictObject({
		generated_at: dateTime,
		codes: z.array(keptCodeSchema),
		requests: z.array(holderRequestSchema),
		more: z.boolean().openapi({ description: mark(OPS_FIELDS.moreCodes) }),
	})
	.openapi("HolderData");

export type ShownCode = z.input<typeof keptCodeSchema>;
export type ShownRequest = z.input<typeof holderRequestSchema>;
export type ShownData = z.input<typeof holderDataSchema>;

export const HOLDER_REQUEST_EXAMPLE: ShownRequest = {
	id: "hr_0f2c6f0c9b1d4a7e8f0a1b2c3d4e5f60",
	p_code: CERTIFICATE_EXAMPLE.p_code,
	partner_id: "pt_0f2c6f0c9b1d4a7e",
	kind: "correct",
	detail: "Mi segundo apellido es Soto.",
	asked_at: "2026-12-01T12:00:00.000Z",
	answer_by: "2026-12-31T12:00:00.000Z",
	closed_at: null,
	outcome: null,
	answer: null,
};

const { issued_at, ...example } = CERTIFICATE_EXAMPLE;

export const HOLDER_DATA_EXAMPLE: ShownData = {
	generated_at: "2026-12-01T12:00:00.000Z",
	codes: [
		{
			p_code: CERTIFICATE_EXAMPLE.p_code,
			seller: "Demo Partner",
			product: CERTIFICATE_EXAMPLE.product,
			external_reference_id: CERTIFICATE_EXAMPLE.external_reference_id,
			rut: "11111111-1",
			name: "J••• P•••",
			email: "j•••@example.cl",
			phone: "•••678",
			copy_email: null,
			pin_hash_kept: false,
			validated_at: "2026-11-21T11:58:00.000Z",
			terms_version: null,
			terms_accepted_at: null,
			renews: null,
			language: "es",
			failed_validations: 0,
			certificate: {
				serialNumber: example.serialNumber,
				issued_at,
				validFrom: example.validFrom,
				validTo: example.validTo,
				revoked_at: null,
				revocation_reason: null,
				copy_kept: true,
			},
			pictures: [{ side: "front", media_type: "image/jpeg", created_at: "2026-11-21T11:58:00.000Z" }],
			deliveries: [],
			kept_for: "register",
			kept_until: "2033-11-21T12:00:00.000Z",
		},
	],
	requests: [HOLDER_REQUEST_EXAMPLE],
	more: false,
};

/** Whoever is shown the data. */
export type Viewer = "holder" | "ops";

export function presentKeptCode(
	kept: KeptCode,
	holder: HolderRecord | null,
	{ pictures, deliveries }: { pictures: readonly KeptPicture[]; deliveries: readonly KeptDelivery[] },
	viewer: Viewer,
): ShownCode {
	const { why, until } = keepingOf(kept);
	const isOps = viewer === "ops";
	return {
		p_code: kept.code,
		seller: kept.partnerName,
		product: kept.product,
		external_reference_id: kept.externalReferenceId,
		rut: holder?.rut ?? null,
		name: holder && (isOps ? maskName(holder.fullName) : holder.fullName),
		email: holder && (isOps ? maskEmail(holder.email) : holder.email),
		phone: holder?.phone ? maskPhone(holder.phone) : null,
		copy_email: holder?.partnerCopy ? maskEmail(holder.partnerCopy) : null,
		pin_hash_kept: kept.hasPin === 1,
		validated_at: timestamp(kept.holderValidatedAt),
		terms_version: kept.termsVersion,
		terms_accepted_at: timestamp(kept.termsAcceptedAt),
		renews: kept.renews,
		language: kept.language,
		failed_validations: kept.failures,
		certificate:
			kept.issuedAt === null || kept.certificateSerial === null
				? null
				: {
						serialNumber: kept.certificateSerial,
						issued_at: timestamp(kept.issuedAt),
						validFrom: timestamp(kept.notBefore),
						validTo: timestamp(kept.certificateNotAfter),
						revoked_at: timestamp(kept.revokedAt),
						revocation_reason: kept.revocationReason,
						copy_kept: kept.hasLeaf === 1,
					},
		pictures: pictures
			.filter(({ code }) => code === kept.code)
			.map(({ side, mediaType, createdAt }) => ({
				side,
				media_type: mediaType,
				created_at: timestamp(createdAt),
			})),
		deliveries: deliveries
			.filter(({ code }) => code === kept.code)
			.map(({ event, channel, createdAt, deliveredAt, hasContent }) => ({
				event,
				channel,
				created_at: timestamp(createdAt),
				delivered_at: timestamp(deliveredAt),
				content_kept: hasContent === 1,
			})),
		kept_for: why,
		kept_until: timestamp(until),
	};
}

export function presentRequest(
	row: RequestRow,
	{ detail, answer }: Record<"detail" | "answer", string | null>,
): ShownRequest {
	return {
		id: row.id,
		p_code: row.code,
		partner_id: row.partnerId,
		kind: row.kind,
		detail,
		asked_at: timestamp(row.askedAt),
		answer_by: timestamp(row.askedAt + ANSWER_MS),
		closed_at: timestamp(row.closedAt),
		outcome: row.outcome,
		answer,
	};
}
