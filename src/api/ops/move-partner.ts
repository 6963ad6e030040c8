import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { opsCaller } from "../../services/caller.ts";
import { type MoveWish, movePartner } from "../../services/move-partner.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import { opsRoute } from "./ops-route.ts";

const STATES = ["open", "moving", "switched", "moved", "returning", "clearing"] as const;

const wishSchema = z.strictObject(
	{
		to: z.int("move").min(1, "move").max(32, "move").optional(),
		back: z.boolean("boolean").optional(),
		clear: z.boolean("boolean").optional(),
		cursor: z.literal("on", "identifier").nullish(),
	},
	"object",
);

const move = opsRoute({
	id: "movePartner",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/move",
	request: {
		params: z.object({ id: z.string().max(64, "identifier") }),
		...jsonBody(wishSchema.openapi("PartnerMove")),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				database: z.string(),
				other: z.string().nullable(),
				state: z.enum(STATES),
				doing: z.string(),
				rows: z.int(),
				next: z.string().nullable(),
			}),
		),
		example: {
			success: true,
			data: { database: "1", other: "2", state: "moving", doing: "copy", rows: 48_000, next: "on" },
		},
	},
	reasons: [],
});

export const opsMovePartner = createApi().openapi(move, async (c) => {
	const moved = await movePartner(opsCaller(c), c.req.valid("param").id, wishOf(c.req.valid("json")));
	if (moved.kind === "refused")
		return moved.reason === "not_found" ? errorAnswer(c, "not_found") : answerRefusal(c, moved.reason);
	const { database, other, state, rows, next: doing } = moved.move;
	const next = doing === "done" || doing === "restored" ? null : ("on" as const);
	// As text: the command line adds up the numbers of a command's pages.
	const where = { database: String(database), other: other === null ? null : String(other) };
	return c.json({ success: true as const, data: { ...where, state, doing, rows, next } }, 200);
});

/** Reads what is wanted: a call with a cursor carries on, as one without any field does. */
function wishOf({ to, back, clear, cursor }: z.infer<typeof wishSchema>): MoveWish {
	if (cursor) return "on";
	if (back) return "back";
	if (clear) return "clear";
	return to === undefined ? "on" : { to };
}
