/*
 * Types of /widget/v1.js, and of the events that it hands to onEvent.
 *
 *   import type { OnboardingEvent } from "./onboarding-widget";   // this file, saved beside your code
 *   window.OnboardingWidget.open({ element, sessionId, token, onEvent });
 */

interface EventBase<Name extends string> {
	type: `onboarding.${Name}`;
	version: 1;
	session_id: string;
	p_code: string;
}

type OnboardingStep = "rut" | "card" | "expiry" | "name" | "sign_on" | "email" | "pin" | "review";

/** Why the frame gave no answer: the page's own policy, an origin that the session does not have, or nothing loaded. */
type SilentFrame = "page_policy" | "not_allowed" | "not_loaded";

/** No event holds a RUT, a name, a PIN or the certificate. */
export type OnboardingEvent =
	/** The frame is there; the script answers with the token. */
	| EventBase<"ready">
	/** The frame wants this height, in CSS pixels; the script has given it already. */
	| (EventBase<"resize"> & { height: number })
	/** The session's token was accepted for the first time: `GET /status` says IN_ONBOARDING. Not again after a reload. */
	| EventBase<"started">
	/** The holder sees this step. */
	| (EventBase<"step"> & { name: OnboardingStep })
	/** The identity was validated. */
	| EventBase<"validated">
	/** The certificate was issued. */
	| EventBase<"emitted">
	/** Something was refused: an `error` or a `details[].code` of the reference, SESSION_REPLACED and the like, TOO_MANY_SUBMITS, or
	 * FRAME_NOT_READY with its `reason`. Not the end: the holder may correct it, unless the session is over. */
	| (EventBase<"failed"> & { code: string; reason?: SilentFrame })
	/** The session ended before it was completed. */
	| EventBase<"expired">
	/** The widget was closed, by the holder or by `close()`. The session goes on until its end. */
	| EventBase<"closed">;

export interface OnboardingOptions {
	/** Container of the widget: an element or its selector. */
	element: Element | string;
	/** `session_id` of `POST /api/partners/v1/onboarding_sessions`. */
	sessionId: string;
	/** `token` of the same answer. Keep it in memory only. */
	token: string;
	onEvent?: (event: OnboardingEvent) => void;
}

export interface OnboardingHandle {
	/** Takes the widget out of the page. */
	close(): void;
}

declare global {
	interface Window {
		OnboardingWidget: { open(options: OnboardingOptions): OnboardingHandle };
	}
}
