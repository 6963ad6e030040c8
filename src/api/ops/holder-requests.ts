import { z } from "@hono/zod-openapi";
import { REQUEST_MAX, REQUEST_OUTCOMES } from "../../domain/holder-requests.ts";
import { createApi } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { opsCaller } from "../../services/caller.ts";
import { answerRequest, openRequests } from "../../services/holder-requests.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { silentDatabases } from "../../wire/database.ts";
import { HOLDER_REQUEST_EXAMPLE, holderRequestSchema } from "../../wire/holder-data.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import { opsRoute } from "./ops-route.ts";

/* Requests of holders about their data, for ops to answer. */

export const requestAnswer = z
	.strictObject(
		{
			outcome: z.enum(REQUEST_OUTCOMES, "requestOutcome"),
			answer: printable(REQUEST_MAX, "text").openapi({ description: mark(OPS_FIELDS.requestAnswer) }),
		},
		"object",
	)
	.openapi("HolderRequestAnswer");

const list = opsRoute({
	id: "listHolderRequests",
	tag: "Codes",
	role: "operate",
	method: "get",
	path: "/holder_requests",
	request: { query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ requests: z.array(holderRequestSchema), silent: silentDatabases })),
		example: { success: true, data: { requests: [HOLDER_REQUEST_EXAMPLE], silent: [] } },
	},
	reasons: [],
});

const answer = opsRoute({
	id: "answerHolderRequest",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/holder_requests/{id}/answer",
	request: {
		params: z.strictObject({ id: z.string().openapi({ example: HOLDER_REQUEST_EXAMPLE.id }) }),
		...jsonBody(requestAnswer),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ request: holderRequestSchema })),
		example: {
			success: true,
			data: {
				request: {
					...HOLDER_REQUEST_EXAMPLE,
					closed_at: "2026-12-03T12:00:00.000Z",
					outcome: "refused",
					answer: "El nombre es el del Registro Civil: pida allí la corrección.",
				},
			},
		},
	},
	reasons: [],
});

export const opsHolderRequests = createApi()
	.openapi(list, async (c) => {
		const data = await openRequests(opsCaller(c));
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(answer, async (c) => {
		const { id } = c.req.valid("param");
		const answered = await answerRequest(opsCaller(c), id, c.req.valid("json"));
		if (answered.kind === "refused") return answerRefusal(c, answered.reason);
		return c.json({ success: true as const, data: { request: answered.request } }, 200);
	});
