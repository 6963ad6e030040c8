import fc from "fast-check";
import type { ClaimDefect, Command, Emphasis, RequestDefect, Who } from "./commands.ts";
import { likely } from "./generate-settings.ts";

/** Commands of only those sequences that are about them. */
const SELDOM = new Set<string>([
	"advance",
	"run job",
	"freeze",
	"move",
	"keep database",
	"restore",
	"make session",
	"session",
	"end due sessions",
] satisfies Command["do"][]);

export function generateCommand(odds: Emphasis): fc.Arbitrary<Command> {
	const idempotency = likely<string | null>(
		odds.keyed,
		fc.constantFrom("i1", "i2", "i3", "i4", "i5", "i6", '"i1"', "bad key"),
		null,
	);
	const partner = fc.nat(7);
	const code = likely(1.5, fc.integer({ min: 8, max: 11 }), fc.nat(odds.codes - 1));
	const style = fc.constantFrom(...odds.styles);
	const spelling = likely<"canonical" | "loose">(2, fc.constant("loose"), "canonical");
	const requestDefects = fc.subarray([...odds.requestDefects], {
		minLength: 1,
		maxLength: Math.min(2, odds.requestDefects.length),
	});
	const arbitraries: Record<Command["do"], fc.Arbitrary<Command>> = {
		wait: fc.record({ do: fc.constant("wait"), milliseconds: waits() }),
		"wait until": fc.record({
			do: fc.constant("wait until"),
			moment: fc.constantFrom(...odds.moments),
			of: fc.nat(7),
			offBy: fc.constantFrom(-1, 0, 1),
		}),
		bulk: fc.record({
			do: fc.constant("bulk"),
			who: who(),
			partner,
			productCode: likely<unknown>(
				2,
				fc.constantFrom("FV04", "fv01", 1, null),
				fc.constantFrom("FV00", "FV01", "FV02", "FV03"),
			),
			quantity: likely<unknown>(2, fc.constantFrom(0, 501, 1.5, "2", null), fc.integer({ min: 1, max: 4 })),
			idempotency,
		}),
		request: fc.record({
			do: fc.constant("request"),
			who: who(),
			code,
			identity: fc.constantFrom(...odds.identities),
			style,
			defects: likely<RequestDefect[]>(odds.defective, requestDefects, []),
			idempotency,
			times: fc.constantFrom(...odds.requestTimes),
			held: likely(odds.held, fc.constant(true), false),
		}),
		claim: fc.record({
			do: fc.constant("claim"),
			who: who(),
			code,
			style,
			defects: likely<ClaimDefect[]>(
				odds.defective,
				fc.subarray([...odds.claimDefects], { minLength: 1, maxLength: 1 }),
				[],
			),
			idempotency,
			times: fc.constantFrom(...odds.claimTimes),
		}),
		finish: fc.record({ do: fc.constant("finish"), code }),
		again: fc.record({
			do: fc.constant("again"),
			call: fc.nat(7),
			change: likely<"nothing" | "body">(3, fc.constant("body"), "nothing"),
		}),
		status: fc.record({
			do: fc.constant("status"),
			who: who(),
			partner,
			code,
			spelling: fc.oneof(spelling, fc.constant("missing" as const)),
		}),
		operate: fc.record({
			do: fc.constant("operate"),
			verb: fc.constantFrom("cancel", "block", "unblock"),
			code,
			reason: fc.constantFrom(null, "keyCompromise", "superseded"),
			times: fc.constantFrom(1, 1, 2),
		}),
		"revoke certificate": fc.record({
			do: fc.constant("revoke certificate"),
			code,
			reason: fc.constantFrom("keyCompromise", "unspecified"),
		}),
		show: fc.record({ do: fc.constant("show"), what: fc.constantFrom("code", "certificate"), code }),
		advance: fc.record({
			do: fc.constant("advance"),
			who: who(),
			partner: likely(2, partner, 0),
			advance: likely(1.5, fc.constantFrom("15D", "P5Y"), fc.constantFrom(...ADVANCES)),
		}),
		"run job": fc.record({
			do: fc.constant("run job"),
			job: fc.constantFrom("lapse-validations", "erase-holders"),
		}),
		"make session": fc.record({
			do: fc.constant("make session"),
			who: who(),
			code,
			style,
			prefill: fc.boolean(),
			claim: likely<boolean | null>(3, fc.boolean(), null),
			idempotency,
		}),
		session: fc.record({
			do: fc.constant("session"),
			at: fc.constantFrom(
				"show",
				"show",
				"end",
				"end",
				"frame show",
				"open",
				"open",
				"answers",
				"submit",
				"submit",
				"claim",
				"claim",
				"claim",
				"through",
				"through",
				"through",
			),
			who: who(4),
			of: fc.nat(7),
			token: likely<"right" | "wrong">(1, fc.constant("wrong"), "right"),
			style,
			defects: likely<RequestDefect[]>(odds.defective, requestDefects, []),
		}),
		"end due sessions": fc.record({ do: fc.constant("end due sessions") }),
		freeze: fc.record({ do: fc.constant("freeze"), frozen: likely(4, fc.constant(true), false) }),
		move: fc.record({
			do: fc.constant("move"),
			partner: likely(2, partner, 0),
			turn: likely<"on" | "back">(2.5, fc.constant("back"), "on"),
		}),
		"keep database": fc.record({ do: fc.constant("keep database") }),
		restore: fc.record({
			do: fc.constant("restore"),
			code,
			asked: fc.constantFrom("claim", "request", "not"),
		}),
	};
	return fc.oneof(
		...Object.entries(arbitraries).map(([kind, arbitrary]) => ({
			weight: (odds.weights[kind as Command["do"]] ?? 0) + (SELDOM.has(kind) ? 0 : 1),
			arbitrary,
		})),
	);
}

const ADVANCES = ["PT5S", "PT5M", "PT31M", "P1D", "P12D", "P15D", "P31D", "P90D", "P306D"];

/** @param tenths - how often it is not the owner. */
function who(tenths = 1): fc.Arbitrary<Who> {
	return likely<Who>(tenths, fc.constantFrom<Who>("stranger", "stranger", "unknown", "none"), "owner");
}

function waits(): fc.Arbitrary<number> {
	const minute = 60_000;
	const day = 1440 * minute;
	return fc.constantFrom(
		1_000,
		minute - 1,
		minute,
		10 * minute,
		30 * minute,
		day,
		14 * day,
		30 * day,
		90 * day,
		366 * day,
	);
}
