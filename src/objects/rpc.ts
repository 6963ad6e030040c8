import type { Consent } from "../db/holders.ts";
import type { Actor } from "../domain/actor.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import type { OpsVerb } from "../domain/decide-ops.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import type { Rejection } from "../domain/rejection.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { CardPicture } from "../secrets/evidence.ts";
import type { Timings } from "../telemetry/timings.ts";

/*
 * Types of the calls to a purchase code's object. Plain data only. From the first release on it stays readable by the
 * deployment before and after: an object may run old code for minutes.
 */

/** Identifies the code, its partner and the actor of the call. */
export interface Call {
	partnerId: string;
	/** Canonical form. */
	code: string;
	actor: Actor;
	requestId: string;
	/** Present when the caller sent an Idempotency-Key. */
	idempotency: IdempotentCall | null;
}

export interface IdempotentCall {
	keyId: string;
	fingerprint: string;
	/** 32 bytes derived from the caller's key; opens the stored answer; never stored itself. */
	callerKey: Uint8Array;
	/** Language of the first answer; stored with it, so that the repeat has the same bytes. */
	language: "en" | "es";
}

export interface RequestCall extends Call {
	reference: string;
	holder: {
		rut: string;
		/** Spelled as sent; compared in lower case. */
		email: string;
		pin: string;
		cardSerial: string | undefined;
		cardExpiry: string | undefined;
		names: string | undefined;
		fatherSurname: string | undefined;
		motherSurname: string | undefined;
		phone: string | undefined;
		ssoCredential: string | undefined;
	};
	partnerCopy: string | undefined;
	/** Serial of the certificate that is renewed, upper-case hex. */
	renews: string | undefined;
	pictures: readonly CardPicture[];
	/** Present in the widget's own call. */
	onboarding?: Onboarding;
}

/** The widget's session of the call. */
export interface Onboarding {
	session: string;
	/** The partner's own reference of the session. */
	reference: string;
	language: "es" | "en";
	/** The session's holder gets the certificate in the widget. */
	claim: boolean;
	/** Consent given before the validation; null in a claim. */
	consent: Consent | null;
}

export interface ClaimCall extends Call {
	rut: string;
	pin: string;
	/** Present in the widget's own call. */
	onboarding?: Onboarding;
}

export interface OpsCall extends Call {
	verb: OpsVerb;
	reason: string;
	/** Reason for revoking a cancelled code's certificate; absent: the default. */
	revocationReason?: RevocationReason;
}

export interface RevocationCall extends Call {
	/** Upper-case hex, 32 digits. */
	serial: string;
	reason: RevocationReason;
}

export interface ReplacementCall extends Call {
	reason: string;
}

/** Finding of the reconciliation on the code. */
export interface RepairCall extends Call {
	kind: "stale_step" | "certificate_missing";
}

export type RepairAnswer = { kind: "repaired" } | Rejected;

/** `replacement`: the new code. */
export type ReplacementAnswer = { kind: "replaced"; replacement: string } | Rejected;

export interface ErasureCall extends Call {
	/** Who asked for it before its time; absent: its time is over. */
	asked?: "holder" | "ops";
}

export type ErasureAnswer = { kind: "erased" } | { kind: "kept" } | Rejected;
/** `not_found`: D1 has no such code, so that its certificates cannot be entered. */
export type MendAnswer = { kind: "mended" | "unchanged" | "not_found" } | Rejected;

/** Times in epoch milliseconds. */
export interface EmittedCertificate {
	serial: string;
	validFrom: number;
	validTo: number;
}

export interface RequestSuccess {
	kind: "validated" | "emitted";
	code: string;
	reference: string;
	holder: { rut: string; fullName: string; email: string };
	/** Set when emitted. */
	certificate: EmittedCertificate | null;
}

export interface ClaimSuccess {
	kind: "claimed";
	code: string;
	certificate: EmittedCertificate;
	/** Base64. */
	pfx: string;
}

interface OpsSuccess {
	kind: "done";
	facts: CodeFacts;
}

interface RevocationSuccess {
	kind: "revoked";
	facts: CertificateFacts;
}

export interface Rejected {
	kind: "rejected";
	rejection: Rejection;
}

/** An answer; `replayedIn` is the language of the first call's answer when this is that one, given again. */
export interface Replayable<Answer> {
	answer: Answer;
	replayedIn: "en" | "es" | null;
	/** Waiting times, added by the object, not by its use cases. */
	timings?: Timings;
}
export type RequestAnswer = RequestSuccess | Rejected;
export type ClaimAnswer = ClaimSuccess | Rejected;
export type OpsAnswer = OpsSuccess | Rejected;
export type RevocationAnswer = RevocationSuccess | Rejected;

export function isRejected(answer: unknown): answer is Rejected {
	return (answer as { kind?: unknown }).kind === "rejected";
}

export function rejected(rejection: Rejection): Rejected {
	return { kind: "rejected", rejection };
}

/** The calls that a purchase code's object takes. */
export interface CodeCalls {
	requestCertificate(call: RequestCall): Promise<Replayable<RequestAnswer>>;
	claimCertificate(call: ClaimCall): Promise<Replayable<ClaimAnswer>>;
	operate(call: OpsCall): Promise<Replayable<OpsAnswer>>;
	revokeCertificate(call: RevocationCall): Promise<Replayable<RevocationAnswer>>;
	replaceCode(call: ReplacementCall): Promise<Replayable<ReplacementAnswer>>;
	repair(call: RepairCall): Promise<Replayable<RepairAnswer>>;
	eraseHolder(call: ErasureCall): Promise<Replayable<ErasureAnswer>>;
	mend(call: Call): Promise<Replayable<MendAnswer>>;
}
