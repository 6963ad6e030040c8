import { z } from "@hono/zod-openapi";
import type { ListedCode } from "../db/list-purchase-codes.ts";
import type { OwnCode } from "../db/own-codes.ts";
import { type CodeFacts, expiresAt } from "../domain/code-facts.ts";
import { categoryOf, PRODUCT_CODES } from "../domain/products.ts";
import { CODE_STATUSES, codeStatus, LIST_STATUSES, listStatus, processing } from "../domain/status-tables.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { DESK_FIELDS } from "../texts/desk-codes.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "./certificate.ts";
import { presentStanding, standingSchema } from "./delivery.ts";
import { entrySchema, presentEntry, TIMELINE_EXAMPLE } from "./timeline.ts";
import { view } from "./view.ts";

/** A fact's name at the wire: `created_at` for `createdAt`. */
type WireName<Name extends string> = Name extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
	: Name;

/** Every fact except these, which have another name or are shown to nobody, is a field of {@link codeSchema}. */
type ShownFact = WireName<Exclude<keyof CodeFacts, "code" | "boundRut">>;

/** Fields of a code. Partner and ops both see a new field unless their view omits it. */
export const codeSchema = z.strictObject({
	p_code: z.string(),
	partner_id: z.string(),
	product: z.enum(PRODUCT_CODES),
	category: z.int().openapi({ description: mark(REFERENCE.category) }),
	status: z.enum(CODE_STATUSES),
	list_status: z.enum(LIST_STATUSES).openapi({ description: mark(REFERENCE.listStatus) }),
	processing: z.int().openapi({ description: mark(REFERENCE.processing) }),
	version: z.int(),
	external_reference_id: z
		.string()
		.nullable()
		.openapi({ description: mark(REFERENCE.externalReferenceId) }),
	created_at: dateTime,
	updated_at: dateTime,
	expires_at: dateTime.openapi({ description: mark(REFERENCE.expiresAt) }),
	validated_at: dateTime.nullable(),
	issued_at: dateTime.nullable(),
	certificate_serial: z.string().nullable(),
	certificate_not_after: dateTime.nullable(),
	cancelled_at: dateTime.nullable(),
	blocked_at: dateTime.nullable(),
	validation_locked_until: dateTime
		.nullable()
		.openapi({ description: mark(DESK_FIELDS.validationLockedUntil) }),
	validation_blocked_at: dateTime.nullable().openapi({ description: mark(DESK_FIELDS.validationBlockedAt) }),
	claim_locked_until: dateTime.nullable().openapi({ description: mark(DESK_FIELDS.claimLockedUntil) }),
	onboarding_until: dateTime.nullable(),
	processing_until: dateTime.nullable(),
	validation_failures: z.int(),
	validation_locks: z.int(),
	claim_failures: z.int(),
	claim_locks: z.int(),
} satisfies Record<ShownFact, z.ZodType> & Record<string, z.ZodType>);

export const CODE_EXAMPLE: z.input<typeof codeSchema> = {
	p_code: CERTIFICATE_EXAMPLE.p_code,
	partner_id: "pt_0f2c6f0c9b1d4a7e",
	product: CERTIFICATE_EXAMPLE.product,
	category: 1,
	status: "EMITTED",
	list_status: "emitido",
	processing: 0,
	version: 2,
	external_reference_id: CERTIFICATE_EXAMPLE.external_reference_id,
	created_at: "2026-11-20T15:00:00.000Z",
	updated_at: "2026-11-21T12:00:00.000Z",
	expires_at: "2026-12-04T15:00:00.000Z",
	validated_at: "2026-11-21T11:58:00.000Z",
	issued_at: CERTIFICATE_EXAMPLE.issued_at,
	certificate_serial: CERTIFICATE_EXAMPLE.serialNumber,
	certificate_not_after: CERTIFICATE_EXAMPLE.validTo,
	cancelled_at: null,
	blocked_at: null,
	validation_locked_until: null,
	validation_blocked_at: null,
	claim_locked_until: null,
	onboarding_until: null,
	processing_until: null,
	validation_failures: 0,
	validation_locks: 0,
	claim_failures: 0,
	claim_locks: 0,
};

export function presentCode(facts: CodeFacts, now: number): z.input<typeof codeSchema> {
	return {
		p_code: facts.code,
		partner_id: facts.partnerId,
		product: facts.product,
		category: categoryOf(facts.product),
		status: codeStatus(facts, now),
		list_status: listStatus(facts, now),
		processing: processing(facts, now),
		version: facts.version,
		external_reference_id: facts.externalReferenceId,
		created_at: timestamp(facts.createdAt),
		updated_at: timestamp(facts.updatedAt),
		expires_at: timestamp(expiresAt(facts.createdAt)),
		validated_at: timestamp(facts.validatedAt),
		issued_at: timestamp(facts.issuedAt),
		certificate_serial: facts.certificateSerial,
		certificate_not_after: timestamp(facts.certificateNotAfter),
		cancelled_at: timestamp(facts.cancelledAt),
		blocked_at: timestamp(facts.blockedAt),
		validation_locked_until: timestamp(facts.validationLockedUntil),
		validation_blocked_at: timestamp(facts.validationBlockedAt),
		claim_locked_until: timestamp(facts.claimLockedUntil),
		onboarding_until: timestamp(facts.onboardingUntil),
		processing_until: timestamp(facts.processingUntil),
		validation_failures: facts.validationFailures,
		validation_locks: facts.validationLocks,
		claim_failures: facts.claimFailures,
		claim_locks: facts.claimLocks,
	};
}

const BATCH_EXAMPLE = "bt_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11";

/* A code as ops see it. */

export const opsCodeSchema = codeSchema.omit({ category: true }).openapi("PurchaseCodeFacts");

export const OPS_CODE_EXAMPLE = view(opsCodeSchema, CODE_EXAMPLE);

export function presentOpsCode(facts: CodeFacts, now: number): z.input<typeof opsCodeSchema> {
	return view(opsCodeSchema, presentCode(facts, now));
}

/* A code as its partner sees it, with its certificate and its history. */

const ownFields = codeSchema.omit({
	partner_id: true,
	version: true,
	processing_until: true,
	certificate_serial: true,
	certificate_not_after: true,
});

export const ownCodeSchema = ownFields
	.extend({
		batch_id: z.string(),
		// A union because the document omits `nullable` beside a reference.
		certificate: z.union([certificateSchema, z.null()]),
		delivery: z.union([standingSchema, z.null()]),
		timeline: z.array(entrySchema).openapi({ description: mark(DESK_FIELDS.timeline) }),
	})
	.openapi("PurchaseCodeDetail");

export const OWN_CODE_EXAMPLE: z.input<typeof ownCodeSchema> = {
	...view(ownFields, CODE_EXAMPLE),
	batch_id: BATCH_EXAMPLE,
	certificate: CERTIFICATE_EXAMPLE,
	delivery: null,
	timeline: TIMELINE_EXAMPLE,
};

export function presentOwnCode(
	{ facts, certificate, delivery, timeline }: OwnCode,
	now: number,
): z.input<typeof ownCodeSchema> {
	return {
		...view(ownFields, presentCode(facts, now)),
		batch_id: facts.batchId,
		certificate: certificate && presentCertificate(certificate, now),
		delivery: delivery && presentStanding(delivery),
		timeline: timeline.map(presentEntry),
	};
}

/* A code in the partner's list (§4.5), whose rows hold fewer facts. Its fields are the columns of the CSV, in this order. */

const { p_code, category, list_status, external_reference_id, expires_at } = codeSchema.shape;

export const listedCodeSchema = z
	.strictObject({
		pcode: p_code,
		partnerName: z.string(),
		category,
		status: list_status,
		processing: codeSchema.shape.processing,
		batch_id: z.string(),
		external_reference_id,
		expires_at,
		created_at: dateTime,
		updated_at: dateTime,
	})
	.openapi("PurchaseCode");

export const LISTED_CODE_EXAMPLE: z.input<typeof listedCodeSchema> = {
	pcode: CODE_EXAMPLE.p_code,
	partnerName: "Demo Partner",
	category: CODE_EXAMPLE.category,
	status: CODE_EXAMPLE.list_status,
	processing: CODE_EXAMPLE.processing,
	batch_id: BATCH_EXAMPLE,
	external_reference_id: CODE_EXAMPLE.external_reference_id,
	expires_at: CODE_EXAMPLE.expires_at,
	created_at: CODE_EXAMPLE.created_at,
	updated_at: CODE_EXAMPLE.updated_at,
};

export function presentListedCode(
	code: ListedCode,
	partnerName: string,
	now: number,
): z.input<typeof listedCodeSchema> {
	return {
		pcode: code.code,
		partnerName,
		category: categoryOf(code.product),
		status: listStatus(code, now),
		processing: processing(code, now),
		batch_id: code.batchId,
		external_reference_id: code.externalReferenceId,
		expires_at: timestamp(expiresAt(code.createdAt)),
		created_at: timestamp(code.createdAt),
		updated_at: timestamp(code.updatedAt),
	};
}
