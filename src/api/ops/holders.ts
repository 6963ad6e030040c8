import { z } from "@hono/zod-openapi";
import { partnerNow } from "../../domain/partner-clock.ts";
import { createApi } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { rut } from "../../http/holder-fields.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { opsCaller } from "../../services/caller.ts";
import { findHolder } from "../../services/find-holder.ts";
import { mark } from "../../texts/language.ts";
import { OPS_REFERENCE } from "../../texts/ops-reference.ts";
import { HELD_CODE_EXAMPLE, heldCodeSchema, presentHeldCode } from "../../wire/purchase-code.ts";
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
				more: z.boolean().openapi({ description: mark(OPS_REFERENCE.moreCodes) }),
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
	const { codes, more } = await findHolder(opsCaller(c), { rut: dni, reason });
	const platform = c.get("platform");
	const data = { codes: codes.map((code) => presentHeldCode(code, partnerNow(platform, code))), more };
	return c.json({ success: true as const, data }, 200);
});
