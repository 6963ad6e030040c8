/* Parts of the ledger: what is known of a code, of what it has to deliver, and of what was done. */

export interface Validation {
	at: number;
	rut: string;
	pin: string;
	/** In lower case; null once it is nobody's again. */
	email: string | null;
	/** `partnerCopy`. */
	copy: string | null;
	/** The holder is erased; the code, which is closed, keeps its facts. */
	erased: boolean;
}

export interface PictureState {
	side: "front" | "back";
	/** As sent. */
	encoded: string;
	at: number;
}

/** What a partner's webhook may subscribe to. */
export type Event =
	| "certificate.emitted"
	| "certificate.revoked"
	| "certificate.expiring"
	| "pcode.expiring"
	| "pcode.validated"
	| "pcode.locked"
	| "pcode.cancelled";

export interface DeliveryState {
	partner: string;
	/** Null for a notice. */
	code: string | null;
	event: Event | "holder.issued" | "holder.revoked" | "holder.expiring" | "settings.changed";
	/** To the address that the partner has at the moment of an attempt. */
	toPartner: boolean;
	/** Its own, of a copy, of a holder's message or of a notice; null for the partner's webhook of the moment. */
	address: string | null;
	channel: Channel;
	tries: readonly Try[];
	createdAt: number;
	attempts: number;
	outcome: string | null;
	triedAt: number | null;
	dueAt: number | null;
	deliveredAt: number | null;
	deadAt: number | null;
	resentAt: number | null;
	/** Whether there is still something to send. */
	kept: boolean;
}

export type Channel = "webhook" | "email";

/** How an attempt ended. */
interface Try {
	at: number;
	channel: Channel;
	outcome: string;
	/** Of an endpoint that answered. */
	status: number | null;
}

export interface AuditEntry {
	at: number;
	by: "ops" | "partner" | "widget" | "job";
	/** With which the partner did it, where the model knows. */
	key?: string;
	action: string;
}

/** A holder's session in the widget. */
export interface SessionState {
	code: string;
	reference: string;
	/** Its partner's, when it was made. */
	origins: readonly string[];
	/** The holder gets the certificate in the widget. */
	claim: boolean;
	/** PINs tried on the issued certificate since the last right one. */
	triedPins: number;
	/** What the holder has typed, canonical. */
	answers: Record<string, string>;
	step: string | null;
	createdAt: number;
	/** When the frame first presented the token. */
	startedAt: number | null;
	until: number;
	validatedAt: number | null;
	completedAt: number | null;
	end: { at: number; reason: SessionEnd } | null;
	/** Its record is erased. */
	forgotten: boolean;
}

type SessionEnd = "completed" | "expired" | "replaced" | "cancelled" | "superseded" | "code_closed";

export interface CertificateState {
	issuedAt: number;
	notBefore: number;
	notAfter: number;
	revokedAt: number | null;
	revocationReason: string | null;
}

export interface LockState {
	until: number;
	/** A claim lock stops claims only. */
	by: "validation" | "claim";
}

/** Failed validations of a RUT at a partner, over all codes, since the last success or lock. */
export interface RutAttempts {
	failures: number;
	firstAt: number;
	lockedUntil: number | null;
}

export interface Attempts {
	/** In a row, since the last success or lock. */
	failures: number;
	locks: number;
}
