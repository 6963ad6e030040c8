import { z } from "@hono/zod-openapi";
import { findOwnCode } from "../../../db/own-codes.ts";
import { parseCode } from "../../../domain/code-form.ts";
import { TIMELINE_MAX } from "../../../domain/limits.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { codePath } from "../../../http/fields.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { OWN_CODE_EXAMPLE, ownCodeSchema, presentOwnCode } from "../../../wire/purchase-code.ts";
import { deskRoute } from "./desk-route.ts";

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
		schema: successBody(z.strictObject({ pcode: ownCodeSchema })).openapi("PurchaseCodeAnswer"),
		example: { success: true, data: { pcode: OWN_CODE_EXAMPLE } },
	},
	reasons: ["not_found"],
	invalid: { field: "p_code", hint: "code" },
	notes: { not_found: DESK_FIELDS.codeNotFound },
});

export const ownPurchaseCode = createApi().openapi(route, async (c) => {
	const code = parseCode(c.req.valid("param").p_code);
	const { db, partnerId } = c.get("owner");
	const found = code && (await findOwnCode(db, { partnerId, code }, TIMELINE_MAX));
	if (!found) return errorAnswer(c, "not_found");
	return c.json(
		{ success: true as const, data: { pcode: presentOwnCode(found, partnerCaller(c).now) } },
		200,
	);
});
