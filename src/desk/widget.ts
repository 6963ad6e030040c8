import { z } from "@hono/zod-openapi";
import { presentWidget, setWidget, WIDGET_EXAMPLE, widgetChange, widgetSchema } from "../accounts/widget.ts";
import { LOGO_BODY_MAX } from "../domain/limits.ts";
import { createApi, invalidField } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { callOf, findCaller } from "./caller.ts";
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
	invalid: { field: "page", hint: "unknown" },
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
	reasons: ["not_found"],
	invalid: { field: "origins", hint: "origins" },
});

export const ownWidget = createApi()
	.openapi(show, async (c) => {
		const data = { widget: presentWidget(await findCaller(c)) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(set, async (c) => {
		const { db, settings } = platformIn(c);
		const { partnerId, origin } = callOf(c);
		const allowLoopback = settings.environment !== "prod";
		const partner = await setWidget(db, partnerId, c.req.valid("json"), { ...origin, allowLoopback });
		if (partner === null) return errorAnswer(c, "not_found");
		if (typeof partner === "string") return invalidField(c, "origins", partner);
		return c.json({ success: true as const, data: { widget: presentWidget(partner) } }, 200);
	});
