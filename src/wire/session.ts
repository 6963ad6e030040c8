import type { OnboardingAnswers, OnboardingScreen } from "../domain/onboarding.ts";
import type { SignOnState } from "../domain/onboarding-session.ts";
import { type PartnerClock, realTime } from "../domain/partner-clock.ts";
import type { OnboardingView } from "../objects/onboarding-rpc.ts";
import { logoPath } from "../services/widget.ts";

/* A session as the wire has it. Types alone: the frame's own code imports them too. */

/** `data` of every answer to the frame's calls, but for the claim. */
export interface State {
	session_id: string;
	p_code: string;
	locale: "es" | "en";
	/** A session that has ended answers 401, its `details[0].code` SESSION_<why>: SESSION_REPLACED, SESSION_EXPIRED … */
	status: "open" | "validated" | "emitted";
	/** This call has started the session: the embedding page is told once, not at every reload. */
	begins: boolean;
	/** In order, by the partner's settings of the moment. */
	steps: OnboardingScreen[];
	step: OnboardingScreen;
	/** What was saved, canonical. */
	answers: Answers;
	sign_on: SignOnState;
	/** The holder gets the certificate here. */
	claim: boolean;
	mode: "B2C" | "B2B";
	/** When the session ends, unless a step is taken before. */
	expires_at: string;
	partner: { name: string; accent: string | null; logo: string | null };
	terms: { version: string; terms_url: string; privacy_url: string };
	/** Once it is emitted. */
	certificate?: { serialNumber: string; validFrom: string; validTo: string };
}

interface Answers {
	dni?: string;
	serialNumber?: string;
	fechaVencimiento?: string;
	names?: string;
	fLastname?: string;
	mLastname?: string;
	phone?: string;
	email?: string;
}

/** `data` of the claim. */
export interface ClaimedFile {
	/** The PFX in base64. */
	certificate: string;
	serialNumber: string;
	validFrom: string;
	validTo: string;
	file_name: string;
}

const WIRE_ANSWER = {
	rut: "dni",
	cardSerial: "serialNumber",
	cardExpiry: "fechaVencimiento",
	names: "names",
	fatherSurname: "fLastname",
	motherSurname: "mLastname",
	phone: "phone",
	email: "email",
} as const satisfies Record<keyof OnboardingAnswers, keyof Answers>;

export interface Terms {
	version: string;
	termsUrl: string;
	privacyUrl: string;
}

export function presentState(view: OnboardingView, terms: Terms, clock: PartnerClock): State {
	const { session, partner, certificate } = view;
	const answers = Object.entries(view.answers).map(([name, value]) => [
		WIRE_ANSWER[name as keyof OnboardingAnswers],
		value,
	]);
	return {
		session_id: session.id,
		p_code: session.code,
		locale: session.locale,
		status: certificate ? "emitted" : session.validatedAt === null ? "open" : "validated",
		begins: view.begins,
		steps: view.screens,
		step: view.screen,
		answers: Object.fromEntries(answers),
		sign_on: view.signOn,
		claim: session.claim && partner.mode === "B2C",
		mode: partner.mode,
		expires_at: new Date(realTime(session.until, clock)).toISOString(),
		partner: { name: partner.name, accent: partner.accent, logo: logoPath(session.partnerId, partner.logo) },
		terms: { version: terms.version, terms_url: terms.termsUrl, privacy_url: terms.privacyUrl },
		...(certificate && {
			certificate: {
				serialNumber: certificate.serial,
				validFrom: new Date(certificate.validFrom).toISOString(),
				validTo: new Date(certificate.validTo).toISOString(),
			},
		}),
	};
}
