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
		call: ({ state, partner, limit }) => {
			const query = new URLSearchParams();
			for (const [name, value] of Object.entries({ state, partner_id: partner, limit }))
				if (value !== undefined) query.set(name, value);
			return { method: "GET", path: `/deliveries?${query}` };
		},
		shows: "deliveries",
		columns: ["id", "p_code", "event", "channel", "state", "attempts", "last_outcome", "next_attempt_at"],
	},
	{
		name: "deliveries resend",
		summary: "a new round of attempts under the same webhook-id",
		takes: ["delivery"],
		options: {},
		example: "npm run ops -- deliveries resend 0b9c…",
		call: ({ delivery }) => ({ method: "POST", path: `/deliveries/${delivery}/resend` }),
		shows: "delivery",
	},
];
