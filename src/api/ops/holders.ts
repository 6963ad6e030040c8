import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { rut } from "../../http/holder-fields.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { findHolder } from "../../services/find-holder.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { HELD_CODE_EXAMPLE, heldCodeSchema, presentHeldCode } from "../../wire/held-code.ts";
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

export const opsHolders = createApi().openapi(search, async (c) => {
	const { dni, reason } = c.req.valid("json");
	const caller = opsCaller(c);
	const { codes, more } = await findHolder(caller, { rut: dni, reason });
	const shown = codes.map((code) => presentHeldCode(code, onBehalfOf(caller, code.partnerId, code).now));
	const data = { codes: shown, more };
	return c.json({ success: true as const, data }, 200);
});
