import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import {
	CLAIM,
	type Command,
	type Emphasis,
	MAKE_SESSION,
	REQUEST,
	REQUEST_DEFECTS,
	STEP,
} from "./commands.ts";

const SUBMIT: Command = { ...STEP, at: "submit" };
const PAUSE: Command = { do: "wait", milliseconds: 20 * MINUTE_MS };
const LOCK_BOTH: readonly Command[] = [
	{ ...CLAIM, defects: ["wrong pin"], times: 5 },
	{ ...REQUEST, defects: ["wrong serial"], times: 3 },
	CLAIM,
	{ do: "wait until", moment: "lock ends", of: 0, offBy: 0 },
	{ do: "wait until", moment: "lock ends", of: 0, offBy: 0 },
];

/* Sequences that are mostly about what partners and holders do. */

export const PROFILES_OF_HOLDERS = {
	"all alike": {},
	requests: {
		weights: { request: 40 },
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
	// Two locks of a validated code's requests, each beside one of its claims.
	"wrong identities of a validated code": {
		begins: [REQUEST, ...LOCK_BOTH, ...LOCK_BOTH],
		weights: { request: 60, claim: 30, "wait until": 25, operate: 5, show: 5, status: 5 },
		codes: 1,
		defective: 9,
		keyed: 0,
		requestTimes: [1, 2, 3, 3],
		requestDefects: ["wrong serial"],
		claimDefects: ["wrong pin"],
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
		weights: { request: 16, claim: 6, again: 20, finish: 4, status: 3 },
		defective: 1,
		keyed: 6,
		held: 6,
		codes: 3,
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
	// Nine submissions in forty minutes that lack everything.
	"refused submissions": {
		begins: [MAKE_SESSION, ...Array<Command>(5).fill(SUBMIT), PAUSE, SUBMIT, PAUSE, SUBMIT, SUBMIT, SUBMIT],
		weights: { session: 60, request: 6, "wait until": 4 },
		codes: 1,
		defective: 3,
		keyed: 0,
		moments: ["session ends", "rate is free"],
	},
	// A partner whose rate is used up while a holder is at it, and whoever asks for a session that is not theirs.
	"busy sessions": {
		begins: [MAKE_SESSION, { ...REQUEST, code: 1, times: 10 }, STEP],
		weights: { "make session": 10, session: 60, again: 16, freeze: 8, "wait until": 6 },
		defective: 5,
		keyed: 8,
		codes: 2,
		requestDefects: ["malformed pin", "malformed e-mail", "wrong serial"],
		moments: ["rate is free", "session ends"],
	},
} satisfies Record<string, Partial<Emphasis>>;
