import { createRoute, z } from "@hono/zod-openapi";
import { findCertificate } from "../db/certificates.ts";
import type { Db } from "../db/query.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import { authorizeOps, OPS_ACTOR } from "./authorize-ops.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { revocationReason, timestamp } from "./wire.ts";

const certificatePath = z.object({ serial: z.string().max(64, "identifier") });

const show = createRoute({
	method: "get",
	path: "/certificates/{serial}",
	tags: ["Ops"],
	summary: "Show the stored facts of a certificate; no personal data",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: certificatePath },
	responses: opsResponses(200, "The facts."),
});

const revoke = createRoute({
	method: "post",
	path: "/certificates/{serial}/revoke",
	tags: ["Ops"],
	summary: "Revoke a certificate without cancelling its purchase code; the first revocation stands",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: certificatePath,
		...jsonBody(z.strictObject({ reason: revocationReason }, "object").openapi("Revocation")),
	},
	responses: opsResponses(200, "The facts as they are now.", JSON_ERRORS),
});

export const opsCertificates = createApi()
	.openapi(show, async (c) => {
		const facts = await findFacts(c.get("platform").db, c.req.valid("param").serial);
		return facts ? c.json(present(facts), 200) : rejectionAnswer(c, { reason: "not_found" });
	})
	.openapi(revoke, async (c) => {
		const facts = await findFacts(c.get("platform").db, c.req.valid("param").serial);
		if (!facts) return rejectionAnswer(c, { reason: "not_found" });
		const { partnerId, code, serial } = facts;
		const { answer } = await callCode(c.get("platform"), { partnerId, code }, (object) =>
			object.revokeCertificate({
				partnerId,
				code,
				actor: OPS_ACTOR,
				requestId: c.get("requestId"),
				idempotency: null,
				serial,
				reason: c.req.valid("json").reason,
			}),
		);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		c.executionCtx.waitUntil(keepCrlFresh(c.get("platform")));
		return c.json(present(answer.facts), 200);
	});

/** Serials are shown with colons or in lower case by other programs. */
async function findFacts(db: Db, typed: string): Promise<CertificateFacts | null> {
	const serial = typed.replaceAll(/[: ]/g, "").toUpperCase();
	return /^[0-9A-F]{32}$/.test(serial) ? findCertificate(db, serial) : null;
}

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
	};
	return { success: true, data: { certificate } };
}
