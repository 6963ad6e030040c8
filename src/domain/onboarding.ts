import type { ChangedFacts } from "./code-event.ts";
import { asksCardSerial, asksSingleSignOn, type PartnerSettings } from "./partner-settings.ts";

/*
 * A holder's way through the widget: a session of one purchase code (decisions, "Widget"). Times in epoch
 * milliseconds.
 */

/** Screens of the widget, in order; on the wire they are `steps`. */
export const ONBOARDING_SCREENS = [
	"rut",
	"card",
	"expiry",
	"name",
	"sign_on",
	"email",
	"pin",
	"review",
] as const;
export type OnboardingScreen = (typeof ONBOARDING_SCREENS)[number];

/** The screens that a validation needs with these settings, in their order. */
export function screensOf(settings: PartnerSettings): OnboardingScreen[] {
	const skipped: Partial<Record<OnboardingScreen, boolean>> = {
		card: !asksCardSerial(settings),
		expiry: !settings.validateCardExpiry,
		name: settings.requireCardSerial,
		sign_on: !asksSingleSignOn(settings),
	};
	return ONBOARDING_SCREENS.filter((screen) => !skipped[screen]);
}

/** Answers typed by the holder, canonical. They never include the PIN. */
export interface OnboardingAnswers {
	rut?: string;
	cardSerial?: string;
	cardExpiry?: string;
	names?: string;
	fatherSurname?: string;
	motherSurname?: string;
	phone?: string;
	email?: string;
}

const ANSWERS_OF: Record<OnboardingScreen, readonly (keyof OnboardingAnswers)[]> = {
	rut: ["rut"],
	card: ["cardSerial"],
	expiry: ["cardExpiry"],
	name: ["names", "fatherSurname", "motherSurname", "phone"],
	sign_on: [],
	email: ["email"],
	pin: [],
	review: [],
};

/** Leaves out what these screens do not ask: the partner's settings may have changed since it was typed. */
export function answersTo(
	screens: readonly OnboardingScreen[],
	answers: OnboardingAnswers,
): OnboardingAnswers {
	const asked = screens.flatMap((screen) => ANSWERS_OF[screen]);
	return Object.fromEntries(asked.map((name) => [name, answers[name]]).filter(([, value]) => value));
}

/** Why a change of the code ends its sessions; null when it does not. */
export function endBy(set: ChangedFacts): "code_closed" | "superseded" | null {
	if (set.cancelledAt != null || set.blockedAt != null) return "code_closed";
	return set.validatedAt != null || set.issuedAt != null ? "superseded" : null;
}
