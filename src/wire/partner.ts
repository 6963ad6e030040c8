import { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../db/partners.ts";
import { DELIVERY_ADDRESSES, deliveryAddress } from "../domain/delivery-address.ts";
import { CODE_QUOTA_MAX } from "../domain/limits.ts";
import { IDENTITY_CHECKS, identityChecks, type PartnerSettings } from "../domain/partner-settings.ts";
import { PRODUCT_CODES } from "../domain/products.ts";
import { SUBSCRIPTIONS } from "../domain/webhook-events.ts";
import { printable } from "../http/fields.ts";
import { email } from "../http/holder-fields.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { OPS_FIELDS } from "../texts/ops-fields.ts";

/* Partner settings as ops send and see them, in the interface document's words (§2.7). */

const flag = z.union([z.literal(0), z.literal(1)], "flag");

const webhookUrl = z
	.string("url")
	.max(2048, "url")
	.refine((text) => isWebhookUrl(text), "url" satisfies Hint)
	.openapi({ example: "https://partner.example/webhooks/certificates" });

/** The settings of `POST` and `PATCH /partners`; the defaults are `DEFAULT_SETTINGS`. */
export const settingsFields = {
	name: printable(100, "name").openapi({ example: "Demo Partner" }),
	mode: z.enum(["B2C", "B2B"], "mode").optional(),
	require_cedula_serie: flag.optional(),
	validate_vencimiento: flag.optional(),
	require_sso: flag.optional().openapi({ description: mark(OPS_FIELDS.requireSso) }),
	require_serial_with_sso: flag.optional().openapi({ description: mark(OPS_FIELDS.requireSerialWithSso) }),
	allowed_products: z
		.array(z.enum(PRODUCT_CODES, "products"), "products")
		.refine((products) => new Set(products).size === products.length, "products" satisfies Hint)
		.optional(),
	pfx_profile: z.enum(["modern", "legacy"], "pfxProfile").optional(),
	key_algorithm: z.enum(["rsa-2048", "ec-p256"], "keyAlgorithm").optional(),
	max_codes_14_days: z
		.int("codeQuota")
		.min(0, "codeQuota")
		.max(CODE_QUOTA_MAX, "codeQuota")
		.optional()
		.openapi({ description: mark(OPS_FIELDS.codeQuota) }),
	webhook_url: webhookUrl.nullable().optional(),
	webhook_events: z
		.array(z.enum(SUBSCRIPTIONS, "webhookEvents"), "webhookEvents")
		.refine((events) => new Set(events).size === events.length, "webhookEvents" satisfies Hint)
		.optional(),
	delivery_email: email.nullable().optional(),
	holder_reminders: z
		.boolean("boolean")
		.optional()
		.openapi({ description: mark(OPS_FIELDS.holderReminders) }),
	language: z
		.enum(["es", "en"], "language")
		.optional()
		.openapi({ description: mark(OPS_FIELDS.language) }),
};

type Sent = z.infer<z.ZodObject<typeof settingsFields>>;
export type WireSettings = { [Field in keyof Sent]?: Sent[Field] | undefined };

/** Converts the fields that were sent. */
export function readSettings(sent: WireSettings): Partial<PartnerSettings> {
	return {
		...(sent.name !== undefined && { name: sent.name }),
		...(sent.mode !== undefined && { mode: sent.mode }),
		...(sent.require_cedula_serie !== undefined && { requireCardSerial: sent.require_cedula_serie === 1 }),
		...(sent.validate_vencimiento !== undefined && { validateCardExpiry: sent.validate_vencimiento === 1 }),
		...(sent.require_sso !== undefined && { requireSso: sent.require_sso === 1 }),
		...(sent.require_serial_with_sso !== undefined && {
			requireSerialWithSso: sent.require_serial_with_sso === 1,
		}),
		...(sent.allowed_products !== undefined && { allowedProducts: sent.allowed_products }),
		...(sent.pfx_profile !== undefined && { pfxProfile: sent.pfx_profile }),
		...(sent.key_algorithm !== undefined && { keyAlgorithm: sent.key_algorithm }),
		...(sent.max_codes_14_days !== undefined && { maxCodes14Days: sent.max_codes_14_days }),
		...(sent.webhook_url !== undefined && { webhookUrl: sent.webhook_url }),
		...(sent.webhook_events !== undefined && { webhookEvents: sent.webhook_events }),
		...(sent.delivery_email !== undefined && { deliveryEmail: sent.delivery_email }),
		...(sent.holder_reminders !== undefined && { holderReminders: sent.holder_reminders }),
		...(sent.language !== undefined && { language: sent.language }),
	};
}

/** A partner as ops see it, and as it sees itself. */
export const partnerSchema = z
	.strictObject({
		id: z.string(),
		name: z.string(),
		mode: z.enum(["B2C", "B2B"]),
		require_cedula_serie: z.int(),
		validate_vencimiento: z.int(),
		require_sso: z.int(),
		require_serial_with_sso: z.int(),
		identity_checks: z
			.array(z.enum(IDENTITY_CHECKS))
			.openapi({ description: mark(OPS_FIELDS.identityChecks) }),
		allowed_products: z.array(z.enum(PRODUCT_CODES)),
		pfx_profile: z.enum(["modern", "legacy"]),
		key_algorithm: z.enum(["rsa-2048", "ec-p256"]),
		max_codes_14_days: z.int().openapi({ description: mark(OPS_FIELDS.codeQuota) }),
		webhook_url: z.string().nullable(),
		webhook_events: z.array(z.enum(SUBSCRIPTIONS)),
		webhook_off_since: dateTime.nullable(),
		webhook_off_by: z
			.enum(["endpoint", "ops"])
			.nullable()
			.openapi({ description: mark(OPS_FIELDS.webhookOffBy) }),
		delivery_email: z.string().nullable(),
		delivery_address: z
			.enum(DELIVERY_ADDRESSES)
			.nullable()
			.openapi({ description: mark(OPS_FIELDS.deliveryAddress) }),
		holder_reminders: z.boolean().openapi({ description: mark(OPS_FIELDS.holderReminders) }),
		language: z.enum(["es", "en"]).openapi({ description: mark(OPS_FIELDS.language) }),
		suspended: z.boolean(),
		created_at: dateTime,
		updated_at: dateTime,
	})
	.openapi("Partner");

export const PARTNER_EXAMPLE: z.input<typeof partnerSchema> = {
	id: "pt_0f2c6f0c9b1d4a7e",
	name: "Demo Partner",
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	require_serial_with_sso: 0,
	identity_checks: ["card_serial"],
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	pfx_profile: "modern",
	key_algorithm: "rsa-2048",
	max_codes_14_days: 100_000,
	webhook_url: null,
	webhook_events: ["certificate.emitted"],
	webhook_off_since: null,
	webhook_off_by: null,
	delivery_email: null,
	delivery_address: null,
	holder_reminders: false,
	language: "es",
	suspended: false,
	created_at: "2026-11-21T12:00:00.000Z",
	updated_at: "2026-11-21T12:00:00.000Z",
};

export function presentPartner(row: PartnerRow): z.input<typeof partnerSchema> {
	return {
		id: row.id,
		name: row.name,
		mode: row.mode,
		require_cedula_serie: Number(row.requireCardSerial),
		validate_vencimiento: Number(row.validateCardExpiry),
		require_sso: Number(row.requireSso),
		require_serial_with_sso: Number(row.requireSerialWithSso),
		identity_checks: identityChecks(row),
		allowed_products: [...row.allowedProducts],
		pfx_profile: row.pfxProfile,
		key_algorithm: row.keyAlgorithm,
		max_codes_14_days: row.maxCodes14Days,
		webhook_url: row.webhookUrl,
		webhook_events: [...row.webhookEvents],
		webhook_off_since: timestamp(row.webhookOffAt),
		webhook_off_by: row.webhookOffBy,
		delivery_email: row.deliveryEmail,
		delivery_address: deliveryAddress(row),
		holder_reminders: row.holderReminders,
		language: row.language,
		suspended: row.suspendedAt !== null,
		created_at: timestamp(row.createdAt),
		updated_at: timestamp(row.updatedAt),
	};
}

/** The delivery checks addresses again, by environment, when it calls them. */
function isWebhookUrl(text: string): boolean {
	// The parser would drop or encode them, and the text is kept as it was sent.
	if (/[\s\p{C}]/u.test(text)) return false;
	const url = URL.parse(text);
	if (url?.username !== "" || url.password !== "") return false;
	return (
		url.protocol === "https:" ||
		(url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
	);
}
