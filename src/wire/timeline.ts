import { z } from "@hono/zod-openapi";
import type { TimelineEntry } from "../db/own-codes.ts";
import { SHOWN_ACTORS, showActor } from "../domain/actor.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { DESK_FIELDS } from "../texts/desk-codes.ts";
import { mark } from "../texts/language.ts";

/** Event of a code's history, as its partner sees it. */
export const entrySchema = z
	.strictObject({
		at: dateTime,
		actor: z.enum(SHOWN_ACTORS).openapi({ description: mark(DESK_FIELDS.actor) }),
		key_id: z.string().nullable(),
		action: z.string(),
		outcome: z.string().nullable(),
	})
	.openapi("TimelineEntry");

export const TIMELINE_EXAMPLE: z.input<typeof entrySchema>[] = [
	{ at: "2026-11-20T15:00:00.000Z", action: "created", outcome: null },
	{ at: "2026-11-21T11:58:00.000Z", action: "validated", outcome: "ok" },
	{ at: "2026-11-21T12:00:00.000Z", action: "emitted", outcome: "ok" },
].map((entry) => ({ ...entry, actor: "partner", key_id: "key_1c9e6b2a4d5f4c7b" }));

export function presentEntry({
	at,
	actor: recorded,
	action,
	outcome,
}: TimelineEntry): z.input<typeof entrySchema> {
	const { actor, keyId } = showActor(recorded);
	return { at: timestamp(at), actor, key_id: keyId, action, outcome };
}
