import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { findOwnCertificate, type OwnCertificate } from "../db/own-certificates.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import type { RejectionReason } from "../domain/rejection.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { platformIn } from "../http/platform-in.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { revocationReason } from "../http/revocation-field.ts";
import { type Rejected, rejected } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import { DESK_FIELDS } from "../texts/desk-codes.ts";
import { callOf } from "./caller.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "./certificate-wire.ts";
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
	const answer = await revokeOwn(c, c.req.valid("param").serial, c.req.valid("json").reason);
	if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
	const now = partnerNow(platformIn(c), c.get("owner"));
	const certificate = presentCertificate(answer.certificate, now);
	return c.json({ success: true as const, data: { certificate } }, 200);
});

/**
 * Revokes a certificate of the partner that calls, for good, and leaves its code as it is.
 * @param sent - the serial as it was written
 */
export async function revokeOwn(
	c: Context<AppEnv>,
	sent: string,
	reason: RevocationReason,
): Promise<{ kind: "revoked"; certificate: OwnCertificate } | Rejected> {
	const platform = platformIn(c);
	const { partnerId, origin } = callOf(c);
	const { actor, requestId } = origin;
	const read = readSerial(sent);
	const found = read && (await findOwnCertificate(platform.db, partnerId, read));
	if (!found) return rejected({ reason: "not_found" });
	const { code, serial } = found;
	const { answer } = await callCode(platform, { partnerId, code }, (object) =>
		object.revokeCertificate({ partnerId, code, actor, requestId, idempotency: null, serial, reason }),
	);
	if (answer.kind === "rejected") return answer;
	c.executionCtx.waitUntil(keepCrlFresh(platform));
	const { revokedAt, revocationReason } = answer.facts;
	return { kind: "revoked", certificate: { ...found, revokedAt, revocationReason } };
}
