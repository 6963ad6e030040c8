import { z } from "@hono/zod-openapi";
import type { AuditFault, AuditRow, ChainCursor } from "../../db/audit-chain.ts";
import { createApi } from "../../http/api.ts";
import { cursorField, databaseCursor, writeCursor } from "../../http/cursor.ts";
import { errorAnswer } from "../../http/errors.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { type AuditCursor, readAnyChain, verifyAuditPage } from "../../jobs/audit/verify.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { silentDatabases } from "../../wire/database.ts";
import { opsRoute } from "./ops-route.ts";

/** Rows of one answer: well within D1's and a Worker's limits. */
export const AUDIT_SHOWN = 200;
export const AUDIT_VERIFIED = 1_000;

const entity = z.string().max(128).openapi({ example: "code:7K3M-9QXT-2B4C-H8WD" });

const FAULTS = [
	"altered",
	"unkeyed",
	"forged",
	"missing",
	"unlinked",
	"truncated",
	"beyond",
	"foreign",
	"orphaned",
	"unrecorded",
	"contradicted",
] as const;

const event = z
	.strictObject({
		version: z.int(),
		partner_id: z.string(),
		at: dateTime,
		actor: z.string().openapi({ description: mark(OPS_FIELDS.actor) }),
		action: z.string(),
		outcome: z.string(),
		request_id: z.string(),
		hash: z.string(),
	})
	.openapi("AuditEvent");

const fault = z
	.strictObject({ entity: z.string(), version: z.int().nullable(), fault: z.enum(FAULTS) })
	.openapi("AuditFault");

const ENTITY = "code:7K3M-9QXT-2B4C-H8WD";
const HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const show = opsRoute({
	id: "showAudit",
	tag: "Audit",
	role: "read",
	method: "get",
	path: "/audit/{entity}",
	request: {
		params: z.object({ entity }),
		query: z.strictObject({
			from_version: z
				.string("page")
				.regex(/^[1-9][0-9]{0,8}$/, "page")
				.transform(Number)
				.optional()
				.openapi({ type: "integer", description: mark(OPS_FIELDS.fromVersion) }),
		}),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				entity: z.string(),
				events: z.array(event),
				faults: z.array(fault),
				next_version: z.int().nullable(),
			}),
		),
		example: {
			success: true,
			data: {
				entity: ENTITY,
				events: [
					{
						version: 1,
						partner_id: "pt_0f2c6f0c9b1d4a7e",
						at: "2026-11-21T12:00:00.000Z",
						actor: "partner:key_1c9e6b2a4d5f4c7b",
						action: "validated",
						outcome: "ok",
						request_id: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
						hash: HASH,
					},
				],
				faults: [],
				next_version: null,
			},
		},
	},
	reasons: [],
});

const position = z.strictObject({ entity: z.string(), version: z.int(), hash: z.string() });
const chainCursor: z.ZodType<ChainCursor> = z.union([
	z.strictObject({ walk: z.literal("rows"), after: position }),
	z.strictObject({ walk: z.enum(["partners", "batches", "codes"]), after: z.string() }),
]);
export const auditCursor: z.ZodType<AuditCursor> = z.union([
	databaseCursor(chainCursor),
	z.strictObject({ walk: z.literal("digests"), after: z.int() }),
]);

const verify = opsRoute({
	id: "verifyAudit",
	tag: "Audit",
	role: "read",
	method: "post",
	path: "/audit/verify",
	request: jsonBody(
		z.strictObject({ cursor: cursorField(auditCursor).nullish() }, "object").openapi("AuditWalk"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				checked: z.int(),
				faults: z.array(fault),
				silent: silentDatabases,
				next: z.string().nullable(),
			}),
		),
		example: { success: true, data: { checked: 812, faults: [], silent: [], next: null } },
	},
	reasons: [],
});

export const opsAudit = createApi()
	.openapi(show, async (c) => {
		const { entity } = c.req.valid("param");
		const { from_version = 1 } = c.req.valid("query");
		const { rows, faults, more } = await readAnyChain(c.get("platform"), {
			entity,
			fromVersion: from_version,
			limit: AUDIT_SHOWN,
		});
		if (rows.length === 0) return errorAnswer(c, "not_found");
		const next = more ? from_version + AUDIT_SHOWN : null;
		const data = {
			entity,
			events: rows.map(presentRow),
			faults: faults.map(presentFault),
			next_version: next,
		};
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(verify, async (c) => {
		const { cursor } = c.req.valid("json");
		const page = await verifyAuditPage(c.get("platform"), cursor ?? null, AUDIT_VERIFIED);
		const data = {
			checked: page.checked,
			faults: page.faults.map(presentFault),
			silent: page.silent,
			next: writeCursor(page.next),
		};
		return c.json({ success: true as const, data }, 200);
	});

function presentRow(row: AuditRow) {
	return {
		version: row.version,
		partner_id: row.partnerId,
		at: timestamp(row.at),
		actor: row.actor,
		action: row.action,
		outcome: row.outcome,
		request_id: row.requestId,
		hash: row.hash,
	};
}

function presentFault({ entity, version, kind }: AuditFault) {
	return { entity, version, fault: kind };
}
