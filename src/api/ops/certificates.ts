import { z } from "@hono/zod-openapi";
import { homeOf } from "../../directory.ts";
import type { CertificateFacts } from "../../domain/decide-revocation.ts";
import type { RejectionReason } from "../../domain/rejection.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { findTypedCertificate, revokeCertificate } from "../../services/revoke-certificate.ts";
import {
	OPS_CERTIFICATE_EXAMPLE,
	opsCertificateSchema,
	presentOpsCertificate,
} from "../../wire/certificate.ts";
import { opsRoute } from "./ops-route.ts";

const certificatePath = z.object({ serial: z.string().max(64, "identifier") });

const success = {
	status: 200,
	schema: successBody(z.strictObject({ certificate: opsCertificateSchema })),
	example: { success: true, data: { certificate: OPS_CERTIFICATE_EXAMPLE } },
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
		const facts = await findTypedCertificate(c.get("platform"), c.req.valid("param").serial);
		return facts ? c.json(answerWith(facts), 200) : errorAnswer(c, "not_found");
	})
	.openapi(revoke, async (c) => {
		const facts = await findTypedCertificate(c.get("platform"), c.req.valid("param").serial);
		if (!facts) return errorAnswer(c, "not_found");
		const answer = await revokeCertificate(
			onBehalfOf(opsCaller(c), await homeOf(c.get("platform"), facts.partnerId)),
			facts,
			c.req.valid("json").reason,
		);
		return answer.kind === "rejected"
			? rejectionAnswer(c, answer.rejection)
			: c.json(answerWith(answer.facts), 200);
	});

function answerWith(facts: CertificateFacts) {
	return { success: true as const, data: { certificate: presentOpsCertificate(facts) } };
}
