import { REFUSED_ADDRESS } from "../document/attempt-delivery.ts";
import type { Emphasis } from "./emphasis.ts";
import { CLAIM, MAKE_SESSION, REQUEST } from "./plain-commands.ts";
import { LOOKS } from "./read-command.ts";

/* Sequences that are mostly about what ops do and see, and about what comes with time. */

/** Three people's, who give one e-mail, and one in which they give their own. */
const ONE_EMAIL = [3, 7, 11, 0];

export const PROFILES_OF_OPERATIONS = {
	operations: {
		weights: {
			operate: 8,
			replace: 4,
			"change partner": 4,
			"revoke certificate": 4,
			show: 3,
			claim: 5,
			request: 8,
		},
		defective: 0.5,
	},
	keys: {
		weights: { key: 10, "change partner": 6, "wait until": 6, status: 5, bulk: 3 },
		moments: ["key is gone"],
	},
	// Certificates that wait for an address of their partner.
	addresses: {
		begins: [
			{ do: "change partner", partner: 0, change: { mode: "B2B", delivery_email: REFUSED_ADDRESS } },
			REQUEST,
			{ do: "lose address", partner: 0 },
			{ do: "look", at: "resend", of: 0, variant: 1 },
			{ do: "change partner", partner: 0, change: { delivery_email: REFUSED_ADDRESS } },
			{ do: "look", at: "resend", of: 0, variant: 0 },
		],
		weights: { request: 6, "change partner": 20, "lose address": 4, look: 20, wait: 8 },
		defective: 0.5,
		extras: 3,
		looksAt: ["resend", "resend", "resend", "list deliveries"],
	},
	// What ops see of all that.
	looks: {
		begins: [
			{ ...REQUEST, extras: ["front", "back", "copy"] },
			CLAIM,
			{ do: "look", at: "list evidence", of: 0, variant: 0 },
		],
		weights: { request: 16, claim: 8, operate: 2, look: 40 },
		defective: 0.5,
		extras: 8,
		looksAt: [
			...LOOKS,
			"list deliveries",
			"list deliveries",
			"show audit",
			"show audit",
			"show audit",
			"show picture",
			"show picture",
			"show picture",
			"resend",
			"resend",
			"resend",
			"resend",
		],
	},
	"keys and looks": {
		weights: { key: 8, "change partner": 4, "create partner": 2, status: 2, look: 12 },
		looksAt: [
			"list partners",
			"show partner",
			"rotate secret",
			"rotate secret",
			"show audit",
			"misuse",
			"misuse",
			"list evidence",
		],
	},
	// One e-mail that several people give.
	"e-mails": {
		weights: { request: 30, operate: 8, replace: 4, claim: 2 },
		codes: 3,
		defective: 0.5,
		keyed: 0,
		styles: ONE_EMAIL,
	},
	// Validations that nobody claims in time, and those that somebody does.
	lapses: {
		begins: [
			{ ...REQUEST, style: 3, extras: ["front"] },
			{ do: "wait until", moment: "validation lapses", of: 0, offBy: -1 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV00", quantity: 4, idempotency: null },
		],
		weights: { request: 24, claim: 6, bulk: 8, "wait until": 12, operate: 2, replace: 2, show: 2, look: 16 },
		defective: 0.3,
		keyed: 0,
		extras: 6,
		codes: 8,
		styles: ONE_EMAIL,
		looksAt: ["lapse", "lapse", "lapse", "run job", "list evidence", "show audit"],
		moments: ["validation lapses"],
	},
	// Retention, a code long after its last step.
	erasures: {
		weights: { request: 12, claim: 4, wait: 14, operate: 2, look: 40 },
		defective: 1,
		extras: 5,
		codes: 2,
		looksAt: [
			"run job",
			"run job",
			"list evidence",
			"show picture",
			"list deliveries",
			"resend",
			"reconcile",
		],
	},
	freezes: {
		begins: [MAKE_SESSION],
		weights: {
			request: 10,
			claim: 8,
			bulk: 10,
			"make session": 6,
			session: 20,
			freeze: 20,
			again: 3,
			status: 3,
			operate: 2,
			look: 3,
		},
		keyed: 3,
		defective: 1,
		codes: 3,
	},
	// The database set back to an earlier moment, with codes issued, revoked and cancelled since.
	restores: {
		begins: [REQUEST, { do: "keep database" }, CLAIM],
		weights: {
			request: 20,
			claim: 20,
			operate: 6,
			"revoke certificate": 6,
			"keep database": 10,
			restore: 14,
			look: 4,
		},
		defective: 0.5,
		codes: 4,
		extras: 1,
	},
	// The last years of the authority.
	"the authority's end": {
		begins: [
			{ do: "wait until", moment: "sale ends", of: 0, offBy: -1 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV00", quantity: 4, idempotency: null },
			{ ...REQUEST, code: 5 },
		],
		weights: { bulk: 4, request: 50, claim: 20, replace: 4, "wait until": 16 },
		defective: 0.5,
		keyed: 0.5,
		codes: 8,
		moments: ["sale ends", "issue ends", "issue ends"],
	},
} satisfies Record<string, Partial<Emphasis>>;
