import { z } from "@hono/zod-openapi";
import { changePartner, type PartnerRow } from "../db/partners.ts";
import { after, CLOCK_OFFSET_MAX_MS } from "../domain/partner-clock.ts";
import { createApi, invalidField } from "../http/api.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { dateTime, jsonBody, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { type Caller, findOwnPartner, nowFor, originOf, partnerCaller } from "../services/caller.ts";
import { mark } from "../texts/language.ts";
import { SANDBOX_REFERENCE } from "../texts/sandbox-reference.ts";
import { doDueWork } from "./due-work.ts";
import { sandboxRoute } from "./sandbox-route.ts";

const count = z.int().min(0);

const time = {
	now: dateTime,
	offset_seconds: count.openapi({ description: mark(SANDBOX_REFERENCE.offset) }),
};
const TIME_EXAMPLE = { now: "2026-12-06T12:00:00.000Z", offset_seconds: 1_296_000 };

const show = sandboxRoute({
	id: "showSandboxClock",
	tag: "Sandbox",
	scope: "read",
	method: "get",
	path: "/sandbox/clock",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(z.strictObject(time)).openapi("SandboxTime"),
		example: { success: true, data: TIME_EXAMPLE },
	},
	reasons: [],
});

const move = sandboxRoute({
	id: "advanceSandboxClock",
	tag: "Sandbox",
	scope: "manage",
	method: "post",
	path: "/sandbox/clock",
	limit: limitCalls,
	request: jsonBody(
		z
			.strictObject(
				{
					advance: z
						.string("duration")
						.max(40, "duration")
						.refine((text) => after(0, text) !== null, "duration")
						.openapi({ description: mark(SANDBOX_REFERENCE.advance), example: "P15D" }),
				},
				"object",
			)
			.openapi("SandboxClockAdvance"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				...time,
				done: z.strictObject({
					sessions_ended: count,
					validations_lapsed: count,
					holders_erased: count,
					reminders: count,
					deliveries_tried: count,
					delivered: count,
				}),
			}),
		).openapi("SandboxClock"),
		example: {
			success: true,
			data: {
				...TIME_EXAMPLE,
				done: {
					sessions_ended: 0,
					validations_lapsed: 0,
					holders_erased: 0,
					reminders: 1,
					deliveries_tried: 2,
					delivered: 2,
				},
			},
		},
	},
	reasons: [],
	invalid: { field: "advance", hint: "duration" },
});

/** Reads D1, not the cache: an advance elsewhere is seen at once. */
const showCall = createApi().openapi(show, async (c) => {
	const caller = partnerCaller(c);
	const data = present(caller, await findOwnPartner(caller));
	return c.json({ success: true as const, data }, 200);
});

/** Moves the partner's clock, with an audit row, and does the work due by then. */
const advanceCall = createApi().openapi(move, async (c) => {
	const { advance } = c.req.valid("json");
	const caller = partnerCaller(c);
	const { platform, db, partnerId, requestId } = caller;
	const moved = await changePartner(
		db,
		partnerId,
		(row) => {
			const now = nowFor(caller, row);
			const clockOffset = row.clockOffset + after(now, advance)! - now;
			if (clockOffset > CLOCK_OFFSET_MAX_MS) return { answer: "too_far" };
			return {
				answer: "moved",
				change: { action: "clock_advanced", outcome: advance, set: { clockOffset } },
			};
		},
		originOf(caller),
	);
	if (moved?.answer !== "moved") return invalidField(c, "advance", "clockMax");
	const { partner } = moved;
	const done = await doDueWork(platform, partner, requestId);
	const data = {
		...present(partnerCaller(c), partner),
		done: {
			sessions_ended: done.sessionsEnded,
			validations_lapsed: done.validationsLapsed,
			holders_erased: done.holdersErased,
			reminders: done.reminders,
			deliveries_tried: done.deliveriesTried,
			delivered: done.delivered,
		},
	};
	return c.json({ success: true as const, data }, 200);
});

export const clockCall = createApi().route("/", showCall).route("/", advanceCall);

function present(caller: Caller, partner: PartnerRow) {
	return {
		now: timestamp(nowFor(caller, partner)),
		offset_seconds: Math.floor(partner.clockOffset / 1000),
	};
}
