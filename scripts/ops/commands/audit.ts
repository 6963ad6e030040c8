import type { OpsCommand } from "../command.ts";
import { DATABASE, numbered } from "./databases.ts";

export const AUDIT_COMMANDS: readonly OpsCommand[] = [
	{
		name: "audit show",
		summary: "the audit of one code:…, partner:…, batch:…, evidence:…, delivery:… or upkeep:…",
		takes: ["entity"],
		options: { "from-version": { help: "first version to show" } },
		example: "npm run ops -- audit show code:7K3M-9QXT-2B4C-H8WD",
		call: (ops, { entity, "from-version": from_version }) =>
			ops.GET("/ops/v1/audit/{entity}", { params: { path: { entity }, query: { from_version } } }),
		shows: "events",
		columns: ["version", "at", "actor", "action", "outcome", "request_id"],
		hasFault: has("faults"),
	},
	{
		name: "audit verify",
		summary: "walk the whole audit: altered, removed, reordered and forged rows",
		takes: [],
		options: {},
		example: "npm run ops -- audit verify",
		call: (ops, _, cursor) => ops.POST("/ops/v1/audit/verify", { body: { ...cursor } }),
		pages: true,
		shows: "faults",
		columns: ["entity", "version", "fault"],
		hasFault: has("faults"),
	},
	{
		name: "audit digests",
		summary: "the digests of each day's rows, and the restores of the database",
		takes: [],
		options: {},
		example: "npm run ops -- audit digests",
		call: (ops) => ops.GET("/ops/v1/digests"),
		shows: "digests",
		columns: ["sequence", "from", "until", "rows", "taken_at", "restored_to", "superseded"],
	},
	{
		name: "audit restored",
		summary: "record that the database was put back to an earlier time",
		takes: ["time"],
		options: { reason: { help: "why; audited", required: true }, database: DATABASE },
		example: 'npm run ops -- audit restored 2026-11-21T03:00:00Z --reason "failed migration"',
		call: (ops, { time, reason, database }) =>
			ops.POST("/ops/v1/restores", { body: { restored_to: time, reason, ...numbered(database) } }),
		confirm: ({ time }) => `The digests of the audit since ${time} will no longer be held against its rows`,
		shows: "digest",
	},
	{
		name: "reconcile",
		summary: "compare the database with itself; --repair 1 repairs what is unambiguous",
		takes: [],
		options: { repair: { help: "1 repairs" } },
		example: "npm run ops -- reconcile --repair 1",
		call: (ops, { repair }, cursor) =>
			ops.POST("/ops/v1/reconcile", { body: { repair: repair === "1", ...cursor } }),
		pages: true,
		shows: "findings",
		columns: ["kind", "partner_id", "subject", "repaired"],
		hasFault: (data) => (data.findings as { repaired: boolean }[]).some(({ repaired }) => !repaired),
	},
];

function has(list: string) {
	return (data: Record<string, unknown>) => (data[list] as unknown[]).length > 0;
}
