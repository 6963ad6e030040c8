import { z } from "@hono/zod-openapi";
import { LOGO_BODY_MAX } from "../../../domain/limits.ts";
import { createApi } from "../../../http/api.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { findOwnPartner, partnerCaller } from "../../../services/caller.ts";
import { setWidget } from "../../../services/widget.ts";
import { answerRefusal } from "../../../wire/refusals.ts";
import { presentWidget, WIDGET_EXAMPLE, widgetChange, widgetSchema } from "../../../wire/widget.ts";
import { deskRoute } from "./desk-route.ts";

const success = {
	status: 200 as const,
	schema: successBody(z.strictObject({ widget: widgetSchema })),
	example: { success: true as const, data: { widget: WIDGET_EXAMPLE } },
};

const show = deskRoute({
	id: "showOwnWidget",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/widget",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success,
	reasons: [],
});

const set = deskRoute({
	id: "setOwnWidget",
	tag: "Desk",
	scope: "manage",
	method: "put",
	path: "/widget",
	limit: limitCalls,
	bodyMax: LOGO_BODY_MAX,
	request: jsonBody(widgetChange),
	success,
	reasons: ["not_found", "outcome_unknown"],
	invalid: { field: "origins", hint: "origins" },
});

export const ownWidget = createApi()
	.openapi(show, async (c) => {
		const data = { widget: presentWidget(await findOwnPartner(partnerCaller(c))) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(set, async (c) => {
		const set = await setWidget(partnerCaller(c), c.req.valid("json"));
		if (set.kind === "refused") return answerRefusal(c, set.reason);
		return c.json({ success: true as const, data: { widget: presentWidget(set.partner) } }, 200);
	});
