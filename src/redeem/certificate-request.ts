import { createRoute, z } from "@hono/zod-openapi";
import { parseCode } from "../domain/code-form.ts";
import { CERTIFICATE_REQUEST_BODY_MAX } from "../domain/limits.ts";
import { pfxFileName } from "../domain/pfx-file-name.ts";
import { createApi, idempotencyHeader, PARTNER_KEY } from "../http/api.ts";
import { authenticate } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import {
	calendarDate,
	cardSerial,
	email,
	personName,
	phone,
	pin,
	printable,
	purchaseCode,
	rut,
} from "../http/fields.ts";
import { markReplayed, readIdempotencyKey } from "../http/idempotency.ts";
import { limitEmissions } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { BODY_ERRORS, dateTime, responses } from "../http/responses.ts";
import type { RequestSuccess } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import type { CardPicture } from "../secrets/evidence.ts";
import { cardPicture } from "./card-picture.ts";

const body = z
	.strictObject(
		{
			pCode: purchaseCode,
			referenceId: printable(128, "text").openapi({
				description: "The partner's own transaction identifier.",
				example: "order-1001",
			}),
			dni: rut,
			email,
			pin,
			serialNumber: cardSerial.optional(),
			names: personName.optional().openapi({ description: "Full flow only.", example: "Juana Andrea" }),
			fLastname: personName
				.optional()
				.openapi({ description: "Paternal last name; full flow only.", example: "Pérez" }),
			mLastname: personName.optional().openapi({ description: "Maternal last name.", example: "Soto" }),
			phone: phone.optional(),
			ssoCredential: z
				.string("credential")
				.regex(/^[\x21-\x7e]{1,8000}$/, "credential")
				.optional()
				.openapi({
					description: "Single sign-on token. Chosen: checked whenever it is sent in the full flow.",
					example: "sso-11111111-1",
				}),
			dniFront: cardPicture.optional(),
			dniBack: cardPicture.optional(),
			partnerCopy: email.optional().openapi({ description: "Extra address to copy the certificate to." }),
			fechaVencimiento: calendarDate.optional(),
		},
		"object",
	)
	.openapi("CertificateRequest");

const success = z
	.strictObject({
		success: z.literal(true),
		data: z.strictObject({
			p_code: z.string(),
			referenceId: z.string(),
			status: z.enum(["VALIDATED", "EMITTED"]),
			titular: z.strictObject({ rut: z.string(), nombreCompleto: z.string(), email: z.string() }),
			certificate: z
				.strictObject({
					serialNumber: z.string(),
					validFrom: dateTime,
					validTo: dateTime,
					pfxFileName: z.string(),
				})
				.optional()
				.openapi({ description: "Only when status is EMITTED." }),
		}),
	})
	.openapi("CertificateRequestAnswer");

const route = createRoute({
	method: "post",
	path: "/certificate_request",
	tags: ["Redeem"],
	summary: "Redeem a purchase code and validate the holder's identity",
	description:
		"Which fields are required and which validations run follows the partner's configuration (§2.7). B2C ends in VALIDATED; B2B issues and delivers in the same call and ends in EMITTED.",
	security: PARTNER_KEY,
	middleware: [limitBody(CERTIFICATE_REQUEST_BODY_MAX), authenticate, limitEmissions, requireJson] as const,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { "application/json": { schema: body } } },
	},
	responses: responses(
		{
			status: 200,
			description: "Identity validated (B2C), or certificate issued and delivered (B2B).",
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
		[
			{ status: 400, error: "VALIDATION_ERROR", when: "Required field missing or invalid format." },
			{ status: 404, error: "NOT_FOUND", when: "Purchase code does not exist." },
			{
				status: 406,
				error: "VALIDATION_ERROR",
				when: "Business rejection. Chosen codes in details: SERIAL_NUMBER_REQUIRED, RUT_MISMATCH, EMAIL_IN_USE, OTHER_VALIDATION_IN_PROGRESS, ID_CARD_MISMATCH, EXPIRATION_DATE_REQUIRED, EXPIRATION_DATE_MISMATCH, NAME_MISMATCH, SSO_REJECTED, CODE_EXPIRED, CODE_ALREADY_USED.",
			},
			{ status: 423, error: "LOCKED", when: "Purchase code permanently blocked, or (chosen) cancelled." },
			{ status: 429, error: "ATTEMPT_LIMIT_REACHED", when: "Security lock; Retry-After in seconds." },
			{
				status: 429,
				error: "RATE_LIMIT_EXCEEDED",
				when: "More than 10 requests a minute; Retry-After in seconds.",
			},
			{ status: 503, error: "REGISTRY_UNAVAILABLE", when: "Chosen: the civil registry did not answer." },
			...BODY_ERRORS,
		],
	),
});

export const certificateRequest = createApi().openapi(route, async (c) => {
	const { pCode, dni, serialNumber, fLastname, mLastname, fechaVencimiento, ...sent } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	// What no code can look like is asked for all the same: the 400 that the settings call for precedes the 404.
	const code = parseCode(pCode) ?? pCode;

	const owner = c.get("owner");
	const { answer, replayedIn } = await callCode(
		c.get("platform"),
		{ partnerId: owner.partnerId, code },
		(object) =>
			object.requestCertificate({
				partnerId: owner.partnerId,
				code,
				actor: `partner:${owner.keyId}`,
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
				pictures: pictures(sent.dniFront, sent.dniBack),
			}),
	);
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
