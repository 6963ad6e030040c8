import { z } from "@hono/zod-openapi";
import { homeOf } from "../../directory.ts";
import type { CodeFacts } from "../../domain/code-facts.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import type { RejectionReason } from "../../domain/rejection.ts";
import { DEFAULT_REVOCATION_REASON } from "../../domain/revocation-reason.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { printable } from "../../http/fields.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { nowFor, onBehalfOf, opsCaller } from "../../services/caller.ts";
import { changeCode, findCode, replaceCode } from "../../services/change-code.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { OPS_CODE_EXAMPLE, opsCodeSchema, presentOpsCode } from "../../wire/purchase-code.ts";
import { opsRoute } from "./ops-route.ts";

const success = {
	status: 200,
	schema: successBody(z.strictObject({ pcode: opsCodeSchema })),
	example: { success: true, data: { pcode: OPS_CODE_EXAMPLE } },
} as const;

const show = opsRoute({
	id: "showCode",
	tag: "Codes",
	role: "read",
	method: "get",
	path: "/pcodes/{p_code}",
	request: { params: z.object({ p_code: z.string().max(64, "identifier") }) },
	success,
	reasons: [],
});

/** Wide by type: the object's answer may be any rejection. */
const REASONS: readonly RejectionReason[] = ["code_already_used", "cancelled", "holder_erased"];

export const codeChange = z
	.strictObject(
		{
			reason: printable(128, "text").openapi({ example: "Reported by the holder" }),
			revocation_reason: revocationReason.optional().openapi({
				description: mark(OPS_FIELDS.revocationReason),
				default: DEFAULT_REVOCATION_REASON,
			}),
		},
		"object",
	)
	.openapi("OpsReason");

const operate = opsRoute({
	id: "operateCode",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/pcodes/{p_code}/{verb}",
	request: {
		params: z.object({
			p_code: z.string().max(64, "identifier"),
			verb: z.enum(["cancel", "block", "unblock"], "verb"),
		}),
		...jsonBody(codeChange),
	},
	success,
	reasons: REASONS,
});

const replace = opsRoute({
	id: "replaceCode",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/pcodes/{p_code}/replace",
	request: {
		params: z.object({ p_code: z.string().max(64, "identifier") }),
		...jsonBody(
			z
				.strictObject(
					{ reason: printable(128, "text").openapi({ example: "The validation lapsed" }) },
					"object",
				)
				.openapi("ReplacementReason"),
		),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				p_code: z.string(),
				replaces: z.string(),
				partner_id: z.string(),
				product: z.enum(PRODUCT_CODES),
			}),
		),
		example: {
			success: true,
			data: {
				p_code: "7K3M-9QXT-2B4C-H8WD",
				replaces: "9B2C-4D6F-8H1J-K3MN",
				partner_id: "pt_0f2c6f0c9b1d4a7e",
				product: "FV01",
			},
		},
	},
	reasons: [] as readonly RejectionReason[],
});

export const opsPurchaseCodes = createApi()
	.openapi(show, async (c) => {
		const facts = await findCode(c.get("platform"), c.req.valid("param").p_code);
		if (!facts) return errorAnswer(c, "not_found");
		const now = nowFor(opsCaller(c), facts);
		return c.json(answerWith(facts, now), 200);
	})
	// Must precede `operate`, whose path matches this one too.
	.openapi(replace, async (c) => {
		const replaced = await findCode(c.get("platform"), c.req.valid("param").p_code);
		if (!replaced) return errorAnswer(c, "not_found");
		const answer = await replaceCode(
			onBehalfOf(opsCaller(c), await homeOf(c.get("platform"), replaced.partnerId)),
			replaced.code,
			c.req.valid("json").reason,
		);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		const { partnerId: partner_id, code, product } = replaced;
		const data = { p_code: answer.replacement, replaces: code, partner_id, product };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(operate, async (c) => {
		const { p_code, verb } = c.req.valid("param");
		const facts = await findCode(c.get("platform"), p_code);
		if (!facts) return errorAnswer(c, "not_found");
		const { reason, revocation_reason: revocationReason } = c.req.valid("json");
		const home = await homeOf(c.get("platform"), facts.partnerId);
		const caller = onBehalfOf(opsCaller(c), home, facts);
		const answer = await changeCode(caller, facts.code, { verb, reason, revocationReason });
		return answer.kind === "rejected"
			? rejectionAnswer(c, answer.rejection)
			: c.json(answerWith(answer.facts, caller.now), 200);
	});

function answerWith(facts: CodeFacts, now: number) {
	return { success: true as const, data: { pcode: presentOpsCode(facts, now) } };
}
