import { ENDPOINTS } from "../document/attempt-delivery.ts";
import type { Emphasis } from "./emphasis.ts";
import { CLAIM, REQUEST } from "./plain-commands.ts";

/* Sequences that are mostly about what partners do at their desks. */

/** The first partner gets a key of all scopes. */
const MANAGE_KEY = { do: "key", change: "add", partner: 0, key: 0, overlapHours: 0, rights: 0 } as const;
const DESK = { do: "desk", who: "owner", partner: 0, of: 0, variant: 0 } as const;

export const PROFILES_OF_DESKS = {
	// Codes, certificates and their use.
	desks: {
		begins: [
			MANAGE_KEY,
			REQUEST,
			CLAIM,
			// What has arrived is not sent again.
			{ ...DESK, at: "deliveries", variant: 1 },
			{ ...DESK, at: "deliveries" },
		],
		weights: { desk: 60, request: 8, claim: 8, bulk: 3, wait: 6, "change partner": 2 },
		atDesk: [
			"code",
			"code",
			"code",
			"certificates",
			"certificates",
			"certificates",
			"usage",
			"csv",
			"deliveries",
			"settings",
			"webhook",
		],
		defective: 0.5,
		keyed: 0,
		held: 0,
		codes: 4,
	},
	"desks' keys": {
		// Keys for one thing each, for other addresses, and for an hour; then the key of all scopes is to end.
		begins: [
			MANAGE_KEY,
			...[5, 6, 7, 4, 3].map((rights) => ({ ...MANAGE_KEY, rights })),
			{ ...DESK, at: "keys", of: 5, variant: 1 },
			{ ...DESK, at: "keys", of: 6, variant: 2 },
		],
		weights: { desk: 50, key: 4, "wait until": 6, bulk: 8, request: 6, freeze: 4 },
		atDesk: ["keys", "keys", "keys", "keys", "keys", "settings", "webhook", "code", "usage", "csv"],
		rights: true,
		held: 0,
		moments: ["key is gone"],
	},
	// Webhooks that are set, answer 410, are switched off and on, and what waits for them.
	webhooks: {
		begins: [
			MANAGE_KEY,
			{
				do: "change partner",
				partner: 0,
				change: { mode: "B2B", webhook_url: ENDPOINTS.gone, delivery_email: null },
			},
			REQUEST,
			// Sent again it waits: the 410 has switched the webhook off. The address set anew switches it on, and it goes out.
			{ ...DESK, at: "deliveries" },
			{ ...DESK, at: "webhook", of: 1 },
			{ ...DESK, at: "deliveries", variant: 1 },
			// It waits for an e-mail as well. Of two addresses one may go.
			{ ...DESK, at: "webhook", of: 4 },
			{ ...DESK, at: "settings" },
			{ ...DESK, at: "webhook", of: 4 },
			{ ...DESK, at: "settings", of: 1 },
		],
		weights: { desk: 50, request: 12, "change partner": 12, wait: 4, look: 4 },
		atDesk: ["webhook", "webhook", "deliveries", "deliveries", "deliveries", "settings", "settings"],
		looksAt: ["list deliveries", "resend", "show partner"],
		webhooks: true,
		defective: 0.3,
		keyed: 0,
		held: 0,
		codes: 4,
		extras: 1,
	},
} satisfies Record<string, Partial<Emphasis>>;
