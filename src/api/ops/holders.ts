import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { rut } from "../../http/holder-fields.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { nowFor, opsCaller } from "../../services/caller.ts";
import { findHolder, foundCodes } from "../../services/find-holder.ts";
import { type Erasure, eraseHolderData, showHolderData } from "../../services/holder-data.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { silentDatabases } from "../../wire/database.ts";
import { HELD_CODE_EXAMPLE, heldCodeSchema, presentHeldCode } from "../../wire/held-code.ts";
import { HOLDER_DATA_EXAMPLE, holderDataSchema } from "../../wire/holder-data.ts";
import { opsRoute } from "./ops-route.ts";

const PAGE_MAX = 100;

const who = { dni: rut, reason: printable(128, "text").openapi({ example: "Ticket 4711: lost the file" }) };

export const holderSearch = z
	.strictObject(
		{
			...who,
			page: z
				.int("page")
				.min(1, "page")
				.max(PAGE_MAX, "page")
				.optional()
				.openapi({ description: mark(OPS_FIELDS.codesPage), example: 1 }),
		},
		"object",
	)
	.openapi("HolderSearch");

const holderErasure = z.strictObject(who, "object").openapi("HolderErasure");

const more = z.boolean().openapi({ description: mark(OPS_FIELDS.moreCodes) });

const search = opsRoute({
	id: "searchHolder",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/holders/search",
	request: jsonBody(holderSearch),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				codes: z.array(heldCodeSchema),
				more,
				silent: silentDatabases,
			}),
		),
		example: {
			success: true,
			data: {
				codes: [HELD_CODE_EXAMPLE],
				more: false,
				silent: [],
			},
		},
	},
	reasons: [],
});

const data = opsRoute({
	id: "showHolderData",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/holders/data",
	request: jsonBody(holderSearch),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({ ...holderDataSchema.shape, silent: silentDatabases }).openapi("FoundHolderData"),
		),
		example: { success: true, data: { ...HOLDER_DATA_EXAMPLE, silent: [] } },
	},
	reasons: [],
});

const ERASURES = ["erased", "kept", "busy"] as const satisfies readonly Erasure[];

const erase = opsRoute({
	id: "eraseHolderData",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/holders/erase",
	request: jsonBody(holderErasure),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				codes: z.array(
					z.strictObject({
						p_code: z.string(),
						partner_id: z.string(),
						outcome: z.enum(ERASURES).openapi({ description: mark(OPS_FIELDS.erasure) }),
					}),
				),
				more,
				silent: silentDatabases,
			}),
		),
		example: {
			success: true,
			data: {
				codes: [
					{ p_code: HELD_CODE_EXAMPLE.p_code, partner_id: HELD_CODE_EXAMPLE.partner_id, outcome: "erased" },
				],
				more: false,
				silent: [],
			},
		},
	},
	reasons: [],
});

export const opsHolders = createApi()
	.openapi(search, async (c) => {
		const { dni: rut, ...asked } = c.req.valid("json");
		const caller = opsCaller(c);
		const { codes, more, silent } = await findHolder(caller, { rut, ...asked });
		const shown = codes.map((code) => presentHeldCode(code, nowFor(caller, code)));
		const data = { codes: shown, more, silent };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(data, async (c) => {
		const { dni: rut, ...asked } = c.req.valid("json");
		const found = await findHolder(opsCaller(c), { rut, ...asked }, "holder_shown");
		const shown = await showHolderData(c.get("platform"), foundCodes(found), "ops");
		const data = { ...shown, silent: found.silent };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(erase, async (c) => {
		const { dni: rut, reason } = c.req.valid("json");
		const caller = opsCaller(c);
		const { silent, ...holder } = await findHolder(caller, { rut, reason }, "holder_erasure_asked");
		const found = foundCodes(holder);
		const outcomes = await eraseHolderData(caller, found.codes);
		const codes = found.codes.map(([partner_id, p_code], i) => ({
			p_code,
			partner_id,
			outcome: outcomes[i]!,
		}));
		return c.json({ success: true as const, data: { codes, more: found.more, silent } }, 200);
	});
