import { z } from "@hono/zod-openapi";
import type { CertificatePosition, OwnCertificate } from "../db/own-codes.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { PRODUCT_CODES } from "../domain/products.ts";
import { REVOCATION_REASONS } from "../domain/revocation-reason.ts";
import { VALIDITIES, validityAt } from "../domain/validity.ts";
import { cursorField } from "../http/cursor.ts";
import { instant, pageLimit } from "../http/query-fields.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { DESK_FIELDS } from "../texts/desk-codes.ts";
import { mark } from "../texts/language.ts";
import { OPS_FIELDS } from "../texts/ops-fields.ts";

/** A certificate as its partner sees it everywhere: no data of its holder. */
export const certificateSchema = z
	.strictObject({
		serialNumber: z.string(),
		p_code: z.string(),
		product: z.enum(PRODUCT_CODES),
		external_reference_id: z.string().nullable(),
		validity: z.enum(VALIDITIES).openapi({ description: mark(DESK_FIELDS.validity) }),
		issued_at: dateTime,
		validFrom: dateTime.nullable(),
		validTo: dateTime.nullable(),
		revoked_at: dateTime.nullable(),
		revocation_reason: z.enum(REVOCATION_REASONS).nullable(),
	})
	.openapi("Certificate");

export const CERTIFICATE_EXAMPLE: z.input<typeof certificateSchema> = {
	serialNumber: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
	p_code: "7K3M-9QXT-2B4C-H8WD",
	product: "FV01",
	external_reference_id: "order-1",
	validity: "valid",
	issued_at: "2026-11-21T12:00:00.000Z",
	validFrom: "2026-11-21T11:55:00.000Z",
	validTo: "2027-11-21T12:00:00.000Z",
	revoked_at: null,
	revocation_reason: null,
};

export function presentCertificate(
	certificate: OwnCertificate,
	now: number,
): z.input<typeof certificateSchema> {
	return {
		serialNumber: certificate.serial,
		p_code: certificate.code,
		product: certificate.product,
		external_reference_id: certificate.externalReferenceId,
		validity: validityAt(certificate, now),
		issued_at: timestamp(certificate.issuedAt),
		validFrom: timestamp(certificate.notBefore),
		validTo: timestamp(certificate.notAfter),
		revoked_at: timestamp(certificate.revokedAt),
		revocation_reason: certificate.revocationReason,
	};
}

const { p_code, revoked_at, revocation_reason } = certificateSchema.shape;

/** A certificate as ops see it, under the names of RFC 5280. A serial may have been reserved and never issued. */
export const opsCertificateSchema = z
	.strictObject({
		serial: z.string(),
		partner_id: z.string(),
		p_code,
		issued_at: dateTime.nullable(),
		not_before: dateTime.nullable(),
		not_after: dateTime.nullable(),
		revoked_at,
		revocation_reason,
		renews: z
			.string()
			.nullable()
			.openapi({ description: mark(OPS_FIELDS.renews) }),
	})
	.openapi("Certificate");

export const OPS_CERTIFICATE_EXAMPLE: z.input<typeof opsCertificateSchema> = {
	serial: CERTIFICATE_EXAMPLE.serialNumber,
	partner_id: "pt_0f2c6f0c9b1d4a7e",
	p_code: CERTIFICATE_EXAMPLE.p_code,
	issued_at: CERTIFICATE_EXAMPLE.issued_at,
	not_before: CERTIFICATE_EXAMPLE.validFrom,
	not_after: CERTIFICATE_EXAMPLE.validTo,
	revoked_at: CERTIFICATE_EXAMPLE.revoked_at,
	revocation_reason: CERTIFICATE_EXAMPLE.revocation_reason,
	renews: null,
};

export function presentOpsCertificate(facts: CertificateFacts): z.input<typeof opsCertificateSchema> {
	return {
		serial: facts.serial,
		partner_id: facts.partnerId,
		p_code: facts.code,
		issued_at: timestamp(facts.issuedAt),
		not_before: timestamp(facts.notBefore),
		not_after: timestamp(facts.notAfter),
		revoked_at: timestamp(facts.revokedAt),
		revocation_reason: facts.revocationReason,
		renews: facts.renews ?? null,
	};
}

const afterCertificate: z.ZodType<CertificatePosition> = z.strictObject({
	notAfter: z.int(),
	serial: z.string().max(32),
});

export const certificateQuery = z.strictObject({
	validity: z
		.enum(VALIDITIES, "validity")
		.optional()
		.openapi({ description: mark(DESK_FIELDS.validity) }),
	expiring_before: instant()
		.optional()
		.openapi({
			type: "string",
			description: mark(DESK_FIELDS.expiringBefore),
			example: "2026-12-31",
		}),
	limit: pageLimit,
	cursor: cursorField(afterCertificate).optional(),
});
