import { z } from "@hono/zod-openapi";
import { COMPARED_TABLES, pageSettings } from "../../db/restored-settings.ts";
import { readNext } from "../../directory.ts";
import { createApi } from "../../http/api.ts";
import { cursorField, databaseCursor, writeCursor } from "../../http/cursor.ts";
import { printable } from "../../http/fields.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { type MendCursor, mendPage } from "../../jobs/mend-restored.ts";
import { opsCaller } from "../../services/caller.ts";
import { endMendingUnderWay } from "../../services/end-mending.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const mendCursor: z.ZodType<MendCursor> = z.strictObject({
	database: z.int(),
	after: z.string(),
	ends: z.string().nullable(),
});

const mending = z.boolean().openapi({ description: mark(OPS_FIELDS.mending) });

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
					cursor: cursorField(mendCursor).nullish(),
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
				mending,
				next: z.string().nullable(),
			}),
		),
		example: {
			success: true,
			data: { looked_at: 200, mended: ["7K3M-9QXT-2B4C-H8WD"], failed: [], mending: false, next: null },
		},
	},
	reasons: [],
});

const settings = opsRoute({
	id: "readSettings",
	tag: "Jobs",
	role: "read",
	method: "post",
	path: "/restores/settings",
	request: jsonBody(
		z
			.strictObject({ cursor: cursorField(databaseCursor(z.string())).nullish() }, "object")
			.openapi("SettingsWalk"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				rows: z.array(
					z
						.strictObject({
							table: z.enum(COMPARED_TABLES),
							id: z.string(),
							partner_id: z.string(),
							fields: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
						})
						.openapi("SettingsRow"),
				),
				next: z.string().nullable(),
			}),
		),
		example: {
			success: true,
			data: {
				rows: [
					{
						table: "api_keys",
						id: "key_1c9e6b2a4d5f4c7b",
						partner_id: "pt_0f2c6f0c9b1d4a7e",
						fields: { label: "kiosk 7", revoked_at: null },
					},
				],
				next: null,
			},
		},
	},
	reasons: [],
});

/** Partners of one page. */
const PARTNERS_SHOWN = 50;

const end = opsRoute({
	id: "endMending",
	tag: "Jobs",
	role: "operate",
	method: "post",
	path: "/restores/mend/end",
	request: jsonBody(
		z
			.strictObject(
				{ reason: printable(128, "text").openapi({ example: "The objects of three codes are lost" }) },
				"object",
			)
			.openapi("MendingEnd"),
	),
	success: {
		status: 200,
		schema: successBody(z.strictObject({ mending })),
		example: { success: true, data: { mending: false } },
	},
	reasons: [],
});

export const opsRestores = createApi()
	.openapi(mend, async (c) => {
		const { restored_to, cursor = null } = c.req.valid("json");
		const page = await mendPage(opsCaller(c), { restoredTo: Date.parse(restored_to), cursor });
		const { looked, mended, failed, mending, next } = page;
		const data = { looked_at: looked, mended, failed, mending, next: writeCursor(next) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(settings, async (c) => {
		const platform = c.get("platform");
		const { cursor } = c.req.valid("json");
		const bounds = { size: PARTNERS_SHOWN, now: platform.clock() };
		const { rows, next } = await readNext(
			platform,
			cursor ?? null,
			({ db }, at: string | null) => pageSettings(db, { ...bounds, after: at ?? "" }),
			({ rows }) => rows.length === 0,
		);
		const shown = rows.map(({ partnerId, ...row }) => ({ ...row, partner_id: partnerId }));
		return c.json({ success: true as const, data: { rows: shown, next: writeCursor(next) } }, 200);
	})
	.openapi(end, async (c) => {
		const goesOn = await endMendingUnderWay(opsCaller(c), c.req.valid("json").reason);
		return c.json({ success: true as const, data: { mending: goesOn } }, 200);
	});
