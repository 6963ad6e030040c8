import { z } from "@hono/zod-openapi";
import type { CertificateFacts } from "../../domain/decide-revocation.ts";
import type { RejectionReason } from "../../domain/rejection.ts";
import { REVOCATION_REASONS } from "../../domain/revocation-reason.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { timestamp } from "../../http/timestamp.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { findTypedCertificate, revokeCertificate } from "../../services/revoke-certificate.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const certificatePath = z.object({ serial: z.string().max(64, "identifier") });

const success = {
	status: 200,
	schema: successBody(
		z.strictObject({
			certificate: z
				.strictObject({
					serial: z.string(),
					partner_id: z.string(),
					p_code: z.string(),
					issued_at: dateTime.nullable(),
					not_before: dateTime.nullable(),
					not_after: dateTime.nullable(),
					revoked_at: dateTime.nullable(),
					revocation_reason: z.enum(REVOCATION_REASONS).nullable(),
					renews: z
						.string()
						.nullable()
						.openapi({ description: mark(OPS_FIELDS.renews) }),
				})
				.openapi("Certificate"),
		}),
	),
	example: {
		success: true,
		data: {
			certificate: {
				serial: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
				partner_id: "pt_0f2c6f0c9b1d4a7e",
				p_code: "7K3M-9QXT-2B4C-H8WD",
				issued_at: "2026-11-21T12:00:00.000Z",
				not_before: "2026-11-21T11:55:00.000Z",
				not_after: "2027-11-21T12:00:00.000Z",
				revoked_at: null,
				revocation_reason: null,
				renews: null,
			},
		},
	},
} as const;

const show = opsRoute({
	id: "showCertificate",
	tag: "Codes",
	role: "read",
	method: "get",
	path: "/certificates/{serial}",
	request: { params: certificatePath },
	success,
	reasons: [],
});

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = [];

const revoke = opsRoute({
	id: "revokeCertificate",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/certificates/{serial}/revoke",
	request: {
		params: certificatePath,
		...jsonBody(z.strictObject({ reason: revocationReason }, "object").openapi("Revocation")),
	},
	success,
	reasons: REASONS,
});

export const opsCertificates = createApi()
	.openapi(show, async (c) => {
		const facts = await findTypedCertificate(c.get("platform").db, c.req.valid("param").serial);
		return facts ? c.json(present(facts), 200) : errorAnswer(c, "not_found");
	})
	.openapi(revoke, async (c) => {
		const facts = await findTypedCertificate(c.get("platform").db, c.req.valid("param").serial);
		if (!facts) return errorAnswer(c, "not_found");
		const answer = await revokeCertificate(
			onBehalfOf(opsCaller(c), facts.partnerId),
			facts,
			c.req.valid("json").reason,
		);
		return answer.kind === "rejected"
			? rejectionAnswer(c, answer.rejection)
			: c.json(present(answer.facts), 200);
	});

function present(facts: CertificateFacts) {
	const certificate = {
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
	return { success: true as const, data: { certificate } };
}
