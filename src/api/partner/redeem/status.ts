import { z } from "@hono/zod-openapi";
import { findFacts } from "../../../db/purchase-codes.ts";
import { parseCode } from "../../../domain/code-form.ts";
import { partnerNow } from "../../../domain/partner-clock.ts";
import { CODE_STATUSES, codeStatus } from "../../../domain/status-tables.ts";
import { createApi } from "../../../http/api.ts";
import { purchaseCode } from "../../../http/fields.ts";
import { partnerRoute } from "../../../http/partner-route.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { successBody } from "../../../http/responses.ts";

const route = partnerRoute({
	id: "getStatus",
	tag: "Redeem",
	scope: "redeem",
	method: "get",
	path: "/status",
	limit: limitCalls,
	request: { query: z.strictObject({ p_code: purchaseCode }) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ p_code: z.string(), status: z.enum(CODE_STATUSES) })).openapi(
			"StatusAnswer",
		),
		example: { success: true, data: { p_code: "7K3M-9QXT-2B4C-H8WD", status: "ACTIVE" } },
	},
	reasons: [],
	invalid: { field: "p_code", hint: "missing" },
});

export const status = createApi().openapi(route, async (c) => {
	const { p_code } = c.req.valid("query");
	const code = parseCode(p_code);
	const platform = c.get("platform");
	const owner = c.get("owner");
	const facts = code === null ? null : await findFacts(owner.db, owner.partnerId, code);
	// The hottest call: a whole caller would load the verbs' modules for it.
	const data = { p_code: code ?? p_code, status: codeStatus(facts, partnerNow(platform, owner)) };
	return c.json({ success: true as const, data }, 200);
});
