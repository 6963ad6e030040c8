import { createRoute, z } from "@hono/zod-openapi";
import type { AuditFault, AuditRow } from "../db/audit-chain.ts";
import { type AuditCursor, readChain, verifyAuditPage } from "../db/audit-chain.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { cursorField, writeCursor } from "./cursor.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { timestamp } from "./wire.ts";

/** Rows of one answer: well within D1's and a Worker's limits. */
const SHOWN = 200;
const VERIFIED = 1_000;

const show = createRoute({
	method: "get",
	path: "/audit/{entity}",
	tags: ["Ops"],
	summary:
		"Show and verify the audit of one code, partner, batch, delivery or job, or of the looks at a code's evidence; it holds no personal data",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: {
		params: z.object({
			entity: z.string().max(128).openapi({ example: "code:7K3M-9QXT-2B4C-H8WD" }),
		}),
		query: z.strictObject({
			from_version: z
				.string("page")
				.regex(/^[1-9][0-9]{0,8}$/, "page")
				.transform(Number)
				.optional()
				.openapi({ type: "integer", description: "First version to show, 1 if not given." }),
		}),
	},
	responses: opsResponses(200, "Its rows, oldest first, and whatever is wrong with them."),
});

const position = z.strictObject({ entity: z.string(), version: z.int(), hash: z.string() });
const auditCursor: z.ZodType<AuditCursor> = z.union([
	z.strictObject({ walk: z.literal("rows"), after: position }),
	z.strictObject({ walk: z.enum(["partners", "batches", "codes"]), after: z.string() }),
]);

const verify = createRoute({
	method: "post",
	path: "/audit/verify",
	tags: ["Ops"],
	summary: "Verify the whole audit, a page a call: finds altered, removed and reordered rows",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: jsonBody(
		z.strictObject({ cursor: cursorField(auditCursor).nullish() }, "object").openapi("AuditWalk"),
	),
	responses: opsResponses(
		200,
		"What this page held; `next` is null when everything was looked at.",
		JSON_ERRORS,
	),
});

export const opsAudit = createApi()
	.openapi(show, async (c) => {
		const { entity } = c.req.valid("param");
		const { from_version = 1 } = c.req.valid("query");
		const { rows, faults, more } = await readChain(c.get("platform").db, entity, from_version, SHOWN);
		if (rows.length === 0) return rejectionAnswer(c, { reason: "not_found" });
		const next = more ? from_version + SHOWN : null;
		const data = {
			entity,
			events: rows.map(presentRow),
			faults: faults.map(presentFault),
			next_version: next,
		};
		return c.json({ success: true, data }, 200);
	})
	.openapi(verify, async (c) => {
		const { cursor } = c.req.valid("json");
		const page = await verifyAuditPage(c.get("platform").db, cursor ?? null, VERIFIED);
		const data = {
			checked: page.checked,
			faults: page.faults.map(presentFault),
			next: writeCursor(page.next),
		};
		return c.json({ success: true, data }, 200);
	});

function presentRow(row: AuditRow) {
	return {
		version: row.version,
		partner_id: row.partnerId,
		at: timestamp(row.at),
		actor: row.actor,
		action: row.action,
		outcome: row.outcome,
		request_id: row.requestId,
		hash: row.hash,
	};
}

function presentFault({ entity, version, kind }: AuditFault) {
	return { entity, version, fault: kind };
}
