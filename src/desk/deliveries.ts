import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
	DELIVERY_EXAMPLE,
	deliveryEvent,
	deliveryFields,
	deliveryState,
	presentDelivery,
} from "../accounts/delivery-wire.ts";
import type { AttemptRow } from "../db/delivery-attempts.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { findOwnDelivery, pageDeliveries } from "../db/partner-deliveries.ts";
import { resendDelivery } from "../delivery/resend.ts";
import { parseCode } from "../domain/code-form.ts";
import { PAGE_SIZE_DEFAULT } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { cursorField, writeCursor } from "../http/cursor.ts";
import { errorAnswer } from "../http/errors.ts";
import { purchaseCode } from "../http/fields.ts";
import { platformIn } from "../http/platform-in.ts";
import { instant, pageLimit } from "../http/query-fields.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { dateTime, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { DESK_REFERENCE } from "../texts/desk-reference.ts";
import { mark } from "../texts/language.ts";
import { callOf } from "./caller.ts";
import { deskRoute } from "./desk-route.ts";

const delivery = z.strictObject(deliveryFields).openapi("OwnDelivery");

const attempt = z
	.strictObject({
		at: dateTime,
		channel: deliveryFields.channel,
		outcome: z.string().openapi({ description: mark(DESK_REFERENCE.attemptOutcome) }),
		http_status: z.int().nullable(),
		duration_ms: z.int(),
	})
	.openapi("DeliveryAttempt");

export const deliveryQuery = z.strictObject({
	state: deliveryState.optional(),
	event: deliveryEvent.optional(),
	p_code: purchaseCode.optional(),
	since: instant()
		.optional()
		.openapi({ type: "string", description: mark(DESK_REFERENCE.since), example: "2026-11-01" }),
	cursor: cursorField(z.strictObject({ createdAt: z.int(), id: z.string().max(64) })).optional(),
	limit: pageLimit,
});

const list = deskRoute({
	id: "listOwnDeliveries",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/deliveries",
	limit: limitCalls,
	request: { query: deliveryQuery },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ deliveries: z.array(delivery), next: z.string().nullable() })),
		example: { success: true, data: { deliveries: [DELIVERY_EXAMPLE], next: null } },
	},
	reasons: [],
	invalid: { field: "state", hint: "deliveryState" },
});

const path = z.object({ id: z.string().max(64, "identifier").openapi({ example: DELIVERY_EXAMPLE.id }) });

const show = deskRoute({
	id: "showOwnDelivery",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/deliveries/{id}",
	limit: limitCalls,
	request: { params: path, query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ delivery, attempts: z.array(attempt) })),
		example: {
			success: true,
			data: {
				delivery: DELIVERY_EXAMPLE,
				attempts: [
					{
						at: "2026-11-21T12:00:00.500Z",
						channel: "webhook",
						outcome: "http 503",
						http_status: 503,
						duration_ms: 412,
					},
				],
			},
		},
	},
	reasons: ["not_found"],
	invalid: { field: "id", hint: "identifier" },
});

const resend = deskRoute({
	id: "resendOwnDelivery",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/deliveries/{id}/resend",
	limit: limitCalls,
	request: { params: path },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ delivery })),
		example: { success: true, data: { delivery: DELIVERY_EXAMPLE } },
	},
	reasons: ["not_found", "payload_erased"],
	invalid: { field: "id", hint: "identifier" },
});

export const ownDeliveries = createApi()
	.openapi(list, async (c) => {
		const { page, next } = await listOwnDeliveries(c, c.req.valid("query"));
		return c.json({ success: true as const, data: { deliveries: page.map(presentDelivery), next } }, 200);
	})
	.openapi(show, async (c) => {
		const { id } = c.req.valid("param");
		const found = await findOwnDelivery(c.get("platform").db, { id, partnerId: c.get("owner").partnerId });
		if (!found) return errorAnswer(c, "not_found");
		const data = { delivery: presentDelivery(found.row), attempts: found.attempts.map(presentAttempt) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(resend, async (c) => {
		const resent = await resendOwn(c, c.req.valid("param").id);
		if (resent.kind === "refused") return errorAnswer(c, resent.reason);
		return c.json({ success: true as const, data: { delivery: presentDelivery(resent.row) } }, 200);
	});

/** A page of the deliveries of the partner that calls, and the cursor of the next. */
export async function listOwnDeliveries(c: Context<AppEnv>, asked: z.output<typeof deliveryQuery>) {
	const { state, event, p_code, since, cursor, limit = PAGE_SIZE_DEFAULT } = asked;
	const rows = await pageDeliveries(c.get("platform").db, c.get("owner").partnerId, {
		state,
		event,
		code: p_code === undefined ? undefined : (parseCode(p_code) ?? ""),
		since: since?.first,
		after: cursor,
		limit: limit + 1,
	});
	const page = rows.slice(0, limit);
	const last = rows.length > limit ? page.at(-1)! : null;
	return { page, next: writeCursor(last && { createdAt: last.createdAt, id: last.id }) };
}

/** Sends a delivery of the partner that calls again: a new round of attempts. */
export async function resendOwn(
	c: Context<AppEnv>,
	id: string,
): Promise<{ kind: "resent"; row: OutboxRow } | { kind: "refused"; reason: "not_found" | "payload_erased" }> {
	const platform = platformIn(c);
	const { partnerId, origin } = callOf(c);
	const found = await findOwnDelivery(platform.db, { id, partnerId });
	if (!found) return { kind: "refused", reason: "not_found" };
	const resent = await resendDelivery(platform, found.row, origin);
	if (!resent) return { kind: "refused", reason: "payload_erased" };
	c.executionCtx.waitUntil(resent.queued);
	return { kind: "resent", row: resent.row };
}

function presentAttempt({ at, channel, outcome, httpStatus, durationMs }: AttemptRow) {
	return { at: timestamp(at), channel, outcome, http_status: httpStatus, duration_ms: durationMs };
}
