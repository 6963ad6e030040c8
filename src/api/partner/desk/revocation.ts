import { z } from "@hono/zod-openapi";
import type { RejectionReason } from "../../../domain/rejection.ts";
import { createApi } from "../../../http/api.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { rejectionAnswer } from "../../../http/rejections.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { revocationReason } from "../../../http/revocation-field.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { revokeOwnCertificate } from "../../../services/revoke-certificate.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "../../../wire/certificate.ts";
import { deskRoute } from "./desk-route.ts";

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = ["not_found"];

const route = deskRoute({
	id: "revokeOwnCertificate",
	tag: "Certificates",
	scope: "manage",
	method: "post",
	path: "/certificates/{serial}/revoke",
	limit: limitCalls,
	request: {
		params: z.object({
			serial: z.string().max(64, "identifier").openapi({ example: CERTIFICATE_EXAMPLE.serialNumber }),
		}),
		...jsonBody(z.strictObject({ reason: revocationReason }, "object").openapi("Revocation")),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ certificate: certificateSchema })).openapi("RevocationAnswer"),
		example: {
			success: true,
			data: {
				certificate: {
					...CERTIFICATE_EXAMPLE,
					validity: "revoked",
					revoked_at: "2026-11-22T09:30:00.000Z",
					revocation_reason: "keyCompromise",
				},
			},
		},
	},
	reasons: REASONS,
	invalid: { field: "reason", hint: "revocationReason" },
	notes: { not_found: DESK_FIELDS.certificateNotFound },
});

export const ownRevocation = createApi().openapi(route, async (c) => {
	const caller = partnerCaller(c);
	const { serial } = c.req.valid("param");
	const answer = await revokeOwnCertificate(caller, serial, c.req.valid("json").reason);
	if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
	const certificate = presentCertificate(answer.certificate, caller.now);
	return c.json({ success: true as const, data: { certificate } }, 200);
});
