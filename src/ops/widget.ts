import { z } from "@hono/zod-openapi";
import { presentWidget, setWidget, WIDGET_EXAMPLE, widgetChange, widgetSchema } from "../accounts/widget.ts";
import { findPartner } from "../db/partners.ts";
import { createApi, invalidField } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { originOf } from "./authorize.ts";
import { opsRoute } from "./ops-route.ts";

const PATH = "/partners/{id}/widget";
const params = z.object({ id: z.string().max(64, "identifier") });
const success = {
	status: 200,
	schema: successBody(z.strictObject({ widget: widgetSchema })),
	example: { success: true, data: { widget: WIDGET_EXAMPLE } },
} as const;

const show = opsRoute({
	id: "showWidget",
	tag: "Partners",
	role: "read",
	method: "get",
	path: PATH,
	request: { params },
	success,
	reasons: [],
});

const set = opsRoute({
	id: "setWidget",
	tag: "Partners",
	role: "operate",
	method: "put",
	path: PATH,
	request: { params, ...jsonBody(widgetChange) },
	success,
	reasons: [],
});

export const opsWidget = createApi()
	.openapi(show, async (c) => {
		const found = await findPartner(c.get("platform").db, c.req.valid("param").id);
		if (!found) return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: { widget: presentWidget(found.partner) } }, 200);
	})
	.openapi(set, async (c) => {
		const { db, settings } = platformIn(c);
		const origin = { ...originOf(c), allowLoopback: settings.environment !== "prod" };
		const partner = await setWidget(db, c.req.valid("param").id, c.req.valid("json"), origin);
		if (partner === null) return errorAnswer(c, "not_found");
		if (typeof partner === "string") return invalidField(c, "origins", partner);
		return c.json({ success: true as const, data: { widget: presentWidget(partner) } }, 200);
	});
