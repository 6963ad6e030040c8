import { z } from "@hono/zod-openapi";
import { isBound } from "../../directory.ts";
import { readInstant } from "../../domain/dates.ts";
import { createApi, invalidField } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { type LoggedDigest, listDigests, supersededIn } from "../../jobs/audit/digest-log.ts";
import { recordRestore } from "../../jobs/audit/take-digests.ts";
import { opsCaller, originOf } from "../../services/caller.ts";
import type { Hint } from "../../texts/hints.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { databaseNumber } from "../../wire/database.ts";
import { opsRoute } from "./ops-route.ts";

const digest = z
	.strictObject({
		sequence: z.int(),
		from: dateTime,
		until: dateTime,
		rows: z.int(),
		digest: z.string(),
		taken_at: dateTime,
		restored_to: dateTime.nullable().openapi({ description: mark(OPS_FIELDS.restoredTo) }),
		superseded: z.boolean().openapi({ description: mark(OPS_FIELDS.superseded) }),
	})
	.openapi("AuditDigest");

const EXAMPLE: z.input<typeof digest> = {
	sequence: 12,
	from: "2026-11-21T00:00:00.000Z",
	until: "2026-11-22T00:00:00.000Z",
	rows: 812,
	digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	taken_at: "2026-11-22T01:17:00.000Z",
	restored_to: null,
	superseded: false,
};

const list = opsRoute({
	id: "listDigests",
	tag: "Audit",
	role: "read",
	method: "get",
	path: "/digests",
	request: {},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ digests: z.array(digest) })),
		example: { success: true, data: { digests: [EXAMPLE] } },
	},
	reasons: [],
});

const restored = opsRoute({
	id: "recordRestore",
	tag: "Audit",
	role: "operate",
	method: "post",
	path: "/restores",
	request: jsonBody(
		z
			.strictObject(
				{
					restored_to: z
						.string("timestamp")
						.transform((text, context) => {
							const read = /[Tt ]/.test(text) ? readInstant(text) : null;
							if (read) return read.first;
							context.addIssue({ code: "custom", message: "timestamp" satisfies Hint });
							return z.NEVER;
						})
						.openapi({ type: "string", format: "date-time", example: "2026-11-21T03:00:00.000Z" }),
					reason: printable(128, "text").openapi({ example: "A migration that failed" }),
					database: databaseNumber("databaseOf").default(1),
				},
				"object",
			)
			.openapi("Restore"),
	),
	success: {
		status: 201,
		schema: successBody(z.strictObject({ digest })),
		example: {
			success: true,
			data: { digest: { ...EXAMPLE, sequence: 13, restored_to: "2026-11-21T03:00:00.000Z" } },
		},
	},
	reasons: [],
});

export const opsDigests = createApi()
	.openapi(list, async (c) => {
		const digests = await listDigests(c.get("platform").auditLog);
		const superseded = supersededIn(digests);
		const data = { digests: digests.map((one) => present(one, superseded.has(one.sequence))) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(restored, async (c) => {
		const { restored_to: restoredTo, reason, database } = c.req.valid("json");
		const origin = originOf(opsCaller(c));
		if (restoredTo > origin.now) return invalidField(c, "restored_to", "timestamp");
		const platform = c.get("platform");
		if (!isBound(platform, database)) return invalidField(c, "database", "database");
		const digest = await recordRestore(platform, { database, restoredTo, reason }, origin);
		return c.json({ success: true as const, data: { digest: present(digest, false) } }, 201);
	});

function present(one: LoggedDigest, superseded: boolean) {
	return {
		sequence: one.sequence,
		from: timestamp(one.from),
		until: timestamp(one.until),
		rows: one.rows,
		digest: one.digest,
		taken_at: timestamp(one.takenAt),
		restored_to: timestamp(one.restoredTo),
		superseded,
	};
}
