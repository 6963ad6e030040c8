import type { Consent } from "../db/holders.ts";
import type { AttemptsLeft } from "../domain/attempts.ts";
import type { DeliveryStanding } from "../domain/delivery-standing.ts";
import type { OnboardingAnswers, OnboardingScreen } from "../domain/onboarding.ts";
import type { OnboardingSession, SignOnState } from "../domain/onboarding-session.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Call, ClaimSuccess, EmittedCertificate, Rejected, Replayable } from "./rpc.ts";

/* Types of the widget's calls to a purchase code's object, as in rpc.ts. Times in epoch milliseconds. */

export interface SessionCall extends Call {
	reference: string;
	locale: "es" | "en";
	/** Undefined: not sent. */
	claim: boolean | undefined;
	prefill: { rut: string | undefined; email: string | undefined };
}

/** A call of the frame, or of a partner or the cron on a session. */
export interface OnboardingCall extends Call {
	session: string;
}

export interface AnswersCall extends OnboardingCall {
	/** Screen that the holder sees now; undefined: unchanged. */
	screen: OnboardingScreen | undefined;
	/** Null clears an answer, undefined means unchanged. */
	answers: { [Name in keyof OnboardingAnswers]: string | null | undefined };
}

export interface SubmitCall extends OnboardingCall {
	pin: string;
	consent: Consent;
}

export interface OnboardingClaimCall extends OnboardingCall {
	pin: string;
}

export interface EndCall extends OnboardingCall {
	/** `expired`: if its time is over, and nothing else. */
	reason: "cancelled" | "expired" | "too_many_submits";
}

/** Return of the single sign-on's window, with a code or with an error. */
export interface SignOnReturn extends OnboardingCall {
	/** Random part of the returned state. */
	random: string;
	authorizationCode: string | null;
	/** One of those that RFC 6749 §4.1.2.1 names, or `other`; null with a code. */
	error: string | null;
}

export interface SignOnBegun {
	kind: "sign_on_begun";
	/** Query of the address where a browser signs on. */
	query: string;
}

export type SignOnEnd = Exclude<SignOnState, "none" | "pending">;

export interface SignOnEnded {
	kind: "sign_on_ended";
	/** `refused`: no pending sign-on of the session has this state, and none has changed. */
	end: SignOnEnd | "refused";
}

interface SessionMade {
	kind: "session_made";
	session: string;
	/** Shown only now; its hash alone is stored. */
	token: string;
	until: number;
}

/** A session as its frame shows it. */
export interface OnboardingView {
	kind: "onboarding";
	session: OnboardingSession;
	partner: Pick<PartnerSettings, "name" | "mode"> & { accent: string | null; logo: string | null };
	screens: OnboardingScreen[];
	screen: OnboardingScreen;
	answers: OnboardingAnswers;
	signOn: SignOnState;
	/** Certificate of the code, once issued. */
	certificate: EmittedCertificate | null;
	/** B2B: how its delivery to the partner stands, once issued. */
	delivery: DeliveryStanding | null;
	/** Attempts of the step that comes next: validation, claim, or download. */
	attempts: AttemptsLeft;
	/** This call has started the session. */
	begins: boolean;
}

interface SessionEnded {
	kind: "ended" | "kept";
	session: OnboardingSession;
}

export type SessionAnswer = SessionMade | Rejected;
export type OnboardingAnswer = OnboardingView | Rejected;
/** `unasked`: refused before the registry was asked. */
export type SubmitAnswer = OnboardingView | (Rejected & { unasked?: boolean });
export type OnboardingClaimAnswer = (ClaimSuccess & { fileName: string }) | Rejected;
export type EndAnswer = SessionEnded | Rejected;

/** The widget's calls that a purchase code's object takes. */
export interface OnboardingCalls {
	makeSession(call: SessionCall): Promise<Replayable<SessionAnswer>>;
	endSession(call: EndCall): Promise<Replayable<EndAnswer>>;
	showOnboarding(call: OnboardingCall): Promise<Replayable<OnboardingAnswer>>;
	openOnboarding(call: OnboardingCall): Promise<Replayable<OnboardingAnswer>>;
	saveAnswers(call: AnswersCall): Promise<Replayable<OnboardingAnswer>>;
	beginSignOn(call: OnboardingCall): Promise<Replayable<SignOnBegun | Rejected>>;
	finishSignOn(call: SignOnReturn): Promise<Replayable<SignOnEnded | Rejected>>;
	submitOnboarding(call: SubmitCall): Promise<Replayable<SubmitAnswer>>;
	claimOnboarding(call: OnboardingClaimCall): Promise<Replayable<OnboardingClaimAnswer>>;
}
