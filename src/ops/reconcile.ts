import { createRoute, z } from "@hono/zod-openapi";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { type ReconcileCursor, reconcilePage } from "../jobs/reconcile.ts";
import { authorizeOps, OPS_ACTOR } from "./authorize-ops.ts";
import { cursorField, writeCursor } from "./cursor.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";

const reconcileCursor: z.ZodType<ReconcileCursor> = z.strictObject({
	walk: z.enum(["codes", "serials", "batches", "counters"]),
	after: z.array(z.string()).max(2),
});

const route = createRoute({
	method: "post",
	path: "/reconcile",
	tags: ["Ops"],
	summary:
		"Compare the register with itself, a page a call; with repair, mend what can be mended without guessing",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: jsonBody(
		z
			.strictObject(
				{ repair: z.boolean("boolean").default(false), cursor: cursorField(reconcileCursor).nullish() },
				"object",
			)
			.openapi("Reconciliation"),
	),
	responses: opsResponses(
		200,
		"What this page held; `next` is null when everything was compared.",
		JSON_ERRORS,
	),
});

export const opsReconcile = createApi().openapi(route, async (c) => {
	const { repair, cursor } = c.req.valid("json");
	const platform = c.get("platform");
	const context = { platform, now: platform.clock(), actor: OPS_ACTOR, requestId: c.get("requestId") };
	const { looked, findings, next } = await reconcilePage(context, cursor ?? null, repair);
	const counts: Record<string, number> = {};
	for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
	const data = {
		looked_at: looked,
		counts,
		findings: findings.map(({ kind, partnerId, subject, repaired }) => ({
			kind,
			partner_id: partnerId,
			subject,
			repaired,
		})),
		next: writeCursor(next),
	};
	return c.json({ success: true, data }, 200);
});
