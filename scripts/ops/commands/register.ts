import type { OpsCommand } from "../command.ts";

export const REGISTER_COMMANDS: readonly OpsCommand[] = [
	{
		name: "audit show",
		summary: "the audit of one code:…, partner:…, batch:…, evidence:…, delivery:… or upkeep:…",
		takes: ["entity"],
		options: { "from-version": { help: "first version to show" } },
		example: "npm run ops -- audit show code:7K3M-9QXT-2B4C-H8WD",
		call: ({ entity, "from-version": from }) => ({
			method: "GET",
			path: `/audit/${entity}${from === undefined ? "" : `?from_version=${from}`}`,
		}),
		shows: "events",
		columns: ["version", "at", "actor", "action", "outcome", "request_id"],
		isAmiss: has("faults"),
	},
	{
		name: "audit verify",
		summary: "walk the whole audit: altered, removed and reordered rows",
		takes: [],
		options: {},
		example: "npm run ops -- audit verify",
		call: () => ({ method: "POST", path: "/audit/verify", body: {} }),
		pages: true,
		shows: "faults",
		columns: ["entity", "version", "fault"],
		isAmiss: has("faults"),
	},
	{
		name: "reconcile",
		summary: "compare the register with itself; with --repair 1, mend what needs no guessing",
		takes: [],
		options: { repair: { help: "1 mends" } },
		example: "npm run ops -- reconcile --repair 1",
		call: ({ repair }) => ({ method: "POST", path: "/reconcile", body: { repair: repair === "1" } }),
		pages: true,
		shows: "findings",
		columns: ["kind", "partner_id", "subject", "repaired"],
		isAmiss: (data) => (data.findings as { repaired: boolean }[]).some(({ repaired }) => !repaired),
	},
	{
		name: "upkeep list",
		summary: "the scheduled jobs, when they ran and what they found",
		takes: [],
		options: {},
		example: "npm run ops -- upkeep list",
		call: () => ({ method: "GET", path: "/upkeep" }),
		shows: "jobs",
		columns: ["job", "ran_at", "done", "report"],
	},
	{
		name: "upkeep run",
		summary: "one bounded piece of a job now",
		takes: ["job"],
		options: {},
		example: "npm run ops -- upkeep run reseal-rows",
		call: ({ job }) => ({ method: "POST", path: `/upkeep/${job}`, body: {} }),
		shows: "",
	},
];

function has(list: string) {
	return (data: Record<string, unknown>) => (data[list] as unknown[]).length > 0;
}
