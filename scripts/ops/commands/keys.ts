import type { OpsCommand } from "../command.ts";

export const KEY_COMMANDS: readonly OpsCommand[] = [
	{
		name: "keys list",
		summary: "a partner's API keys in force",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- keys list pt_4f…",
		call: (ops, { partner }) => ops.GET("/ops/v1/partners/{id}", { params: { path: { id: partner } } }),
		shows: "keys",
		columns: ["id", "label", "scopes", "expires_at", "created_at", "last_used_at", "revoked_at"],
	},
	{
		name: "keys ended",
		summary: "a partner's API keys that have ended, the latest 500",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- keys ended pt_4f…",
		call: (ops, { partner }) =>
			ops.GET("/ops/v1/partners/{id}/ended_keys", {
				params: { path: { id: partner }, query: { limit: 500 } },
			}),
		shows: "keys",
		columns: ["id", "label", "scopes", "expires_at", "created_at", "last_used_at", "revoked_at"],
	},
	{
		name: "keys create",
		summary: "another API key, shown this once",
		takes: ["partner"],
		options: {
			label: { help: "what the key is for", required: true },
			scopes: { help: "codes,redeem,read,manage; all but manage when left out" },
			"expires-at": { help: "when it ends by itself, for example 2027-01-31T09:30:00Z" },
			cidrs: { help: "address ranges that it is good for, separated by commas" },
		},
		example: 'npm run ops -- keys create pt_4f… --label "second data centre" --cidrs 203.0.113.0/24',
		call: (ops, { partner, label, scopes, cidrs, "expires-at": expires_at }) =>
			ops.POST("/ops/v1/partners/{id}/keys", {
				params: { path: { id: partner } },
				body: { label, scopes: scopes?.split(","), expires_at, allowed_cidrs: cidrs?.split(",") },
			}),
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
		call: (ops, { partner, key, label, "overlap-hours": hours = "24" }) =>
			ops.POST("/ops/v1/partners/{id}/keys/{keyId}/rotate", {
				params: { path: { id: partner, keyId: key } },
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
		call: (ops, { partner, key }) =>
			ops.DELETE("/ops/v1/partners/{id}/keys/{keyId}", { params: { path: { id: partner, keyId: key } } }),
		confirm: ({ key }) => `${key} will be refused for good`,
		shows: "key",
	},
	{
		name: "webhooks rotate-secret",
		summary: "a new webhook secret, shown this once; both sign during the overlap",
		takes: ["partner"],
		options: { "overlap-hours": { help: "how long the old secret signs too; 0 after a leak" } },
		example: "npm run ops -- webhooks rotate-secret pt_4f…",
		call: (ops, { partner, "overlap-hours": hours }) =>
			ops.POST("/ops/v1/partners/{id}/webhook-secret", {
				params: { path: { id: partner } },
				body: { ...(hours !== undefined && { overlap_hours: Number(hours) }) },
			}),
		shows: "",
	},
];
