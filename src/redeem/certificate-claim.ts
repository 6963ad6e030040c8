import { createRoute, z } from "@hono/zod-openapi";
import { parseCode } from "../domain/code-form.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi, idempotencyHeader, PARTNER_KEY } from "../http/api.ts";
import { authenticate } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { pin, purchaseCode, rut } from "../http/fields.ts";
import { markReplayed, readIdempotencyKey } from "../http/idempotency.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { BODY_ERRORS, dateTime, responses } from "../http/responses.ts";
import { callCode } from "../objects/stubs.ts";

const body = z.strictObject({ p_code: purchaseCode, dni: rut, pin }, "object").openapi("CertificateClaim");

const success = z
	.strictObject({
		success: z.literal(true),
		data: z.strictObject({
			p_code: z.string(),
			certificate: z.base64().openapi({ format: "byte", description: "The PFX." }),
			validFrom: dateTime,
			validTo: dateTime,
			serialNumber: z.string(),
		}),
	})
	.openapi("CertificateClaimAnswer");

const route = createRoute({
	method: "post",
	path: "/certificate_claim",
	tags: ["Redeem"],
	summary: "Issue and deliver the certificate of a validated code, once (B2C)",
	description:
		"RUT and PIN must be those of certificate_request. The PFX opens with the PIN; it is stored nowhere.",
	security: PARTNER_KEY,
	middleware: [limitBody(BODY_MAX), authenticate, limitCalls, requireJson] as const,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { "application/json": { schema: body } } },
	},
	responses: responses(
		{
			status: 200,
			description: "The certificate.",
			schema: success,
			example: {
				success: true,
				data: {
					p_code: "7K3M-9QXT-2B4C-H8WD",
					certificate: "MIINnQIBAzCCDVMGCSqGSIb3DQEHAaCCDUQEgg1A",
					validFrom: "2026-11-21T11:55:00.000Z",
					validTo: "2027-11-21T12:00:00.000Z",
					serialNumber: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
				},
			},
		},
		[
			{ status: 201, error: "ALREADY_ISSUED", when: "Already claimed; not regenerated." },
			{
				status: 202,
				error: "VALIDATION_IN_PROGRESS",
				when: "Validation in progress; retry after Retry-After seconds.",
			},
			{ status: 400, error: "VALIDATION_ERROR", when: "Chosen: field missing or invalid format." },
			{
				status: 404,
				error: "NOT_FOUND",
				when: "Code does not exist, or has not gone through certificate_request.",
			},
			{
				status: 406,
				error: "VALIDATION_ERROR",
				when: "RUT or PIN differs from certificate_request. Chosen code in details: CREDENTIALS_MISMATCH, never which.",
			},
			{ status: 423, error: "LOCKED", when: "Chosen: cancelled or permanently blocked." },
			{
				status: 429,
				error: "ATTEMPT_LIMIT_REACHED",
				when: "Chosen: five wrong claims in a row lock for 30 minutes.",
			},
			{ status: 429, error: "RATE_LIMIT_EXCEEDED", when: "Chosen: more than 600 calls a minute." },
			...BODY_ERRORS,
		],
	),
});

export const certificateClaim = createApi().openapi(route, async (c) => {
	const { p_code, dni, pin } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	// What no code can look like is asked for all the same: the 422 of a used Idempotency-Key precedes the 404.
	const code = parseCode(p_code) ?? p_code;

	const { partnerId, keyId } = c.get("owner");
	const { answer, replayedIn } = await callCode(c.get("platform"), { partnerId, code }, (object) =>
		object.claimCertificate({
			partnerId,
			code,
			actor: `partner:${keyId}`,
			requestId: c.get("requestId"),
			idempotency,
			rut: dni,
			pin,
		}),
	);
	markReplayed(c, replayedIn);
	if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
	const { certificate, pfx } = answer;
	const data = {
		p_code: code,
		certificate: pfx,
		validFrom: new Date(certificate.validFrom).toISOString(),
		validTo: new Date(certificate.validTo).toISOString(),
		serialNumber: certificate.serial,
	};
	const claimed: z.infer<typeof success> = { success: true, data };
	return c.json(claimed, 200);
});
