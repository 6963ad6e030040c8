import { z } from "@hono/zod-openapi";
import type { AttemptsLeft } from "../domain/attempts.ts";
import type { DeliveryStanding } from "../domain/delivery-standing.ts";
import type { OnboardingAnswers, OnboardingScreen } from "../domain/onboarding.ts";
import {
	endOf,
	type OnboardingSession,
	SESSION_ENDS,
	type SignOnState,
} from "../domain/onboarding-session.ts";
import { type PartnerClock, realTime } from "../domain/partner-clock.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import type { OnboardingView } from "../objects/onboarding-rpc.ts";
import { mark } from "../texts/language.ts";
import { ONBOARDING_REFERENCE } from "../texts/onboarding-reference.ts";
import { logoPath } from "./widget.ts";

/* A session as its partner sees it, and as the widget's frame does. */

/** A session of the widget as its partner sees it. */
export const sessionSchema = z
	.strictObject({
		session_id: z.string(),
		p_code: z.string(),
		referenceId: z.string(),
		status: z
			.enum(["created", "open", "validated", "completed", "ended"])
			.openapi({ description: mark(ONBOARDING_REFERENCE.sessionStatus) }),
		end_reason: z
			.enum(SESSION_ENDS)
			.nullable()
			.openapi({ description: mark(ONBOARDING_REFERENCE.sessionEndReason) }),
		created_at: dateTime,
		started_at: dateTime.nullable(),
		validated_at: dateTime.nullable(),
		ended_at: dateTime.nullable(),
		expires_at: dateTime,
	})
	.openapi("OnboardingSession");

export const SESSION_EXAMPLE: z.input<typeof sessionSchema> = {
	session_id: "os_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11",
	p_code: "7K3M-9QXT-2B4C-H8WD",
	referenceId: "order-1001",
	status: "open",
	end_reason: null,
	created_at: "2026-11-21T12:00:00.000Z",
	started_at: "2026-11-21T12:01:00.000Z",
	validated_at: null,
	ended_at: null,
	expires_at: "2026-11-21T12:33:00.000Z",
};

export function presentSession(row: OnboardingSession, now: number): z.input<typeof sessionSchema> {
	const { startedAt, validatedAt, completedAt, createdAt, until } = row;
	const ended = endOf(row, now);
	const going = completedAt !== null ? "completed" : validatedAt !== null ? "validated" : "open";
	return {
		session_id: row.id,
		p_code: row.code,
		referenceId: row.reference,
		status: ended ? "ended" : startedAt === null ? "created" : going,
		end_reason: ended?.reason ?? null,
		created_at: timestamp(createdAt),
		started_at: timestamp(startedAt),
		validated_at: timestamp(validatedAt),
		ended_at: timestamp(ended?.at ?? null),
		expires_at: timestamp(until),
	};
}

/** A new session with its token, which no other answer shows. */
export const newSessionSchema = z
	.strictObject({
		session_id: z.string(),
		token: z.string().openapi({ description: mark(ONBOARDING_REFERENCE.sessionToken) }),
		url: z.url().openapi({ description: mark(ONBOARDING_REFERENCE.sessionUrl) }),
		expires_at: dateTime,
	})
	.openapi("OnboardingSessionAnswer");

const TOKEN_EXAMPLE = "wt_K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN_H_pI4";

export const NEW_SESSION_EXAMPLE: z.input<typeof newSessionSchema> = {
	session_id: SESSION_EXAMPLE.session_id,
	token: TOKEN_EXAMPLE,
	url: `https://certificates.example/onboarding/${SESSION_EXAMPLE.session_id}#${TOKEN_EXAMPLE}`,
	expires_at: "2026-11-22T12:00:00.000Z",
};

/** `data` of every answer to the frame's calls, except the claim's. */
export interface State {
	session_id: string;
	p_code: string;
	locale: "es" | "en";
	/** A session that has ended answers 401, its `details[0].code` SESSION_<why>: SESSION_REPLACED, SESSION_EXPIRED … */
	status: "open" | "validated" | "emitted";
	/** This call has started the session: the embedding page gets the event once, not at every reload. */
	begins: boolean;
	/** Ordered by the partner's present settings. */
	steps: OnboardingScreen[];
	step: OnboardingScreen;
	/** Saved answers in canonical form. */
	answers: Answers;
	sign_on: SignOnState;
	/** Attempts of the validation while `status` is open, of the claim while it is validated, then of the download. */
	attempts: Attempts;
	/** The holder gets the certificate here. */
	claim: boolean;
	mode: "B2C" | "B2B";
	/** End of the session unless a step is taken before. */
	expires_at: string;
	partner: { name: string; accent: string | null; logo: string | null };
	terms: { version: string; terms_url: string; privacy_url: string };
	/** Present once emitted. */
	certificate?: { serialNumber: string; validFrom: string; validTo: string };
	/** B2B, once emitted: how the certificate's way to the partner stands, by the browser's clock. */
	delivery?: { status: DeliveryStanding["status"]; next_attempt_at: string | null };
}

/** Attempts left. */
interface Attempts {
	/** Until the next lock; 0 while none is possible. */
	left: number;
	/** End of the security lock by the browser's clock, RFC 3339; null without one. */
	locked_until: string | null;
	/** None will ever be possible again. */
	closed: boolean;
}

function presentAttempts({ left, lockedUntil, closed }: AttemptsLeft, clock: PartnerClock): Attempts {
	const locked_until = timestamp(lockedUntil && realTime(lockedUntil, clock));
	return { left, locked_until, closed: closed !== null };
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
	const { session, partner, certificate, delivery } = view;
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
		attempts: presentAttempts(view.attempts, clock),
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
		...(delivery && {
			delivery: {
				status: delivery.status,
				next_attempt_at: timestamp(delivery.nextAttemptAt && realTime(delivery.nextAttemptAt, clock)),
			},
		}),
	};
}
