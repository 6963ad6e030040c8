import type { CallOf, Verb } from "../document/calls.ts";
import type { Settings } from "../document/settings.ts";

/* Calls with nothing wrong, on the first code. */

export const REQUEST: RequestCommand = {
	do: "request",
	who: "owner",
	code: 0,
	identity: "bound",
	style: 0,
	defects: [],
	idempotency: null,
	times: 1,
	held: false,
};

export const CLAIM: ClaimCommand = {
	do: "claim",
	who: "owner",
	code: 0,
	style: 0,
	defects: [],
	idempotency: null,
	times: 1,
};

export const MAKE_SESSION: MakeSessionCommand = {
	do: "make session",
	who: "owner",
	code: 0,
	style: 0,
	prefill: false,
	claim: null,
	idempotency: null,
};

/** Step of the first session. */
export const STEP: SessionCommand = {
	do: "session",
	at: "through",
	who: "owner",
	of: 0,
	token: "right",
	style: 0,
	defects: [],
};

export interface Emphasis {
	/** First commands of every sequence. */
	begins: readonly Command[];
	/** Shares of the commands beyond one each. */
	weights: Partial<Record<Command["do"], number>>;
	/** Number, of ten requests and claims, that are wrong in some way, have an Idempotency-Key, are held. */
	defective: number;
	keyed: number;
	held: number;
	/** Number of codes that a partner may have made in 14 days. */
	quota: number;
	/** Number of codes that the sequence is mostly about. */
	codes: number;
	/** Whom requests are for: most often the code's own holder. */
	identities: readonly ("bound" | number)[];
	/** Spelling and repetition of values: `style` of {@link RequestCommand}. */
	styles: readonly number[];
	/** Possible numbers of calls in a row, each as likely. */
	requestTimes: readonly number[];
	claimTimes: readonly number[];
	requestDefects: readonly RequestDefect[];
	claimDefects: readonly ClaimDefect[];
	moments: readonly (typeof MOMENTS)[number][];
}

/*
 * Commands of a random sequence. They name nothing the service has made, so that any part of a sequence is a sequence
 * too and fast-check can shrink it. resolve-*.ts make calls of them, when their turn comes.
 */

export const REQUEST_DEFECTS = [
	"no serial",
	"wrong serial",
	"no expiry",
	"wrong expiry",
	"names and no serial",
	"no paternal name",
	"wrong name",
	"wrong maternal name",
	"no phone",
	"no credential",
	"another's credential",
	"rejected credential",
	"sign-on down",
	"malformed pin",
	"malformed e-mail",
	"another pin",
] as const;
export type RequestDefect = (typeof REQUEST_DEFECTS)[number];

export const CLAIM_DEFECTS = ["wrong pin", "wrong rut", "malformed pin"] as const;
export type ClaimDefect = (typeof CLAIM_DEFECTS)[number];

export const MOMENTS = [
	"lock ends",
	"RUT lock ends",
	"RUT is counted anew",
	"window ends",
	"certificate ends",
	"validation lapses",
	"rate is free",
	"kept answer ends",
	"sale ends",
	"issue ends",
	"session ends",
] as const;

/** Owner of the key: the code's partner, another partner, one that never was, none. */
export type Who = "owner" | "stranger" | "unknown" | "none";

interface PartnerCommand {
	who: Who;
	/** Picks one of what there is, modulo; so do all numbers that are named for what they pick. */
	partner: number;
}

export type Command =
	| { do: "wait"; milliseconds: number }
	| { do: "wait until"; moment: (typeof MOMENTS)[number]; of: number; offBy: number }
	| (PartnerCommand & { do: "bulk"; productCode: unknown; quantity: unknown; idempotency: string | null })
	| RequestCommand
	| ClaimCommand
	| { do: "finish"; code: number }
	/** A call that had an Idempotency-Key, sent once more. */
	| { do: "again"; call: number; change: "nothing" | "body" }
	| (PartnerCommand & { do: "status"; code: number; spelling: "canonical" | "loose" | "missing" })
	| OpsCommand
	| MakeSessionCommand
	| SessionCommand
	| { do: "end due sessions" }
	| (PartnerCommand & { do: "advance"; advance: string })
	| { do: "run job"; job: CallOf<"run job">["job"] }
	| { do: "freeze"; frozen: boolean }
	/** Carries a partner's move on by a stage; `back`: gives it up, or clears what it left, where that can be. */
	| { do: "move"; partner: number; turn: "on" | "back" }
	| { do: "keep database" }
	/** `asked`: how a code that forgot its certificate is met before all codes are mended. */
	| { do: "restore"; code: number; asked: "claim" | "request" | "not" };

export interface RequestCommand {
	do: "request";
	who: Who;
	code: number;
	/** The RUT of the code's first validation, if it has one; or one of identities.ts. */
	identity: "bound" | number;
	/** Spelling of the right values: several spellings are one value. */
	style: number;
	defects: readonly RequestDefect[];
	idempotency: string | null;
	times: number;
	/** The registry lets it wait, until "finish". */
	held: boolean;
}

export interface ClaimCommand {
	do: "claim";
	who: Who;
	code: number;
	style: number;
	defects: readonly ClaimDefect[];
	idempotency: string | null;
	times: number;
}

export interface MakeSessionCommand {
	do: "make session";
	who: Who;
	code: number;
	style: number;
	prefill: boolean;
	claim: boolean | null;
	idempotency: string | null;
}

/** A step of the frame, or its partner's look at a session; `through`: answers and submit. */
export interface SessionCommand {
	do: "session";
	at: "show" | "end" | "frame show" | "open" | "answers" | "submit" | "claim" | "through";
	who: Who;
	of: number;
	token: "right" | "wrong";
	style: number;
	defects: readonly RequestDefect[];
}

type OpsCommand =
	| { do: "operate"; verb: Verb; code: number; reason: string | null; times: number }
	| { do: "revoke certificate"; code: number; reason: string }
	| { do: "show"; what: "code" | "certificate"; code: number };

export interface Sequence {
	partners: Settings[];
	commands: Command[];
}
