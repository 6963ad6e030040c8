import fc from "fast-check";
import { REFUSED_ADDRESS } from "../document/deliveries.ts";
import { IDENTITIES } from "../document/identities.ts";
import type { Sequence } from "./commands.ts";
import { CLAIM_DEFECTS, MOMENTS, REQUEST_DEFECTS } from "./commands.ts";
import type { Emphasis } from "./emphasis.ts";
import { generateCommand } from "./generate-commands.ts";
import { generateSettings } from "./generate-settings.ts";
import { CLAIM, MAKE_SESSION, REQUEST, STEP } from "./plain-commands.ts";
import { LOOKS } from "./read-command.ts";

/* What a sequence is mostly about: no sequence of thirty random calls would lock a code three times. */

const ANYBODY = IDENTITIES.keys().toArray();

/** Three people's, who give one e-mail, and one in which they give their own. */
const ONE_EMAIL = [3, 7, 11, 0];

const LAST_YEARS: Emphasis["moments"] = ["sale ends", "issue ends"];
const OF_THEIR_OWN: Emphasis["moments"] = [...LAST_YEARS, "session ends"];

const EVEN: Emphasis = {
	begins: [],
	weights: { request: 5, claim: 3 },
	defective: 3,
	keyed: 2,
	held: 0.5,
	codes: 4,
	identities: [...ANYBODY.flatMap(() => ["bound", "bound", "bound", "bound"] as const), ...ANYBODY],
	styles: Array.from({ length: 16 }, (_, i) => i),
	extras: 0,
	looksAt: LOOKS,
	requestTimes: [1, 1, 1, 1, 1, 1, 1, 2, 3],
	claimTimes: [1, 1, 1, 2],
	requestDefects: REQUEST_DEFECTS,
	claimDefects: CLAIM_DEFECTS,
	moments: MOMENTS.filter((moment) => !OF_THEIR_OWN.includes(moment)),
};

const PROFILES = {
	"all alike": { weights: { request: 5, claim: 3, look: 6 }, extras: 2 },
	requests: {
		weights: { request: 40, list: 3 },
		codes: 2,
		defective: 6,
		keyed: 0,
		requestTimes: [1, 1, 1, 1, 1, 2, 11],
		requestDefects: [
			...REQUEST_DEFECTS,
			"no expiry",
			"no expiry",
			"no expiry",
			"rejected credential",
			"another's credential",
			"sign-on down",
		],
	},
	// Locks by requests, and by claims.
	"wrong identities": {
		begins: [
			{ ...REQUEST, defects: ["wrong serial"], times: 3 },
			{ do: "wait until", moment: "lock ends", of: 0, offBy: 0 },
		],
		weights: { request: 60, "wait until": 40, show: 5 },
		codes: 1,
		defective: 9.5,
		keyed: 0,
		requestTimes: [1, 2, 3, 3],
		requestDefects: ["wrong serial", "wrong expiry", "wrong name", "another's credential", "sign-on down"],
		moments: ["lock ends"],
	},
	// Guesses about one person, on two codes.
	guesses: {
		weights: { request: 60, "wait until": 25, show: 3 },
		codes: 2,
		defective: 8.5,
		keyed: 0,
		identities: [0, 0, 0, 0, 1],
		requestTimes: [1, 2, 3, 3],
		requestDefects: ["wrong serial", "wrong expiry"],
		moments: ["lock ends", "lock ends", "lock ends", "RUT lock ends", "RUT is counted anew"],
	},
	"wrong claims": {
		begins: [REQUEST, { ...CLAIM, defects: ["wrong pin"], times: 5 }],
		weights: { request: 40, claim: 120, "wait until": 80 },
		codes: 1,
		defective: 8.5,
		keyed: 0,
		claimTimes: [5, 5, 5, 5, 1],
		claimDefects: ["wrong pin", "wrong rut"],
		requestDefects: ["another pin"],
		moments: ["lock ends"],
	},
	lives: { weights: { request: 10, claim: 8, "wait until": 5, operate: 2 }, codes: 3, defective: 0.5 },
	repeats: {
		begins: [REQUEST],
		weights: { request: 12, claim: 16, bulk: 16, again: 24, "wait until": 3 },
		keyed: 6,
		defective: 5,
		claimTimes: [1, 2, 2],
		codes: 2,
		claimDefects: ["wrong pin"],
	},
	"held calls": {
		weights: { request: 16, claim: 6, again: 20, finish: 4, status: 3, list: 2 },
		defective: 1,
		keyed: 6,
		held: 6,
		codes: 3,
	},
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
	lists: { weights: { list: 12, bulk: 4, request: 4 }, defective: 1 },
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
			restore: 10,
			look: 4,
		},
		defective: 0.5,
		codes: 4,
		extras: 1,
	},
	// The widget, and what its partner and ops do meanwhile.
	sessions: {
		begins: [MAKE_SESSION, STEP],
		weights: {
			"make session": 16,
			session: 60,
			"end due sessions": 4,
			request: 8,
			claim: 6,
			operate: 4,
			replace: 2,
			"wait until": 10,
			status: 2,
			freeze: 2,
			again: 6,
		},
		defective: 1.5,
		keyed: 3,
		codes: 2,
		requestTimes: [1, 1, 3, 10],
		moments: ["session ends", "session ends", "session ends", "lock ends", "rate is free"],
	},
	// A partner whose rate is used up while a holder is at it, and whoever asks for a session that is not theirs.
	"busy sessions": {
		begins: [MAKE_SESSION, { ...REQUEST, code: 1, times: 10 }, STEP],
		weights: { "make session": 10, session: 60, again: 10, freeze: 8, "wait until": 6 },
		defective: 5,
		keyed: 8,
		codes: 2,
		requestDefects: ["malformed pin", "malformed e-mail", "wrong serial"],
		moments: ["rate is free", "session ends"],
	},
	// The last years of the authority.
	"the authority's end": {
		begins: [
			{ do: "wait until", moment: "sale ends", of: 0, offBy: -1 },
			{ do: "bulk", who: "owner", partner: 0, productCode: "FV00", quantity: 4, idempotency: null },
			{ ...REQUEST, code: 5 },
			{ do: "wait until", moment: "issue ends", of: 0, offBy: 0 },
		],
		weights: { bulk: 4, request: 50, claim: 20, replace: 4, "wait until": 16 },
		defective: 0.5,
		keyed: 0.5,
		codes: 8,
		moments: ["sale ends", "issue ends", "issue ends"],
	},
} satisfies Record<string, Partial<Emphasis>>;

type Profile = keyof typeof PROFILES;

/** So that no outcome is rarer than in 8 of 1000 sequences. */
const SHARES: Partial<Record<Profile, number>> = {
	requests: 2,
	"wrong identities": 2,
	"wrong claims": 2,
	repeats: 2,
	"held calls": 2,
	operations: 2,
	looks: 2,
	"keys and looks": 2,
	sessions: 5,
	"the authority's end": 2,
};

function generateSequence(profile: Profile): fc.Arbitrary<Sequence> {
	const emphasis: Emphasis = { ...EVEN, ...PROFILES[profile] };
	return fc.record({
		partners: fc.array(generateSettings(), { minLength: 1, maxLength: 3 }),
		commands: fc
			.array(generateCommand(emphasis), { minLength: 1, maxLength: 30, size: "max" })
			.map((commands) => [...emphasis.begins, ...commands]),
	});
}

export const sequences: fc.Arbitrary<Sequence> = fc.oneof(
	...(Object.keys(PROFILES) as Profile[]).map((profile) => ({
		weight: SHARES[profile] ?? 1,
		arbitrary: generateSequence(profile),
	})),
);
