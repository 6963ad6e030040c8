import type { OpsCommand } from "../command.ts";

export const DELIVERY_COMMANDS: readonly OpsCommand[] = [
	{
		name: "deliveries list",
		summary: "deliveries, newest first",
		takes: [],
		options: {
			state: { help: "pending, delivered or dead" },
			partner: { help: "of one partner" },
			limit: { help: "1 to 500, 50 when left out" },
		},
		example: "npm run ops -- deliveries list --state dead",
		call: (ops, { state, partner, limit }) =>
			ops.GET("/ops/v1/deliveries", { params: { query: { state, partner_id: partner, limit } } }),
		shows: "deliveries",
		columns: ["id", "p_code", "event", "channel", "state", "attempts", "last_outcome", "next_attempt_at"],
	},
	{
		name: "deliveries resend",
		summary: "a new round of attempts under the same webhook-id",
		takes: ["delivery"],
		options: {},
		example: "npm run ops -- deliveries resend 0b9c…",
		call: (ops, { delivery }) =>
			ops.POST("/ops/v1/deliveries/{id}/resend", { params: { path: { id: delivery } } }),
		shows: "delivery",
	},
];
