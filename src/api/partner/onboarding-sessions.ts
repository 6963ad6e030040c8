import { z } from "@hono/zod-openapi";
import { selectSession } from "../../db/onboarding-sessions.ts";
import { query } from "../../db/query.ts";
import { NO_CODE, parseCode } from "../../domain/code-form.ts";
import type { Rejection, RejectionReason } from "../../domain/rejection.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { optional, printable, purchaseCode } from "../../http/fields.ts";
import { email, rut } from "../../http/holder-fields.ts";
import { idempotencyHeader, markReplayed, readIdempotencyKey } from "../../http/idempotency.ts";
import { routesWith } from "../../http/partner-route.ts";
import { limitCalls, limitSessions } from "../../http/rate-limit.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { callCode } from "../../objects/stubs.ts";
import { partnerCaller } from "../../services/caller.ts";
import { mark } from "../../texts/language.ts";
import { ONBOARDING_REFERENCE } from "../../texts/onboarding-reference.ts";
import { REFERENCE } from "../../texts/reference.ts";
import {
	NEW_SESSION_EXAMPLE,
	newSessionSchema,
	presentSession,
	SESSION_EXAMPLE,
	sessionSchema,
} from "../../wire/session.ts";

/* A partner's calls on sessions of the widget. */

const sessionRoute = routesWith(ONBOARDING_REFERENCE);

const PATH = "/onboarding_sessions/{session_id}";

const body = z
	.strictObject(
		{
			p_code: purchaseCode,
			referenceId: printable(128, "text").openapi({
				description: mark(REFERENCE.referenceId),
				example: "order-1001",
			}),
			locale: optional(z.enum(["es", "en"], "locale")).openapi({
				description: mark(ONBOARDING_REFERENCE.sessionLocale),
			}),
			prefill: z
				.strictObject({ dni: optional(rut), email: optional(email) }, "object")
				.optional()
				.openapi({ description: mark(ONBOARDING_REFERENCE.sessionPrefill) }),
			claim: z
				.boolean("boolean")
				.optional()
				.openapi({ description: mark(ONBOARDING_REFERENCE.sessionClaim) }),
		},
		"object",
	)
	.openapi("NewOnboardingSession");

/** Wide by type: the object's answer may be any rejection but the one of a claim that is no failure. */
type SessionRejection = Exclude<Rejection, { reason: "already_issued" }>;
const REASONS: readonly SessionRejection["reason"][] = [
	"not_found",
	"cancelled",
	"blocked",
	"request_blocked",
	"security_lock",
	"rut_locked",
	"code_already_used",
	"code_expired",
	"other_validation_in_progress",
	"email_in_use",
	"delivery_address_missing",
];

const make = sessionRoute({
	id: "createOnboardingSession",
	tag: "Onboarding",
	scope: "redeem",
	method: "post",
	path: "/onboarding_sessions",
	limit: limitSessions,
	request: { headers: idempotencyHeader, ...jsonBody(body) },
	success: {
		status: 201,
		schema: successBody(newSessionSchema),
		example: { success: true, data: NEW_SESSION_EXAMPLE },
	},
	reasons: REASONS,
	invalid: { field: "claim", hint: "claimInB2b" },
	notes: { not_found: REFERENCE["requestCertificate.not_found"] },
});

const params = z.object({
	session_id: z.string().max(64, "identifier").openapi({ example: SESSION_EXAMPLE.session_id }),
});

const show = sessionRoute({
	id: "showOnboardingSession",
	tag: "Onboarding",
	scope: "redeem",
	method: "get",
	path: PATH,
	limit: limitCalls,
	request: { params },
	success: {
		status: 200,
		schema: successBody(sessionSchema),
		example: { success: true, data: SESSION_EXAMPLE },
	},
	reasons: ["not_found"],
	invalid: { field: "session_id", hint: "identifier" },
	notes: { not_found: ONBOARDING_REFERENCE.sessionNotFound },
});

const end = sessionRoute({
	id: "endOnboardingSession",
	tag: "Onboarding",
	scope: "redeem",
	method: "delete",
	path: PATH,
	limit: limitCalls,
	request: { params },
	success: {
		status: 200,
		schema: successBody(sessionSchema),
		example: {
			success: true,
			data: {
				...SESSION_EXAMPLE,
				status: "ended",
				end_reason: "cancelled",
				ended_at: "2026-11-21T12:03:00.000Z",
			},
		},
	},
	reasons: ["not_found", "other_validation_in_progress"] as readonly RejectionReason[],
	invalid: { field: "session_id", hint: "identifier" },
	notes: {
		not_found: ONBOARDING_REFERENCE.sessionNotFound,
		other_validation_in_progress: ONBOARDING_REFERENCE.sessionBusy,
	},
});

export const onboardingSessions = createApi()
	.openapi(make, async (c) => {
		const { p_code, referenceId, locale = "es", prefill, claim } = c.req.valid("json");
		const idempotency = await readIdempotencyKey(c);
		if (idempotency instanceof Response) return idempotency;
		const code = parseCode(p_code) ?? NO_CODE;
		const { partnerId, keyId } = c.get("owner");
		const { answer, replayedIn } = await callCode(c.get("platform"), { partnerId, code }, (object) =>
			object.makeSession({
				partnerId,
				code,
				actor: `partner:${keyId}`,
				requestId: c.get("requestId"),
				idempotency,
				reference: referenceId,
				locale,
				claim,
				prefill: { rut: prefill?.dni, email: prefill?.email },
			}),
		);
		markReplayed(c, replayedIn);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection as SessionRejection);
		const { session: session_id, token, until } = answer;
		const url = `${c.get("platform").settings.publicUrl}/onboarding/${session_id}#${token}`;
		const data = { session_id, token, url, expires_at: new Date(until).toISOString() };
		return c.json({ success: true as const, data }, 201);
	})
	.openapi(show, async (c) => {
		const { db, partnerId } = c.get("owner");
		const session = c.req.valid("param").session_id;
		const [found] = await query(selectSession(db, { session, partnerId }));
		if (!found) return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: presentSession(found, partnerCaller(c).now) }, 200);
	})
	.openapi(end, async (c) => {
		const { db, partnerId, keyId } = c.get("owner");
		const session = c.req.valid("param").session_id;
		const [found] = await query(selectSession(db, { session, partnerId }));
		if (!found) return errorAnswer(c, "not_found");
		const { code } = found;
		const { answer } = await callCode(c.get("platform"), { partnerId, code }, (object) =>
			object.endSession({
				partnerId,
				code,
				session,
				actor: `partner:${keyId}`,
				requestId: c.get("requestId"),
				idempotency: null,
				reason: "cancelled",
			}),
		);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		const data = presentSession(answer.session, partnerCaller(c).now);
		return c.json({ success: true as const, data }, 200);
	});
