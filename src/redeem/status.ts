import { createRoute, z } from "@hono/zod-openapi";
import { findFacts } from "../db/purchase-codes.ts";
import { parseCode } from "../domain/code-form.ts";
import { CODE_STATUSES, codeStatus } from "../domain/status-tables.ts";
import { createApi, PARTNER_KEY } from "../http/api.ts";
import { authenticate } from "../http/authenticate.ts";
import { purchaseCode } from "../http/fields.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { responses } from "../http/responses.ts";

const success = z
	.strictObject({
		success: z.literal(true),
		data: z.strictObject({ p_code: z.string(), status: z.enum(CODE_STATUSES) }),
	})
	.openapi("StatusAnswer");

const route = createRoute({
	method: "get",
	path: "/status",
	tags: ["Redeem"],
	summary: "Progress of one purchase code",
	description:
		"The first status of §3.1 that applies, derived at this read. Chosen: a code that is unknown or another partner's reads NOT_FOUND; an unused code past its window reads ACTIVE.",
	security: PARTNER_KEY,
	middleware: [authenticate, limitCalls] as const,
	request: { query: z.strictObject({ p_code: purchaseCode }) },
	responses: responses(
		{
			status: 200,
			description: "The status.",
			schema: success,
			example: { success: true, data: { p_code: "7K3M-9QXT-2B4C-H8WD", status: "ACTIVE" } },
		},
		[
			{
				status: 400,
				error: "VALIDATION_ERROR",
				when: "p_code missing; or (chosen) sent twice, or beside others.",
			},
			{ status: 429, error: "RATE_LIMIT_EXCEEDED", when: "Chosen: more than 600 calls a minute." },
		],
	),
});

export const status = createApi().openapi(route, async (c) => {
	const { p_code } = c.req.valid("query");
	const code = parseCode(p_code);
	const { partnerId } = c.get("owner");
	const facts = code === null ? null : await findFacts(c.get("platform").db, partnerId, code);
	const data = { p_code: code ?? p_code, status: codeStatus(facts, Date.now()) };
	const found: z.infer<typeof success> = { success: true, data };
	return c.json(found, 200);
});
