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
import { HELD_CODE_EXAMPLE, heldCodeSchema, presentHeldCode } from "../../wire/held-code.ts";
import { HOLDER_DATA_EXAMPLE, holderDataSchema } from "../../wire/holder-data.ts";
import { opsRoute } from "./ops-route.ts";

export const holderSearch = z
	.strictObject(
		{ dni: rut, reason: printable(128, "text").openapi({ example: "Ticket 4711: lost the file" }) },
		"object",
	)
	.openapi("HolderSearch");

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
				more: z.boolean().openapi({ description: mark(OPS_FIELDS.moreCodes) }),
			}),
		),
		example: {
			success: true,
			data: {
				codes: [HELD_CODE_EXAMPLE],
				more: false,
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
		schema: successBody(holderDataSchema),
		example: { success: true, data: HOLDER_DATA_EXAMPLE },
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
	request: jsonBody(holderSearch),
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
			}),
		),
		example: {
			success: true,
			data: {
				codes: [
					{ p_code: HELD_CODE_EXAMPLE.p_code, partner_id: HELD_CODE_EXAMPLE.partner_id, outcome: "erased" },
				],
			},
		},
	},
	reasons: [],
});

export const opsHolders = createApi()
	.openapi(search, async (c) => {
		const { dni, reason } = c.req.valid("json");
		const caller = opsCaller(c);
		const { codes, more } = await findHolder(caller, { rut: dni, reason });
		const shown = codes.map((code) => presentHeldCode(code, nowFor(caller, code)));
		const data = { codes: shown, more };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(data, async (c) => {
		const { dni: rut, reason } = c.req.valid("json");
		const found = await findHolder(opsCaller(c), { rut, reason }, "holder_shown");
		const data = await showHolderData(c.get("platform"), foundCodes(found), "ops");
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(erase, async (c) => {
		const { dni: rut, reason } = c.req.valid("json");
		const caller = opsCaller(c);
		const found = foundCodes(await findHolder(caller, { rut, reason }, "holder_erasure_asked"));
		const outcomes = await eraseHolderData(caller, found);
		const codes = found.map(([partner_id, p_code], i) => ({ p_code, partner_id, outcome: outcomes[i]! }));
		return c.json({ success: true as const, data: { codes } }, 200);
	});
