/* A session of the widget (decisions, "Widget"). Times in epoch milliseconds. */

/** State of the holder's single sign-on; `other_person`: its RUT is not the one that was typed. */
export type SignOnState = "none" | "pending" | "verified" | "other_person" | "cancelled" | "unavailable";

/**
 * - `completed`: its time was over after it had succeeded
 * - `expired`: its time was over before
 * - `replaced`: a newer session of the code
 * - `cancelled`: its partner ended it
 * - `superseded`: the code was validated or claimed by API
 * - `code_closed`: the code was cancelled or blocked for good
 * - `too_many_submits`: ten submissions in an hour were refused before the registry was asked
 */
export const SESSION_ENDS = [
	"completed",
	"expired",
	"replaced",
	"cancelled",
	"superseded",
	"code_closed",
	"too_many_submits",
] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

/** Code of an end in a 401 of the frame and in `onboarding.failed`. */
export function codeOfEnd(end: string): string {
	return end === "too_many_submits" ? "TOO_MANY_SUBMITS" : `SESSION_${end.toUpperCase()}`;
}

/** Stored facts of a session. */
export interface OnboardingSession {
	/** `os_…`. */
	id: string;
	partnerId: string;
	code: string;
	/** The partner's own reference for the validation. */
	reference: string;
	locale: "es" | "en";
	/** The holder gets the certificate in the widget (B2C). */
	claim: boolean;
	/** Origins that may embed the frame: the partner's when the session was made. */
	origins: readonly string[];
	createdAt: number;
	/** Time when the frame first presented the token. */
	startedAt: number | null;
	/** End by itself: a day after it was made until it is started, then 30 minutes after its last step. */
	until: number;
	validatedAt: number | null;
	/** Time of its success: validated, or emitted with `claim`. */
	completedAt: number | null;
	endedAt: number | null;
	endReason: SessionEnd | null;
}

type Ending = Pick<OnboardingSession, "endedAt" | "endReason" | "completedAt" | "until">;

/** Why and when the session ended; null while it lives. The cron may record the end a minute late. */
export function endOf(session: Ending, now: number): { reason: SessionEnd; at: number } | null {
	const { endedAt, endReason, completedAt, until } = session;
	if (endedAt !== null) return { reason: endReason ?? "expired", at: endedAt };
	if (until > now) return null;
	return { reason: completedAt === null ? "expired" : "completed", at: until };
}
