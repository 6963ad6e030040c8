import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { findAnyPartner } from "../../services/all-partners.ts";
import { opsCallerFor } from "../../services/caller.ts";
import { setWidget } from "../../services/widget.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import { presentWidget, WIDGET_EXAMPLE, widgetChange, widgetSchema } from "../../wire/widget.ts";
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
		const found = await findAnyPartner(c.get("platform"), c.req.valid("param").id);
		if (!found) return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: { widget: presentWidget(found.partner) } }, 200);
	})
	.openapi(set, async (c) => {
		const caller = await opsCallerFor(c, c.req.valid("param").id);
		if (!caller) return errorAnswer(c, "not_found");
		const set = await setWidget(caller, c.req.valid("json"));
		if (set.kind === "refused") return answerRefusal(c, set.reason);
		return c.json({ success: true as const, data: { widget: presentWidget(set.partner) } }, 200);
	});
