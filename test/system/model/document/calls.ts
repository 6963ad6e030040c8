import type { MoveStage } from "./facts.ts";
import type { Settings } from "./settings.ts";

/* The calls that act on codes and sessions, with the model's own names in place of the service's. */

/** `key`: whose it is, a name of {@link Ledger}.partners; `unknown` is a key that never was, `none` no key at all. */
interface PartnerCall {
	key: string;
}

/** A name of {@link Ledger}.codes, `unknown` for one never made, `impossible` for a text that no code can be. */
export interface CodeName {
	code: string;
	/** `loose`: lower case, spaces for hyphens, o for 0. */
	spelling?: "canonical" | "loose";
}

/** `idempotency` is the header as it is sent, quotes and all. */
export interface Post extends PartnerCall {
	kind: string;
	idempotency?: string;
	/** Every other field of the body, as it is sent. */
	fields: Fields;
}

export type Fields = Record<string, unknown>;
/** Values are canonical but for the case of an e-mail. */
export type Values = Record<string, string | undefined>;

const WELL_FORMED: Record<string, RegExp> = { pin: /^\d{4}$/, email: /@/ };

/** Fields that are malformed: here a PIN or an e-mail at most. */
export function malformed(fields: Fields): string[] {
	return Object.keys(fields).filter((field) => WELL_FORMED[field]?.test(String(fields[field])) === false);
}

export interface BulkCall extends Post {
	kind: "bulk";
}

export interface RequestCall extends Post {
	kind: "request";
	code: CodeName;
}

export interface ClaimCall extends Post {
	kind: "claim";
	code: CodeName;
}

export interface StatusCall extends PartnerCall {
	kind: "status";
	/** Null: the parameter is not sent. */
	code: CodeName | null;
}

/** The whole list. */
export interface ListCall extends PartnerCall {
	kind: "list";
}

/** A session of the widget, made by its partner; `fields` without the code. */
export interface MakeSessionCall extends Post {
	kind: "make session";
	code: CodeName;
}

/** `session`: a name of {@link Ledger}.sessions; any other is none. */
export interface SessionCall extends PartnerCall {
	kind: "show session" | "end session";
	session: string;
}

/** A partner's change of its own clock. */
type ManageCall = PartnerCall & { kind: "advance"; advance: string };

export type PartnersCall =
	| BulkCall
	| RequestCall
	| ClaimCall
	| StatusCall
	| ListCall
	| MakeSessionCall
	| SessionCall
	| ManageCall;

/** A call of the widget's frame. */
export interface FrameCall {
	kind: "frame";
	step: "show" | "open" | "answers" | "submit" | "claim";
	session: string;
	token: "right" | "wrong";
	fields: Fields;
}

export type Verb = "cancel" | "block" | "unblock";

/** Ops' calls on partners and codes, and the oracles, by which nothing is ever wrong in the database. */
export type OpsCall =
	| { kind: "create partner"; settings: Settings }
	| { kind: "operate"; verb: Verb; code: CodeName; revocationReason?: string }
	| { kind: "revoke certificate"; code: string; reason: string }
	| { kind: "show code"; code: CodeName }
	| { kind: "show certificate"; code: string }
	| { kind: "run job"; job: "lapse-validations" | "erase-holders" }
	/** Asks what a relying party is told: whether the CRL of this minute lists it, and OCSP. */
	| { kind: "judge certificate"; code: string }
	/** Steps after a restore: what the audit's digests must know, and what the register has forgotten. */
	| { kind: "record restore"; to: string }
	| { kind: "mend"; to: string }
	| { kind: "reconcile" }
	| { kind: "verify audit" };

/** A certificate_request that the registry lets wait, and its end. */
export interface BeginCall {
	kind: "begin";
	request: RequestCall;
}

export interface FinishCall {
	kind: "finish";
	code: string;
}

/** Events of the service without a call of HTTP. */
export type Operation =
	/** A deployment that freezes the service, or ends that. */
	| { kind: "deploy"; frozen: boolean }
	/** Its partner moves to another database, as far as this stage. */
	| { kind: "move"; partner: string; to: MoveStage | "given up" | "cleared" }
	/** A copy of the database; the copy in its place. */
	| { kind: "keep database" }
	| { kind: "set back" }
	/** The cron's minute, for sessions whose time is over. */
	| { kind: "end due sessions" };

export type Call = PartnersCall | FrameCall | OpsCall | BeginCall | FinishCall | Operation;
export type CallOf<Kind extends Call["kind"]> = Extract<Call, { kind: Kind }>;
