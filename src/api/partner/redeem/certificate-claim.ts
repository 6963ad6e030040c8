import { z } from "@hono/zod-openapi";
import { NO_CODE, parseCode } from "../../../domain/code-form.ts";
import type { RejectionReason } from "../../../domain/rejection.ts";
import { createApi } from "../../../http/api.ts";
import { purchaseCode } from "../../../http/fields.ts";
import { pin, rut } from "../../../http/holder-fields.ts";
import { idempotencyHeader, markReplayed, readIdempotencyKey } from "../../../http/idempotency.ts";
import { partnerRoute } from "../../../http/partner-route.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { rejectionAnswer } from "../../../http/rejections.ts";
import { dateTime, jsonBody, successBody } from "../../../http/responses.ts";
import { callCode } from "../../../objects/stubs.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";

const body = z.strictObject({ p_code: purchaseCode, dni: rut, pin }, "object").openapi("CertificateClaim");

const success = successBody(
	z.strictObject({
		p_code: z.string(),
		certificate: z.base64().openapi({ format: "byte", description: mark(REFERENCE.pfx) }),
		validFrom: dateTime,
		validTo: dateTime,
		serialNumber: z.string(),
	}),
).openapi("CertificateClaimAnswer");

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = [
	"already_issued",
	"validation_in_progress",
	"not_found",
	"credentials_mismatch",
	"cancelled",
	"blocked",
	"security_lock",
];

const route = partnerRoute({
	id: "claimCertificate",
	tag: "Redeem",
	scope: "redeem",
	method: "post",
	path: "/certificate_claim",
	limit: limitCalls,
	request: { headers: idempotencyHeader, ...jsonBody(body) },
	success: {
		status: 200,
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
	reasons: REASONS,
	invalid: { field: "pin", hint: "pin" },
	notes: { not_found: REFERENCE["claimCertificate.not_found"] },
});

export const certificateClaim = createApi().openapi(route, async (c) => {
	const { p_code, dni, pin } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	// A malformed code is still looked up, so that the 422 of a used Idempotency-Key wins over 404.
	const code = parseCode(p_code) ?? NO_CODE;

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
	return c.json({ success: true as const, data }, 200);
});
