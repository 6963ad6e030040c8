import type { Scope } from "./ledger.ts";
import type { NewSettings, SentSettings, Settings } from "./settings.ts";
import type { SentWidget } from "./widget.ts";

/* Every call that partners and ops can make, with the model's own names in place of the service's. */

/** Of a partner call: a name of {@link Ledger}.keys; any other is a key that never was, `none` no key at all. */
interface PartnerCall {
	key: string;
	/** The caller's address, for a key that is for some alone. */
	from?: string;
}

/** A name of {@link Ledger}.codes, `unknown` for one never made, `impossible` for a text that no code can be. */
export interface CodeName {
	code: string;
	/** `loose`: lower case, spaces for hyphens, o for 0. */
	spelling?: "canonical" | "loose";
}

/** The three POSTs. `idempotency` is the header as it is sent, quotes and all. */
interface Post extends PartnerCall {
	idempotency?: string;
	/** Every other field of the body, as it is sent; wrong types and unknown fields included. */
	fields: Fields;
}

export type Fields = Record<string, unknown>;

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

export interface ListCall extends PartnerCall {
	kind: "list";
	/** As sent, but `batch_id`, which is a name of {@link Ledger}.batches or `unknown`. */
	query: Record<string, string>;
}

/** A certificate_request that the registry lets wait, and its end. */
export interface BeginCall {
	kind: "begin";
	request: RequestCall;
}

export interface FinishCall {
	kind: "finish";
	code: string;
}

/** No call: the partner becomes one of before, which could be without a delivery address. */
interface LoseAddress {
	kind: "lose address";
	partner: string;
}

/** No call: a deployment that freezes the service, or ends that; a copy of the database; the copy in its place. */
type Operation = { kind: "deploy"; frozen: boolean } | { kind: "keep database" } | { kind: "set back" };

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

/** A call of the widget's frame. */
export interface FrameCall {
	kind: "frame";
	step: "show" | "open" | "answers" | "submit" | "claim";
	session: string;
	token: "right" | "wrong";
	fields: Fields;
}

/** A look at the page of a session, by nobody in particular. */
interface PageCall {
	kind: "page";
	session: string;
}

/** No call: the queue hands a delivery on. */
interface HandOn {
	kind: "hand on";
	delivery: string;
}

/** No call: what the cron does each minute about sessions whose time is over. */
interface EndDueSessions {
	kind: "end due sessions";
}

/** What a partner changes of itself in the sandbox. */
export type Flow = Partial<
	Pick<Settings, "mode" | "require_cedula_serie" | "validate_vencimiento" | "require_sso">
>;

/** What a new key is asked to be; `endsIn`: milliseconds. */
export interface AskedKey {
	scopes?: readonly Scope[];
	endsIn?: number;
	cidrs?: readonly string[];
}

/** What a partner does at its desk. `of`: a name of the ledger, `unknown` for what never was. */
export type DeskCall = PartnerCall &
	(
		| {
				kind: "own deliveries";
				query: { state?: string; event?: string; since?: string; limit?: string };
				code?: string;
		  }
		| { kind: "own delivery" | "own resend"; of: string }
		| { kind: "own webhook" | "test webhook" | "own settings" | "own keys" }
		| { kind: "set webhook"; url: string | null; events: readonly string[] }
		| { kind: "own secret"; overlapHours: number }
		| { kind: "set email"; email: string | null }
		| { kind: "set reminders"; on: unknown }
		| { kind: "own code" | "own cancel"; code: CodeName }
		| { kind: "own certificates"; query: { validity?: string; expiring_before?: string; limit?: string } }
		| { kind: "search by RUT"; dni: string; limit?: number }
		/** `of`: a code with a certificate. */
		| { kind: "own revocation"; of: string; reason: string }
		| { kind: "own usage"; month?: string }
		| { kind: "add own key"; asked: AskedKey }
		| { kind: "rotate own key"; of: string; overlapHours: number; endsIn?: number | null }
		| { kind: "revoke own key"; of: string }
		| { kind: "advance"; advance: string }
		| { kind: "set flow"; sent: Flow }
		| { kind: "example of"; event: string }
		| { kind: "own widget" }
		| { kind: "set widget"; sent: SentWidget }
		| { kind: "csv"; query: Record<string, string> }
	);

export type OnPartnerCalls =
	| DeskCall
	| BulkCall
	| RequestCall
	| ClaimCall
	| StatusCall
	| ListCall
	| MakeSessionCall
	| SessionCall;

export type Verb = "cancel" | "block" | "unblock";

/** Ops name codes and keys as partners do; `unknown` is none. */
export type OpsCall =
	| { kind: "create partner"; settings: NewSettings }
	| { kind: "change partner"; partner: string; change: SentSettings & { suspended?: boolean } }
	| { kind: "add key"; partner: string; asked?: AskedKey }
	| { kind: "rotate key"; partner: string; key: string; overlapHours: number }
	| { kind: "revoke key"; partner: string; key: string }
	| { kind: "operate"; verb: Verb; code: CodeName; revocationReason?: string }
	/** A new code in place of one that cannot be used any more. */
	| { kind: "replace"; code: CodeName }
	| { kind: "revoke certificate"; code: string; reason: string }
	| { kind: "show code"; code: CodeName }
	| { kind: "show certificate"; code: string }
	| LookCall;

/** What ops look at, and what they set going. */
export type LookCall =
	| { kind: "list partners" }
	| { kind: "show partner"; partner: string }
	| { kind: "rotate secret"; partner: string; overlapHours: number }
	/** `entity`: a name of {@link Ledger}.audit, `code c1`; or of what is not there. */
	| { kind: "show audit"; entity: string }
	| { kind: "verify audit" }
	| { kind: "list deliveries"; partner: string; state?: string; limit?: string }
	| { kind: "resend"; delivery: string }
	| { kind: "list evidence"; code: CodeName }
	/** `validation`: the parameter, of which only a value that never was can be named. */
	| { kind: "show picture"; code: CodeName; side: "front" | "back"; validation?: "unknown" }
	| { kind: "reconcile"; repair: boolean }
	| { kind: "list jobs" }
	| { kind: "run job"; job: string }
	/** After a restore: what the audit's digests must know, and what the register has forgotten. */
	| { kind: "record restore"; to: string }
	| { kind: "mend"; to: string }
	/** A route of ops without their credential, or with something wrong in path, query or body. */
	| { kind: "misuse"; route: string; flaw: "no token" | "wrong token" | "partner's key" | number };

export type Call =
	| OnPartnerCalls
	| BeginCall
	| FinishCall
	| LoseAddress
	| Operation
	| OpsCall
	| FrameCall
	| PageCall
	| EndDueSessions
	| HandOn;
export type CallKind = Call["kind"];
export type CallOf<Kind extends CallKind> = Extract<Call, { kind: Kind }>;
