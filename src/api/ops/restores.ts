import { z } from "@hono/zod-openapi";
import { COMPARED_TABLES, pageSettings, type SettingsRow } from "../../db/restored-settings.ts";
import { createApi, invalidField } from "../../http/api.ts";
import { cursorField, databaseCursor, writeCursor } from "../../http/cursor.ts";
import { printable } from "../../http/fields.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { type MendCursor, mendPage } from "../../jobs/mend-restored.ts";
import { opsCaller } from "../../services/caller.ts";
import { endMendingUnderWay } from "../../services/end-mending.ts";
import { rebuildDirectory } from "../../services/rebuild-directory.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { readNext } from "../../walk-databases.ts";
import { databaseNumber, silentDatabases } from "../../wire/database.ts";
import { opsRoute } from "./ops-route.ts";

const mendCursor: z.ZodType<MendCursor> = z.strictObject({
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
					database: databaseNumber("databaseOf").default(1),
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
				silent: silentDatabases,
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
				silent: [],
				next: null,
			},
		},
	},
	reasons: [],
});

const directory = opsRoute({
	id: "rebuildDirectory",
	tag: "Jobs",
	role: "operate",
	method: "post",
	path: "/restores/directory",
	request: {},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				partners: z.int(),
				keys: z.int(),
				settled: z.array(
					z
						.strictObject({ partner_id: z.string(), database: z.int(), state: z.string() })
						.openapi("SettledPartner"),
				),
				lost: z.array(z.string()).openapi({ description: mark(OPS_FIELDS.lostPartners) }),
				mend: z
					.array(z.strictObject({ database: z.int(), restored_to: dateTime }).openapi("DueMend"))
					.openapi({ description: mark(OPS_FIELDS.dueMend) }),
			}),
		),
		example: {
			success: true,
			data: {
				partners: 41,
				keys: 3,
				settled: [{ partner_id: "pt_0f2c6f0c9b1d4a7e", database: 2, state: "moved" }],
				lost: [],
				mend: [{ database: 2, restored_to: "2026-11-21T03:00:00.000Z" }],
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
				{
					reason: printable(128, "text").openapi({ example: "The objects of three codes are lost" }),
					database: databaseNumber("databaseOf").default(1),
				},
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
		const { restored_to, database: number, cursor = null } = c.req.valid("json");
		const database = c.get("platform").databases.find((one) => one.number === number);
		if (!database) return invalidField(c, "database", "database");
		const page = await mendPage(opsCaller(c), { database, restoredTo: Date.parse(restored_to), cursor });
		const { looked, mended, failed, mending, next } = page;
		const data = { looked_at: looked, mended, failed, mending, next: writeCursor(next) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(settings, async (c) => {
		const platform = c.get("platform");
		const { cursor } = c.req.valid("json");
		const bounds = { size: PARTNERS_SHOWN, now: platform.clock() };
		const nothing: { rows: SettingsRow[] } = { rows: [] };
		const { rows, silent, next } = await readNext(
			platform,
			cursor ?? null,
			({ db }, at: string | null) => pageSettings(db, { ...bounds, after: at ?? "" }),
			nothing,
			({ rows }) => rows.length === 0,
		);
		const shown = rows.map(({ partnerId, ...row }) => ({ ...row, partner_id: partnerId }));
		return c.json({ success: true as const, data: { rows: shown, silent, next: writeCursor(next) } }, 200);
	})
	.openapi(directory, async (c) => {
		const { settled, mend, ...counts } = await rebuildDirectory(opsCaller(c));
		const shown = settled.map(({ partnerId, ...where }) => ({ partner_id: partnerId, ...where }));
		const due = mend.map(({ database, restoredTo }) => ({ database, restored_to: timestamp(restoredTo) }));
		return c.json({ success: true as const, data: { ...counts, settled: shown, mend: due } }, 200);
	})
	.openapi(end, async (c) => {
		const { reason: why, database } = c.req.valid("json");
		const goesOn = await endMendingUnderWay(opsCaller(c), { database, why });
		return c.json({ success: true as const, data: { mending: goesOn } }, 200);
	});
