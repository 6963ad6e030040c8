import { createRoute, z } from "@hono/zod-openapi";
import { findCodeOwner } from "../db/purchase-codes.ts";
import type { Db } from "../db/query.ts";
import { type CodeFacts, expiresAt } from "../domain/code-facts.ts";
import { parseCode } from "../domain/code-form.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { codeStatus, listStatus, processing } from "../domain/status-tables.ts";
import { createApi } from "../http/api.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { printable } from "../http/fields.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import { authorizeOps, OPS_ACTOR } from "./authorize-ops.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { revocationReason, timestamp } from "./wire.ts";

const show = createRoute({
	method: "get",
	path: "/pcodes/{p_code}",
	tags: ["Ops"],
	summary: "Show the stored facts of a purchase code; no personal data, no secrets",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: z.object({ p_code: z.string().max(64, "identifier") }) },
	responses: opsResponses(200, "The facts."),
});

const operate = createRoute({
	method: "post",
	path: "/pcodes/{p_code}/{verb}",
	tags: ["Ops"],
	summary: "Cancel (revoking its certificate), block or unblock a purchase code",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: z.object({
			p_code: z.string().max(64, "identifier"),
			verb: z.enum(["cancel", "block", "unblock"], "verb"),
		}),
		...jsonBody(
			z
				.strictObject(
					{
						reason: printable(128, "text").openapi({ example: "Reported by the holder" }),
						revocation_reason: revocationReason.optional().openapi({
							description: "Of the certificate that a cancellation revokes; block and unblock pass it over.",
							default: DEFAULT_REVOCATION_REASON,
						}),
					},
					"object",
				)
				.openapi("OpsReason"),
		),
	},
	responses: opsResponses(200, "The facts as they are now.", [
		{ status: 406, error: "VALIDATION_ERROR", when: "Block of an emitted code: CODE_ALREADY_USED." },
		{ status: 423, error: "LOCKED", when: "Block or unblock of a cancelled code." },
		...JSON_ERRORS,
	]),
});

export const opsPurchaseCodes = createApi()
	.openapi(show, async (c) => {
		const facts = await findFacts(c.get("platform").db, c.req.valid("param").p_code);
		return facts ? c.json(present(facts), 200) : rejectionAnswer(c, { reason: "not_found" });
	})
	.openapi(operate, async (c) => {
		const { p_code, verb } = c.req.valid("param");
		const facts = await findFacts(c.get("platform").db, p_code);
		if (!facts) return rejectionAnswer(c, { reason: "not_found" });
		const { partnerId, code } = facts;
		const { reason, revocation_reason } = c.req.valid("json");
		const { answer } = await callCode(c.get("platform"), { partnerId, code }, (object) =>
			object.operate({
				partnerId,
				code,
				actor: OPS_ACTOR,
				requestId: c.get("requestId"),
				idempotency: null,
				verb,
				reason,
				...(revocation_reason && { revocationReason: revocation_reason }),
			}),
		);
		if (verb === "cancel" && answer.kind === "done" && answer.facts.certificateSerial !== null)
			c.executionCtx.waitUntil(keepCrlFresh(c.get("platform")));
		return answer.kind === "rejected"
			? rejectionAnswer(c, answer.rejection)
			: c.json(present(answer.facts), 200);
	});

/** Ops name a code without its partner; from here on the partner goes with it. */
async function findFacts(db: Db, typed: string): Promise<CodeFacts | null> {
	const code = parseCode(typed);
	return code === null ? null : findCodeOwner(db, code);
}

function present(facts: CodeFacts) {
	const now = Date.now();
	const pcode = {
		p_code: facts.code,
		partner_id: facts.partnerId,
		product: facts.product,
		status: codeStatus(facts, now),
		list_status: listStatus(facts, now),
		processing: processing(facts, now),
		version: facts.version,
		external_reference_id: facts.externalReferenceId,
		created_at: timestamp(facts.createdAt),
		updated_at: timestamp(facts.updatedAt),
		expires_at: timestamp(expiresAt(facts.createdAt)),
		validated_at: timestamp(facts.validatedAt),
		issued_at: timestamp(facts.issuedAt),
		certificate_serial: facts.certificateSerial,
		certificate_not_after: timestamp(facts.certificateNotAfter),
		cancelled_at: timestamp(facts.cancelledAt),
		blocked_at: timestamp(facts.blockedAt),
		locked_until: timestamp(facts.lockedUntil),
		onboarding_until: timestamp(facts.onboardingUntil),
		processing_until: timestamp(facts.processingUntil),
		validation_failures: facts.validationFailures,
		validation_locks: facts.validationLocks,
		claim_failures: facts.claimFailures,
		claim_locks: facts.claimLocks,
	};
	return { success: true, data: { pcode } };
}
