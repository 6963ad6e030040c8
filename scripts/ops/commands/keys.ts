import type { OpsCommand } from "../command.ts";

export const KEY_COMMANDS: readonly OpsCommand[] = [
	{
		name: "keys list",
		summary: "a partner's API keys",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- keys list pt_4f…",
		call: ({ partner }) => ({ method: "GET", path: `/partners/${partner}` }),
		shows: "keys",
		columns: ["id", "label", "created_at", "last_used_at", "revoked_at"],
	},
	{
		name: "keys create",
		summary: "another API key, shown this once",
		takes: ["partner"],
		options: { label: { help: "what the key is for", required: true } },
		example: 'npm run ops -- keys create pt_4f… --label "second data centre"',
		call: ({ partner, label }) => ({ method: "POST", path: `/partners/${partner}/keys`, body: { label } }),
		shows: "",
	},
	{
		name: "keys rotate",
		summary: "a new API key, shown this once; the old one ends after the overlap",
		takes: ["partner", "key"],
		options: {
			label: { help: "what the key is for", required: true },
			"overlap-hours": { help: "how long both keys are good, 0 to 168; 24 when left out" },
		},
		example: "npm run ops -- keys rotate pt_4f… key_9c… --label 2027 --overlap-hours 48",
		call: ({ partner, key, label, "overlap-hours": hours = "24" }) => ({
			method: "POST",
			path: `/partners/${partner}/keys/${key}/rotate`,
			body: { label, overlap_hours: Number(hours) },
		}),
		shows: "",
	},
	{
		name: "keys revoke",
		summary: "end an API key for good, within 60 s everywhere",
		takes: ["partner", "key"],
		options: {},
		example: "npm run ops -- keys revoke pt_4f… key_9c…",
		call: ({ partner, key }) => ({ method: "DELETE", path: `/partners/${partner}/keys/${key}` }),
		confirm: ({ key }) => `${key} will be refused for good`,
		shows: "key",
	},
	{
		name: "webhooks rotate-secret",
		summary: "a new webhook secret, shown this once; both sign during the overlap",
		takes: ["partner"],
		options: { "overlap-hours": { help: "how long the old secret signs too; 0 after a leak" } },
		example: "npm run ops -- webhooks rotate-secret pt_4f…",
		call: ({ partner, "overlap-hours": hours }) => ({
			method: "POST",
			path: `/partners/${partner}/webhook-secret`,
			body: { ...(hours !== undefined && { overlap_hours: Number(hours) }) },
		}),
		shows: "",
	},
];
