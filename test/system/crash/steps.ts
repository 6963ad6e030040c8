/* Steps at which the service can be killed. Worker and host share this table, so it imports nothing. */

/**
 * Manner of the kill: `frozen`, the whole process stands still in the middle of its turn, nothing is flushed any more;
 * `held`, only this call waits and the rest goes on; `flight`, nothing waits and the kill comes milliseconds later.
 */
export type Manner = "frozen" | "held" | "flight";

const MIX = { b2c: 5, b2b: 4, widget: 3, withdraw: 1, guess: 2, bulk: 2, cancel: 1, list: 2, repeat: 1 };

/** Load that leads to a step. */
export type Scenario = keyof typeof MIX;

/** Each as often as clients do it. */
export const SCENARIOS = Object.entries(MIX).flatMap(([name, share]) =>
	Array<Scenario>(share).fill(name as Scenario),
);

/** A partner leaves its first database, or another one; or turns back on its way. */
export type Direction = "away" | "back" | "given up";
const DIRECTIONS = ["away", "back"] as const;

/** Acts of a partner's mover (`nextAct`), in their order. Each is passed before its statement and after it. */
const ACTS = [
	"announce",
	"note",
	"prepare",
	"erase",
	"copy",
	"compare",
	"freeze",
	"catch up",
	"close",
	"switch",
	"open",
	"retire",
	"finish",
] as const;

type MoveStep =
	| `move ${(typeof DIRECTIONS)[number]}: ${(typeof ACTS)[number]}`
	| "move: thaw"
	| "move: reopen"
	| "move: clear"
	| "move: give up";

interface StepFacts {
	manners: readonly Manner[];
	/** Load that leads to it; null: any. */
	by: Scenario | null;
	/** How a partner moves meanwhile. */
	moves?: Direction;
}

const MOVER = { manners: ["held", "frozen"], by: null } as const;

/** Ordered as a call passes them. */
const OF_CALLS = {
	"partner-counted": { manners: ["frozen", "held"], by: "b2c" },
	"lease-written": { manners: ["frozen"], by: "b2c" },
	"lease-durable": { manners: ["held", "flight"], by: "b2c" },
	"code-marked": { manners: ["held", "frozen"], by: "b2c" },
	"attempt-reserved": { manners: ["frozen"], by: "guess" },
	"registry-asked": { manners: ["held", "flight"], by: "guess" },
	"registry-answered": { manners: ["held", "frozen"], by: "guess" },
	"evidence-stored": { manners: ["held", "frozen"], by: "b2c" },
	"serial-noted": { manners: ["frozen"], by: "b2c" },
	"before-signing": { manners: ["frozen", "held"], by: "b2c" },
	"after-signing": { manners: ["held", "frozen"], by: "b2b" },
	"answer-drafted": { manners: ["frozen"], by: "b2c" },
	"before-commit": { manners: ["held", "frozen"], by: "b2c" },
	"during-commit": { manners: ["flight"], by: "b2b" },
	"after-commit": { manners: ["frozen", "held"], by: "b2c" },
	"answer-final": { manners: ["frozen"], by: "b2c" },
	"lease-released": { manners: ["frozen"], by: "b2c" },
	"webhook-received": { manners: ["held"], by: "b2b" },
	"webhook-acknowledged": { manners: ["held", "frozen"], by: "b2b" },
	"before-email": { manners: ["held"], by: "b2b" },
	"after-email": { manners: ["held", "frozen"], by: "b2b" },
	"delivery-claimed": { manners: ["held", "frozen"], by: "b2c" },
	"before-answer": { manners: ["held", "frozen"], by: "b2c" },
	"answer-received": { manners: ["flight"], by: "b2c" },
	"before-bulk": { manners: ["held"], by: "bulk" },
	"during-bulk": { manners: ["flight"], by: "bulk" },
	"after-bulk": { manners: ["frozen", "held"], by: "bulk" },
	"after-cancel": { manners: ["frozen", "held"], by: "cancel" },
	"before-session": { manners: ["held", "frozen"], by: "withdraw" },
	"after-session": { manners: ["frozen", "held"], by: "withdraw" },
	"step-taken": { manners: ["held", "frozen"], by: "widget" },
	"session-opened": { manners: ["frozen", "held"], by: "widget" },
	"progress-kept": { manners: ["frozen"], by: "widget" },
	"before-submission": { manners: ["held", "frozen"], by: "widget" },
	"after-submission": { manners: ["frozen", "held"], by: "widget" },
	"before-download": { manners: ["held", "frozen"], by: "widget" },
	"after-download": { manners: ["frozen", "held"], by: "widget" },
	"session-ended": { manners: ["held", "frozen"], by: "withdraw" },
	"progress-erased": { manners: ["frozen"], by: "withdraw" },
	"before-recovery": { manners: ["held", "flight"], by: "b2c" },
	"after-recovery": { manners: ["frozen", "held"], by: "b2c" },
} as const satisfies Record<string, StepFacts>;

export type Step = keyof typeof OF_CALLS | MoveStep;

const OF_MOVES = Object.fromEntries(
	DIRECTIONS.flatMap((moves) =>
		ACTS.map((act) => [`move ${moves}: ${act}`, { ...MOVER, by: act === "catch up" ? "bulk" : null, moves }]),
	),
) as unknown as Record<MoveStep, StepFacts>;
const GIVEN_UP = { ...MOVER, moves: "given up" } as const;

export const STEPS: Record<Step, StepFacts> = {
	...OF_CALLS,
	...OF_MOVES,
	"move: thaw": MOVER,
	"move: reopen": GIVEN_UP,
	"move: clear": GIVEN_UP,
	"move: give up": GIVEN_UP,
};

/** Steps that only a service comes to that finds what an earlier crash left behind, and the step of that crash. */
export const LEFT_BY: Partial<Record<Step, Step>> = {
	"before-recovery": "after-signing",
	"after-recovery": "after-signing",
	"move: thaw": "move away: close",
};

/** Steps that the host itself sees, from outside of the service. */
export const OUTSIDE: readonly Step[] = ["webhook-received", "answer-received"];

/** Sent to `/proof/arm`. */
export interface Arming {
	step: Step | null;
	/** 1 for the first time that the step is passed. */
	nth: number;
	manner: Manner;
}

/** Notes from the Worker to the host, one line of its log each. */
export type Note =
	| { proof: "reached"; step: Step }
	/** A serial was put on a lease, and a certificate with it is about to be signed. */
	| { proof: "noted"; serial: string; code: string }
	| { proof: "signing"; serial: string }
	/** The registry answered about a RUT, and the service has the answer. */
	| { proof: "verdict"; rut: string; status: string };
