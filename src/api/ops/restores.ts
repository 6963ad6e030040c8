import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { cursorField, writeCursor } from "../../http/cursor.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { mendPage } from "../../jobs/mend-restored.ts";
import { opsCaller } from "../../services/caller.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const mend = opsRoute({
	id: "mendRestored",
	tag: "Jobs",
	role: "operate",
	method: "post",
	path: "/restores/mend",
	request: jsonBody(
		z
			.strictObject(
				{
					restored_to: z.iso
						.datetime({ offset: true, error: "instant" })
						.openapi({ description: mark(OPS_FIELDS.mendTo), example: "2026-11-21T03:00:00Z" }),
					cursor: cursorField(z.string()).nullish(),
				},
				"object",
			)
			.openapi("RestoreMend"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				looked_at: z.int(),
				mended: z.array(z.string()),
				failed: z.array(z.string()),
				next: z.string().nullable(),
			}),
		),
		example: {
			success: true,
			data: { looked_at: 200, mended: ["7K3M-9QXT-2B4C-H8WD"], failed: [], next: null },
		},
	},
	reasons: [],
});

export const opsRestores = createApi().openapi(mend, async (c) => {
	const { restored_to, cursor } = c.req.valid("json");
	const context = opsCaller(c);
	const page = await mendPage(context, { restoredTo: Date.parse(restored_to), after: cursor ?? "" });
	const { looked, mended, failed, next } = page;
	const data = { looked_at: looked, mended, failed, next: writeCursor(next) };
	return c.json({ success: true as const, data }, 200);
});
