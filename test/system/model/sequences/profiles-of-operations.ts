import { CLAIM, type Command, type Emphasis, MAKE_SESSION, REQUEST } from "./commands.ts";

/* Sequences that are mostly about what partners and ops do to codes, and about what comes with time. */

/** Three people's, who give one e-mail, and one in which they give their own. */
const ONE_EMAIL = [3, 7, 11, 0];

const ON: Command = { do: "move", partner: 0, turn: "on" };

export const PROFILES_OF_OPERATIONS = {
	operations: {
		weights: { operate: 8, "revoke certificate": 4, show: 3, claim: 5, request: 8 },
		defective: 0.5,
	},
	// As many codes as may be created in 14 days, and what gives room for others.
	quotas: {
		quota: 6,
		begins: [REQUEST, CLAIM],
		weights: { bulk: 30, request: 8, claim: 8, operate: 4, "wait until": 8 },
		defective: 0.3,
		codes: 3,
		moments: ["window ends"],
	},
	// Time that a partner moves on, for what takes days.
	clocks: {
		begins: [REQUEST, MAKE_SESSION],
		weights: {
			advance: 30,
			request: 16,
			claim: 8,
			bulk: 5,
			again: 4,
			"make session": 4,
			session: 10,
			"wait until": 4,
			"end due sessions": 2,
			operate: 2,
		},
		defective: 2,
		keyed: 2,
		held: 0.5,
		codes: 4,
		moments: ["lock ends", "window ends", "session ends", "kept answer ends"],
		requestTimes: [1, 1, 1, 3],
	},
	// One e-mail that several people give.
	"e-mails": {
		weights: { request: 30, operate: 8, claim: 2 },
		codes: 3,
		defective: 0.5,
		keyed: 0,
		styles: ONE_EMAIL,
	},
	// Validations that nobody claims in time, and those that somebody does.
	lapses: {
		begins: [
			{ ...REQUEST, style: 3 },
			{ do: "wait until", moment: "validation lapses", of: 0, offBy: -1 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV00", quantity: 4, idempotency: null },
		],
		weights: { request: 24, claim: 6, bulk: 8, "wait until": 12, operate: 2, show: 2, "run job": 12 },
		defective: 0.3,
		keyed: 0,
		codes: 8,
		styles: ONE_EMAIL,
		moments: ["validation lapses"],
	},
	// A code long after its last step.
	erasures: {
		weights: { request: 12, claim: 4, wait: 14, operate: 4, "run job": 16 },
		defective: 1,
		codes: 2,
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
			advance: 4,
		},
		keyed: 3,
		defective: 1,
		codes: 3,
	},
	// A partner that moves to another database and back.
	moves: {
		begins: [
			{ ...MAKE_SESSION, code: 1 },
			ON,
			ON,
			REQUEST,
			ON,
			CLAIM,
			{ ...REQUEST, code: 1, defects: ["wrong serial"] },
			ON,
		],
		weights: {
			move: 40,
			request: 10,
			claim: 12,
			bulk: 12,
			"make session": 8,
			session: 28,
			again: 5,
			operate: 16,
			"revoke certificate": 4,
			advance: 4,
			"wait until": 4,
			"end due sessions": 3,
		},
		keyed: 3,
		defective: 2,
		codes: 3,
		moments: ["session ends", "lock ends"],
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
		},
		defective: 0.5,
		codes: 4,
	},
	// The last years of the authority.
	"the authority's end": {
		begins: [
			{ do: "wait until", moment: "sale ends", of: 0, offBy: -1 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV00", quantity: 4, idempotency: null },
			{ ...REQUEST, code: 5 },
		],
		weights: { bulk: 4, request: 50, claim: 20, "wait until": 16 },
		defective: 0.5,
		keyed: 0.5,
		codes: 8,
		moments: ["sale ends", "issue ends", "issue ends"],
	},
} satisfies Record<string, Partial<Emphasis>>;
