import { z } from "@hono/zod-openapi";
import { parseCode } from "../../../domain/code-form.ts";
import type { RejectionReason } from "../../../domain/rejection.ts";
import { CODE_STATUSES, codeStatus } from "../../../domain/status-tables.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { codePath, printable } from "../../../http/fields.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { rejectionAnswer } from "../../../http/rejections.ts";
import { dateTime, jsonBody, successBody } from "../../../http/responses.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { changeCode } from "../../../services/change-code.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { mark } from "../../../texts/language.ts";
import { deskRoute } from "./desk-route.ts";

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = ["not_found"];

const route = deskRoute({
	id: "cancelPurchaseCode",
	tag: "Purchase codes",
	scope: "manage",
	method: "post",
	path: "/pcodes/{p_code}/cancel",
	limit: limitCalls,
	request: {
		params: codePath,
		...jsonBody(
			z
				.strictObject(
					{
						reason: printable(128, "text").openapi({
							description: mark(DESK_FIELDS.cancelReason),
							example: "The customer returned it",
						}),
					},
					"object",
				)
				.openapi("Cancellation"),
		),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				p_code: z.string(),
				status: z.enum(CODE_STATUSES),
				cancelled_at: dateTime,
				serialNumber: z
					.string()
					.nullable()
					.openapi({ description: mark(DESK_FIELDS.cancelledSerial) }),
			}),
		).openapi("CancellationAnswer"),
		example: {
			success: true,
			data: {
				p_code: "7K3M-9QXT-2B4C-H8WD",
				status: "CANCELLED",
				cancelled_at: "2026-11-22T09:30:00.000Z",
				serialNumber: null,
			},
		},
	},
	reasons: REASONS,
	invalid: { field: "reason", hint: "text" },
	notes: { not_found: DESK_FIELDS.codeNotFound },
});

export const cancellation = createApi().openapi(route, async (c) => {
	const code = parseCode(c.req.valid("param").p_code);
	if (code === null) return errorAnswer(c, "not_found");
	const caller = partnerCaller(c);
	const answer = await changeCode(caller, code, { verb: "cancel", reason: c.req.valid("json").reason });
	if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
	const { facts } = answer;
	const data = {
		p_code: code,
		status: codeStatus(facts, caller.now),
		cancelled_at: timestamp(facts.cancelledAt!),
		serialNumber: facts.certificateSerial,
	};
	return c.json({ success: true as const, data }, 200);
});
