import { createHash } from "node:crypto";
import type { WebhookEvent } from "../../../src/domain/webhook-events.ts";
import type { Seen } from "../invariants.ts";
import type { Note } from "./steps.ts";

/* Records all that is known outside: every call sent, every answer that came whole, every certificate that was seen. */

export interface Partner {
	id: string;
	/** Which of the kinds in `partners.ts`. */
	kind: string;
	key: string;
	/** Number of the database in which it was made. */
	database: number;
	settings: {
		mode: "B2C" | "B2B";
		require_cedula_serie?: 0 | 1;
		webhook_url?: string;
		webhook_events?: WebhookEvent[];
		delivery_email?: string;
	};
}

export interface Holder {
	rut: string;
	email: string;
	pin: string;
	cardSerial: string;
	names: string;
}

/** A session of the widget, as who made it knows it. */
export interface SessionKey {
	id: string;
	token: string;
}

export type CallKind =
	| "bulk"
	| "list"
	| "status"
	| "request"
	| "guess"
	| "claim"
	| "wrong-claim"
	| "cancel"
	/* A widget's session: its partner makes and ends it, the rest are the frame's and the holder's browser's. */
	| "session"
	| "end-session"
	| "open"
	| "answers"
	| "sign-on"
	| "callback"
	| "submit"
	| "wrong-submit"
	| "download";

export interface Answer {
	status: number;
	text: string;
	/** Parsed, or null. */
	// biome-ignore lint/suspicious/noExplicitAny: any the service said; the checks look into it
	body: any;
	replayed: boolean;
	/** Epoch milliseconds of this machine. */
	at: number;
}

export interface Call {
	kind: CallKind;
	partner: Partner;
	method: "GET" | "POST" | "PUT" | "DELETE";
	path: string;
	/** The bytes that a repeat sends again. */
	body: string | null;
	idempotencyKey: string | null;
	/** Canonical purchase code, where the call is about one. */
	code: string | null;
	/** Session of the calling frame, by its token; null: a partner or ops. */
	session: SessionKey | null;
	/** Headers of a browser that has neither key nor token. */
	headers: Record<string, string> | null;
	/** Epoch milliseconds of this machine, and how far the service's clock was ahead. */
	sentAt: number;
	clockOffset: number;
	/** Null: the service died first. */
	answer: Answer | null;
	/** Sent again after the crash that left it without an answer. */
	isRepeated: boolean;
}

/** A certificate as it left the service. */
export interface Sighting {
	code: string;
	via: "answer" | "webhook" | "email";
	/** SHA-256 of the PFX; null where only the serial was seen. */
	pfx: string | null;
	serial: string | null;
}

export interface Webhook {
	/** Kind of the address's owner. */
	partnerKind: string;
	id: string;
	body: string;
}

export interface Mail {
	/** Id of the delivery. */
	id: string;
	to: string;
	/** Code of the certificate that came with it; null in a message to a holder. */
	code: string | null;
}

/** Time in which a partner's writes may be refused: epoch milliseconds of this machine. */
interface Move {
	partnerId: string;
	from: number;
	/** Null: it goes on. */
	to: number | null;
}

/** The widget's steps that are the partner's calls underneath: what they answer says the same. */
const USE_CASES: Partial<Record<CallKind, string>> = { submit: "request", download: "claim" };

export class Journal {
	readonly calls: Call[] = [];
	readonly sightings: Sighting[] = [];
	readonly webhooks: Webhook[] = [];
	readonly mails: Mail[] = [];
	/** Tokens of all sessions that were made. */
	readonly tokens = new Set<string>();
	/** Holders by purchase code. */
	readonly holders = new Map<string, Holder>();
	/** Holders made so far; those of calls that were refused for the rate are not used again. */
	holdersMade = 0;
	/** Serials that were signed, and the code of each serial that was on a lease. */
	readonly signed = new Set<string>();
	readonly noted = new Map<string, string>();
	/** Number of the registry's answers that a RUT's card is wrong. */
	readonly wrongVerdicts = new Map<string, number>();
	readonly moves: Move[] = [];
	/** Codes with a call since they were last seen recovered. */
	readonly unrecovered = new Map<string, Partner>();

	take(note: Note): void {
		if (note.proof === "noted") this.noted.set(note.serial, note.code);
		if (note.proof === "signing") this.signed.add(note.serial);
		if (note.proof === "verdict" && note.status === "rejected")
			this.wrongVerdicts.set(note.rut, (this.wrongVerdicts.get(note.rut) ?? 0) + 1);
	}

	/** @param pfx - base64. */
	see(code: string, via: Sighting["via"], pfx: string | null, serial: string | null): void {
		const hash = pfx && createHash("sha256").update(pfx, "base64").digest("hex");
		this.sightings.push({ code, via, pfx: hash, serial });
	}

	/** Calls that the service died on and nobody has sent again. */
	pending(): Call[] {
		return this.calls.filter(({ answer, isRepeated }) => answer === null && !isRepeated);
	}

	/** Whether the call was refused because its partner moved: nothing happened, but that the RUT's attempt may be spent. */
	isRefused({ method, partner, sentAt, answer }: Call): boolean {
		if (method === "GET" || answer?.body?.error !== "SERVICE_UNAVAILABLE") return false;
		return this.moves.some(
			({ partnerId, from, to }) => partnerId === partner.id && from < answer.at && (to ?? Infinity) > sentAt,
		);
	}

	/** Whole answers, as the checks that all runs share read them. */
	seenAnswers(): Seen["answers"] {
		return this.calls.flatMap(({ kind, code, partner, answer }) => {
			if (!answer) return [];
			const { status, body } = answer;
			return [{ kind: USE_CASES[kind] ?? kind, code, partnerId: partner.id, status, body }];
		});
	}

	/** Calls with a whole answer. */
	answered(kind: CallKind, status: number): (Call & { answer: Answer })[] {
		return this.calls.filter(
			(call): call is Call & { answer: Answer } => call.kind === kind && call.answer?.status === status,
		);
	}
}
