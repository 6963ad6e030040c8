import { ENDPOINTS } from "../document/attempt-delivery.ts";
import type { Emphasis } from "./emphasis.ts";
import { CLAIM, MAKE_SESSION, REQUEST } from "./plain-commands.ts";

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
			"sandbox",
			"sandbox",
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
	// Time that a partner moves on, for what takes days.
	clocks: {
		begins: [MANAGE_KEY, REQUEST, { ...DESK, at: "settings" }, { ...DESK, at: "widget" }, MAKE_SESSION],
		weights: {
			desk: 40,
			request: 16,
			claim: 8,
			bulk: 5,
			again: 4,
			"make session": 4,
			session: 10,
			"wait until": 4,
			"end due sessions": 2,
			operate: 2,
			"change partner": 2,
			key: 2,
		},
		atDesk: [
			"clock",
			"clock",
			"clock",
			"clock",
			"clock",
			"code",
			"deliveries",
			"certificates",
			"usage",
			"settings",
			"csv",
			"widget",
			"widget",
			"sandbox",
			"sandbox",
			"sandbox",
		],
		defective: 2,
		keyed: 2,
		held: 0.5,
		codes: 4,
		extras: 1,
		moments: ["lock ends", "window ends", "session ends", "key is gone", "kept answer ends"],
		requestTimes: [1, 1, 1, 3],
	},
	// Events of codes, for a webhook that has subscribed to them.
	events: {
		begins: [
			MANAGE_KEY,
			{ do: "change partner", partner: 0, change: { mode: "B2C" } },
			{ ...DESK, at: "webhook", variant: 1 },
			REQUEST,
			CLAIM,
			// Day 12 of the codes' 14, and a week before the certificate's end.
			{ ...DESK, at: "clock", of: 1, variant: 4 },
			{ ...DESK, at: "clock", of: 1, variant: 4 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV01", quantity: 3, idempotency: null },
		],
		weights: {
			desk: 24,
			request: 12,
			claim: 12,
			bulk: 6,
			operate: 10,
			replace: 2,
			"revoke certificate": 8,
			"wait until": 2,
		},
		atDesk: [
			...["sandbox", "sandbox", "code", "certificates", "deliveries", "webhook"],
			...["clock", "clock", "clock", "clock"],
		] as const,
		defective: 2,
		keyed: 0,
		held: 0,
		codes: 5,
		claimTimes: [1, 1, 5],
		requestTimes: [1, 1, 3],
		moments: ["lock ends"],
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
