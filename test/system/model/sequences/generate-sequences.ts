import fc from "fast-check";
import { IDENTITIES } from "../document/identities.ts";
import { CLAIM_DEFECTS, type Emphasis, MOMENTS, REQUEST_DEFECTS, type Sequence } from "./commands.ts";
import { generateCommand } from "./generate-commands.ts";
import { generateSettings } from "./generate-settings.ts";
import { PROFILES_OF_HOLDERS } from "./profiles-of-holders.ts";
import { PROFILES_OF_OPERATIONS } from "./profiles-of-operations.ts";

/* Emphases of sequences: no sequence of thirty random calls would lock a code three times. */

const ANYBODY = IDENTITIES.keys().toArray();

const LAST_YEARS: Emphasis["moments"] = ["sale ends", "issue ends"];
const OF_THEIR_OWN: Emphasis["moments"] = [...LAST_YEARS, "session ends"];

const EVEN: Emphasis = {
	begins: [],
	weights: { request: 5, claim: 3 },
	defective: 3,
	keyed: 2,
	held: 0.5,
	quota: 100_000,
	codes: 4,
	identities: [...ANYBODY.flatMap(() => ["bound", "bound", "bound", "bound"] as const), ...ANYBODY],
	styles: Array.from({ length: 16 }, (_, i) => i),
	requestTimes: [1, 1, 1, 1, 1, 1, 1, 2, 3],
	claimTimes: [1, 1, 1, 2],
	requestDefects: REQUEST_DEFECTS,
	claimDefects: CLAIM_DEFECTS,
	moments: MOMENTS.filter((moment) => !OF_THEIR_OWN.includes(moment)),
};

const PROFILES = { ...PROFILES_OF_HOLDERS, ...PROFILES_OF_OPERATIONS };

type Profile = keyof typeof PROFILES;

/** So that the rarest outcomes are in some 5 of 1000 sequences. */
const SHARES: Partial<Record<Profile, number>> = {
	requests: 5,
	"wrong identities": 3,
	"wrong claims": 3,
	guesses: 4,
	repeats: 4,
	"held calls": 5,
	clocks: 4,
	operations: 3,
	sessions: 8,
	"busy sessions": 3,
	quotas: 2,
	freezes: 3,
	moves: 5,
	restores: 2,
	"the authority's end": 6,
};

function generateSequence(profile: Profile): fc.Arbitrary<Sequence> {
	const emphasis: Emphasis = { ...EVEN, ...PROFILES[profile] };
	return fc.record({
		partners: fc.array(generateSettings(emphasis.quota), { minLength: 1, maxLength: 3 }),
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
