import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { claimedData, emittedData } from "../delivery/webhook.ts";
import { REMINDER_DAYS } from "../domain/reminders.ts";
import { REVOCATION_REASONS, REVOKERS } from "../domain/revocation-reason.ts";
import type { PostedEvent } from "../domain/webhook-events.ts";
import { DESK_REFERENCE } from "../texts/desk-reference.ts";
import { mark, type Text } from "../texts/language.ts";
import { ONBOARDING_REFERENCE } from "../texts/onboarding-reference.ts";
import { REFERENCE } from "../texts/reference.ts";
import { WEBHOOK_REFERENCE } from "../texts/webhook-reference.ts";
import type { AppEnv } from "./app-env.ts";
import { dateTime } from "./responses.ts";

/* The webhooks section of the partner's OpenAPI document (§6). */

const headers = z.object({
	"webhook-id": z.string().openapi({
		description: mark(WEBHOOK_REFERENCE.webhookId),
		example: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
	}),
	"webhook-timestamp": z
		.string()
		.openapi({ description: mark(WEBHOOK_REFERENCE.webhookTimestamp), example: "1795608000" }),
	"webhook-signature": z.string().openapi({
		description: mark(WEBHOOK_REFERENCE.webhookSignature),
		example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
	}),
});

const codeData = { p_code: z.string(), referenceId: z.string().nullable() };

const claimed: z.ZodType<ReturnType<typeof claimedData>> = z.strictObject({
	p_code: z.string(),
	validFrom: dateTime,
	validTo: dateTime,
	serialNumber: z.string(),
	referenceId: z.string().nullable(),
});

const emitted: z.ZodType<ReturnType<typeof emittedData>> = z.strictObject({
	p_code: z.string(),
	validFrom: dateTime,
	validTo: dateTime,
	serialNumber: z.string(),
	referenceId: z.string().nullable(),
	certificate: z.base64().openapi({ format: "byte", description: mark(REFERENCE.pfx) }),
	titular: z.strictObject({ rut: z.string(), nombreCompleto: z.string(), email: z.string() }),
	pfxFileName: z.string(),
});

const SESSION_ID = "os_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11";
const SERIAL = "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F";
const CODE = { p_code: "7K3M-9QXT-2B4C-H8WD", referenceId: "order-1001" };

interface Webhook {
	operationId: string;
	summary: Text;
	description?: Text;
	data: z.ZodType;
	example: object;
}

/** An event without a row does not compile. */
const WEBHOOKS: Record<PostedEvent, Webhook> = {
	"certificate.emitted": {
		operationId: "onCertificateEmitted",
		summary: WEBHOOK_REFERENCE["onCertificateEmitted.summary"],
		description: WEBHOOK_REFERENCE["onCertificateEmitted.description"],
		data: z.union([emitted, claimed]),
		example: {
			p_code: CODE.p_code,
			validFrom: "2026-11-21T11:55:00.000Z",
			validTo: "2027-11-21T12:00:00.000Z",
			serialNumber: SERIAL,
			referenceId: CODE.referenceId,
			certificate: "MIINnQIBAzCCDVMGCSqGSIb3DQEHAaCCDUQEgg1A",
			titular: {
				rut: "11111111-1",
				nombreCompleto: "JUANA ANDREA PÉREZ SOTO",
				email: "juana@example.cl",
			},
			pfxFileName: "certificado-11111111-1.pfx",
		},
	},
	"certificate.revoked": {
		operationId: "onCertificateRevoked",
		summary: WEBHOOK_REFERENCE["onCertificateRevoked.summary"],
		description: WEBHOOK_REFERENCE["onCertificateRevoked.description"],
		data: z.strictObject({
			...codeData,
			serialNumber: z.string(),
			reason: z.enum(REVOCATION_REASONS),
			revoked_at: dateTime,
			revoked_by: z.enum(REVOKERS),
		}),
		example: {
			...CODE,
			serialNumber: SERIAL,
			reason: "keyCompromise",
			revoked_at: "2026-11-21T12:00:00.000Z",
			revoked_by: "holder",
		},
	},
	"certificate.expiring": {
		operationId: "onCertificateExpiring",
		summary: WEBHOOK_REFERENCE["onCertificateExpiring.summary"],
		description: WEBHOOK_REFERENCE["onCertificateExpiring.description"],
		data: z.strictObject({
			...codeData,
			serialNumber: z.string(),
			validTo: dateTime,
			days: z.literal(REMINDER_DAYS),
		}),
		example: { ...CODE, serialNumber: SERIAL, validTo: "2027-01-20T12:00:00.000Z", days: 60 },
	},
	"pcode.expiring": {
		operationId: "onCodesExpiring",
		summary: WEBHOOK_REFERENCE["onCodesExpiring.summary"],
		description: WEBHOOK_REFERENCE["onCodesExpiring.description"],
		data: z.strictObject({ batchId: z.string(), count: z.int().min(1), expires_at: dateTime }),
		example: {
			batchId: "bt_0f2c6f0c9b1d4a7e8c3b5a6d7e8f9a0b",
			count: 37,
			expires_at: "2026-11-23T12:00:00.000Z",
		},
	},
	"pcode.lapsing": {
		operationId: "onCodeLapsing",
		summary: WEBHOOK_REFERENCE["onCodeLapsing.summary"],
		description: WEBHOOK_REFERENCE["onCodeLapsing.description"],
		data: z.strictObject({ ...codeData, lapses_at: dateTime }),
		example: { ...CODE, lapses_at: "2026-12-05T12:00:00.000Z" },
	},
	"pcode.validated": {
		operationId: "onCodeValidated",
		summary: WEBHOOK_REFERENCE["onCodeValidated.summary"],
		data: z.strictObject(codeData),
		example: CODE,
	},
	"pcode.locked": {
		operationId: "onCodeLocked",
		summary: WEBHOOK_REFERENCE["onCodeLocked.summary"],
		description: WEBHOOK_REFERENCE["onCodeLocked.description"],
		data: z.strictObject({
			...codeData,
			reason: z.string(),
			locked_until: dateTime.nullable(),
			permanent: z.boolean(),
		}),
		example: {
			...CODE,
			reason: "validation_attempts",
			locked_until: "2026-11-21T12:30:00.000Z",
			permanent: false,
		},
	},
	"pcode.cancelled": {
		operationId: "onCodeCancelled",
		summary: WEBHOOK_REFERENCE["onCodeCancelled.summary"],
		description: WEBHOOK_REFERENCE["onCodeCancelled.description"],
		data: z.strictObject({ ...codeData, reason: z.string(), serialNumber: z.string().nullable() }),
		example: { ...CODE, reason: "Reported by the holder", serialNumber: null },
	},
	"onboarding.completed": {
		operationId: "onOnboardingCompleted",
		summary: ONBOARDING_REFERENCE["onOnboardingCompleted.summary"],
		description: ONBOARDING_REFERENCE["onOnboardingCompleted.description"],
		data: z.strictObject({
			...codeData,
			session_id: z.string(),
			status: z.enum(["VALIDATED", "EMITTED"]),
		}),
		example: { ...CODE, session_id: SESSION_ID, status: "EMITTED" },
	},
	"onboarding.expired": {
		operationId: "onOnboardingExpired",
		summary: ONBOARDING_REFERENCE["onOnboardingExpired.summary"],
		data: z.strictObject({ ...codeData, session_id: z.string() }),
		example: { ...CODE, session_id: SESSION_ID },
	},
	"settings.changed": {
		operationId: "onSettingsChanged",
		summary: DESK_REFERENCE["onSettingsChanged.summary"],
		description: DESK_REFERENCE["onSettingsChanged.description"],
		data: z.strictObject({
			changed: z.enum(["keys", "webhook", "delivery_email"]),
			action: z.string(),
			key_id: z.string(),
			count: z.int(),
		}),
		example: { changed: "keys", action: "key_added", key_id: "key_1c9e6b2a4d5f4c7b", count: 1 },
	},
	ping: {
		operationId: "onPing",
		summary: DESK_REFERENCE["onPing.summary"],
		description: DESK_REFERENCE["onPing.description"],
		data: z.strictObject({}),
		example: {},
	},
};

/** The data of an event's example. */
export function exampleOf(event: PostedEvent): object {
	return WEBHOOKS[event].example;
}

/** Adds what the service posts to partners to the document of their calls. */
export function describeWebhooks(api: OpenAPIHono<AppEnv>): void {
	for (const [type, { operationId, summary, description, data, example }] of Object.entries(WEBHOOKS)) {
		const schema = z.strictObject({ type: z.literal(type), timestamp: dateTime, data });
		api.openAPIRegistry.registerWebhook({
			method: "post",
			path: type,
			operationId,
			tags: ["Webhooks"],
			summary: mark(summary),
			...(description && { description: mark(description) }),
			security: [],
			request: {
				headers,
				body: {
					required: true,
					content: {
						"application/json": {
							schema,
							example: { type, timestamp: "2026-11-21T12:00:00.000Z", data: example },
						},
					},
				},
			},
			responses: {
				"2XX": { description: mark(WEBHOOK_REFERENCE.webhookSuccess) },
				410: { description: mark(WEBHOOK_REFERENCE.webhookSuccess) },
			},
		});
	}
}
