import { z } from "@hono/zod-openapi";
import { findOwnCode, type OwnCode, type TimelineEntry } from "../../../db/own-code.ts";
import { SHOWN_ACTORS, showActor } from "../../../domain/actor.ts";
import { expiresAt } from "../../../domain/code-facts.ts";
import { parseCode } from "../../../domain/code-form.ts";
import { TIMELINE_MAX } from "../../../domain/limits.ts";
import { categoryOf, PRODUCT_CODES } from "../../../domain/products.ts";
import {
	CODE_STATUSES,
	codeStatus,
	LIST_STATUSES,
	listStatus,
	processing,
} from "../../../domain/status-tables.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { codePath } from "../../../http/fields.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { dateTime, successBody } from "../../../http/responses.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { mark } from "../../../texts/language.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "../../../wire/certificate.ts";
import { deskRoute } from "./desk-route.ts";

const entry = z
	.strictObject({
		at: dateTime,
		actor: z.enum(SHOWN_ACTORS).openapi({ description: mark(DESK_FIELDS.actor) }),
		key_id: z.string().nullable(),
		action: z.string(),
		outcome: z.string().nullable(),
	})
	.openapi("TimelineEntry");

const pcode = z
	.strictObject({
		p_code: z.string(),
		product: z.enum(PRODUCT_CODES),
		category: z.int(),
		batch_id: z.string(),
		external_reference_id: z.string().nullable(),
		status: z.enum(CODE_STATUSES),
		list_status: z.enum(LIST_STATUSES),
		processing: z.int(),
		created_at: dateTime,
		updated_at: dateTime,
		expires_at: dateTime,
		validated_at: dateTime.nullable(),
		issued_at: dateTime.nullable(),
		cancelled_at: dateTime.nullable(),
		blocked_at: dateTime.nullable(),
		locked_until: dateTime.nullable(),
		lock_kind: z
			.enum(["validation", "claim"])
			.nullable()
			.openapi({ description: mark(DESK_FIELDS.lockKind) }),
		onboarding_until: dateTime.nullable(),
		validation_failures: z.int(),
		validation_locks: z.int(),
		claim_failures: z.int(),
		claim_locks: z.int(),
		// Not `nullable`, which the document leaves out of what it refers to.
		certificate: z.union([certificateSchema, z.null()]),
		timeline: z.array(entry).openapi({ description: mark(DESK_FIELDS.timeline) }),
	})
	.openapi("PurchaseCodeDetail");

const KEY = "key_1c9e6b2a4d5f4c7b";

const route = deskRoute({
	id: "showPurchaseCode",
	tag: "Purchase codes",
	scope: "read",
	method: "get",
	path: "/pcodes/{p_code}",
	limit: limitCalls,
	request: { params: codePath },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ pcode })).openapi("PurchaseCodeAnswer"),
		example: {
			success: true,
			data: {
				pcode: {
					p_code: "7K3M-9QXT-2B4C-H8WD",
					product: "FV01",
					category: 1,
					batch_id: "bt_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11",
					external_reference_id: "order-1",
					status: "EMITTED",
					list_status: "emitido",
					processing: 0,
					created_at: "2026-11-20T15:00:00.000Z",
					updated_at: "2026-11-21T12:00:00.000Z",
					expires_at: "2026-12-04T15:00:00.000Z",
					validated_at: "2026-11-21T11:58:00.000Z",
					issued_at: "2026-11-21T12:00:00.000Z",
					cancelled_at: null,
					blocked_at: null,
					locked_until: null,
					lock_kind: null,
					onboarding_until: null,
					validation_failures: 0,
					validation_locks: 0,
					claim_failures: 0,
					claim_locks: 0,
					certificate: CERTIFICATE_EXAMPLE,
					timeline: [
						...[
							{ at: "2026-11-20T15:00:00.000Z", action: "created", outcome: null },
							{ at: "2026-11-21T11:58:00.000Z", action: "validated", outcome: "ok" },
							{ at: "2026-11-21T12:00:00.000Z", action: "emitted", outcome: "ok" },
						].map((entry) => ({ ...entry, actor: "partner" as const, key_id: KEY })),
					],
				},
			},
		},
	},
	reasons: ["not_found"],
	invalid: { field: "p_code", hint: "code" },
	notes: { not_found: DESK_FIELDS.codeNotFound },
});

export const ownPurchaseCode = createApi().openapi(route, async (c) => {
	const code = parseCode(c.req.valid("param").p_code);
	const { partnerId } = c.get("owner");
	const found = code && (await findOwnCode(c.get("platform").db, { partnerId, code }, TIMELINE_MAX));
	if (!found) return errorAnswer(c, "not_found");
	return c.json({ success: true as const, data: { pcode: present(found, partnerCaller(c).now) } }, 200);
});

function present({ facts, certificate, timeline }: OwnCode, now: number): z.input<typeof pcode> {
	return {
		p_code: facts.code,
		product: facts.product,
		category: categoryOf(facts.product),
		batch_id: facts.batchId,
		external_reference_id: facts.externalReferenceId,
		status: codeStatus(facts, now),
		list_status: listStatus(facts, now),
		processing: processing(facts, now),
		created_at: timestamp(facts.createdAt),
		updated_at: timestamp(facts.updatedAt),
		expires_at: timestamp(expiresAt(facts.createdAt)),
		validated_at: timestamp(facts.validatedAt),
		issued_at: timestamp(facts.issuedAt),
		cancelled_at: timestamp(facts.cancelledAt),
		blocked_at: timestamp(facts.blockedAt),
		locked_until: timestamp(facts.lockedUntil),
		lock_kind: facts.lockKind,
		onboarding_until: timestamp(facts.onboardingUntil),
		validation_failures: facts.validationFailures,
		validation_locks: facts.validationLocks,
		claim_failures: facts.claimFailures,
		claim_locks: facts.claimLocks,
		certificate: certificate && presentCertificate(certificate, now),
		timeline: timeline.map(presentEntry),
	};
}

function presentEntry({ at, actor: recorded, action, outcome }: TimelineEntry): z.input<typeof entry> {
	const { actor, keyId } = showActor(recorded);
	return { at: timestamp(at), actor, key_id: keyId, action, outcome };
}
