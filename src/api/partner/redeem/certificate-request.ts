import { z } from "@hono/zod-openapi";
import { NO_CODE, parseCode } from "../../../domain/code-form.ts";
import { CERTIFICATE_REQUEST_BODY_MAX } from "../../../domain/limits.ts";
import { pfxFileName } from "../../../domain/pfx-file-name.ts";
import type { RejectionReason } from "../../../domain/rejection.ts";
import { createApi } from "../../../http/api.ts";
import { optional, printable, purchaseCode } from "../../../http/fields.ts";
import {
	calendarDate,
	cardSerial,
	certificateSerial,
	credential,
	email,
	personName,
	phone,
	pin,
	rut,
} from "../../../http/holder-fields.ts";
import { idempotencyHeader, markReplayed, readIdempotencyKey } from "../../../http/idempotency.ts";
import { partnerRoute } from "../../../http/partner-route.ts";
import { rejectionAnswer } from "../../../http/rejections.ts";
import { dateTime, jsonBody, successBody } from "../../../http/responses.ts";
import type { RequestSuccess } from "../../../objects/rpc.ts";
import type { CardPicture } from "../../../secrets/evidence.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";
import { cardPicture } from "./card-picture.ts";
import { limitEmissions, requestWithinLimit } from "./emission-limit.ts";

const body = z
	.strictObject(
		{
			pCode: purchaseCode,
			referenceId: printable(128, "text").openapi({
				description: mark(REFERENCE.referenceId),
				example: "order-1001",
			}),
			dni: rut,
			email,
			pin,
			serialNumber: optional(cardSerial),
			names: optional(personName.openapi({ description: mark(REFERENCE.names), example: "Juana Andrea" })),
			fLastname: optional(personName.openapi({ description: mark(REFERENCE.fLastname), example: "Pérez" })),
			mLastname: optional(personName.openapi({ description: mark(REFERENCE.mLastname), example: "Soto" })),
			phone: optional(phone),
			ssoCredential: optional(credential),
			dniFront: optional(cardPicture),
			dniBack: optional(cardPicture),
			partnerCopy: optional(email.openapi({ description: mark(REFERENCE.partnerCopy) })),
			fechaVencimiento: optional(calendarDate),
			renews: optional(certificateSerial),
		},
		"object",
	)
	.openapi("CertificateRequest");

const success = successBody(
	z.strictObject({
		p_code: z.string(),
		referenceId: z.string(),
		status: z.enum(["VALIDATED", "EMITTED"]).openapi({ description: mark(REFERENCE.requestStatus) }),
		titular: z.strictObject({ rut: z.string(), nombreCompleto: z.string(), email: z.string() }),
		certificate: z
			.strictObject({
				serialNumber: z.string(),
				validFrom: dateTime,
				validTo: dateTime,
				pfxFileName: z.string(),
			})
			.optional()
			.openapi({ description: mark(REFERENCE.certificateInfo) }),
	}),
).openapi("CertificateRequestAnswer");

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = [
	"conditional_fields",
	"not_found",
	"serial_number_required",
	"rut_mismatch",
	"email_in_use",
	"renewal_mismatch",
	"other_validation_in_progress",
	"id_card_mismatch",
	"no_card_in_force",
	"expiration_date_required",
	"expiration_date_mismatch",
	"name_mismatch",
	"sso_rejected",
	"code_expired",
	"code_already_used",
	"blocked",
	"request_blocked",
	"cancelled",
	"security_lock",
	"rut_locked",
	"registry_unavailable",
	"single_sign_on_unavailable",
	"delivery_address_missing",
];

const route = partnerRoute({
	id: "requestCertificate",
	tag: "Redeem",
	scope: "redeem",
	method: "post",
	path: "/certificate_request",
	limit: limitEmissions,
	bodyMax: CERTIFICATE_REQUEST_BODY_MAX,
	request: { headers: idempotencyHeader, ...jsonBody(body) },
	success: {
		status: 200,
		schema: success,
		example: {
			success: true,
			data: {
				p_code: "7K3M-9QXT-2B4C-H8WD",
				referenceId: "order-1001",
				status: "VALIDATED",
				titular: {
					rut: "11111111-1",
					nombreCompleto: "JUANA ANDREA PÉREZ SOTO",
					email: "juana@example.cl",
				},
			},
		},
	},
	reasons: REASONS,
	invalid: { field: "pin", hint: "pin" },
	notes: { not_found: REFERENCE["requestCertificate.not_found"] },
});

export const certificateRequest = createApi().openapi(route, async (c) => {
	const { pCode, dni, serialNumber, fLastname, mLastname, fechaVencimiento, ...sent } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	// A malformed code is still looked up, so that settings errors (400) win over 404.
	const code = parseCode(pCode) ?? NO_CODE;

	const { partnerId, keyId } = c.get("owner");
	const reply = await requestWithinLimit(c, {
		partnerId,
		code,
		actor: `partner:${keyId}`,
		requestId: c.get("requestId"),
		idempotency,
		reference: sent.referenceId,
		holder: {
			rut: dni,
			email: sent.email,
			pin: sent.pin,
			cardSerial: serialNumber,
			cardExpiry: fechaVencimiento,
			names: sent.names,
			fatherSurname: fLastname,
			motherSurname: mLastname,
			phone: sent.phone,
			ssoCredential: sent.ssoCredential,
		},
		partnerCopy: sent.partnerCopy,
		renews: sent.renews,
		pictures: pictures(sent.dniFront, sent.dniBack),
	});
	if (reply instanceof Response) return reply;
	const { answer, replayedIn } = reply;
	markReplayed(c, replayedIn);
	if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
	return c.json(present(answer), 200);
});

function present({ kind, code, reference, holder, certificate }: RequestSuccess): z.infer<typeof success> {
	const data = {
		p_code: code,
		referenceId: reference,
		status: kind === "emitted" ? ("EMITTED" as const) : ("VALIDATED" as const),
		titular: { rut: holder.rut, nombreCompleto: holder.fullName, email: holder.email },
		...(certificate && {
			certificate: {
				serialNumber: certificate.serial,
				validFrom: new Date(certificate.validFrom).toISOString(),
				validTo: new Date(certificate.validTo).toISOString(),
				pfxFileName: pfxFileName(holder.rut),
			},
		}),
	};
	return { success: true, data };
}

function pictures(
	front: Omit<CardPicture, "side"> | undefined,
	back: Omit<CardPicture, "side"> | undefined,
): CardPicture[] {
	return [
		...(front ? [{ side: "front" as const, ...front }] : []),
		...(back ? [{ side: "back" as const, ...back }] : []),
	];
}
