import { lostAuditRace } from "../db/audit-events.ts";
import { selectCertificatesOfCode } from "../db/certificates.ts";
import { markOnboarding, prolongSession, selectSession, startSession } from "../db/onboarding-sessions.ts";
import { selectCarrying } from "../db/outbox.ts";
import { type PartnerRow, selectCaller } from "../db/partners.ts";
import { selectFacts } from "../db/purchase-codes.ts";
import { batch } from "../db/query.ts";
import { selectRutAttempts } from "../db/rut-attempts.ts";
import { attemptsLeft, downloadsLeft, type RutAttempts } from "../domain/attempts.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { type DeliveryStanding, standingOf } from "../domain/delivery-standing.ts";
import { SESSION_IDLE_MS } from "../domain/limits.ts";
import { screensOf } from "../domain/onboarding.ts";
import type { OnboardingSession } from "../domain/onboarding-session.ts";
import type { Rejection } from "../domain/rejection.ts";
import { judgeSession } from "./onboarding-end.ts";
import { type Progress, prolongProgress, readProgress } from "./onboarding-progress.ts";
import type { OnboardingAnswer, OnboardingCall, OnboardingView } from "./onboarding-rpc.ts";
import { type EmittedCertificate, type Rejected, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/* Start of every call of a frame: reads the session as it is now, its partner and its code. */

/** A living session with its partner and code. */
export interface LiveSession {
	session: OnboardingSession;
	/** The partner's time. */
	now: () => number;
	partner: PartnerRow;
	facts: CodeFacts;
	certificate: EmittedCertificate | null;
	delivery: DeliveryStanding | null;
	/** Failed validations of the holder's RUT. */
	rut: RutAttempts | null;
	/** This call has started it. */
	begins: boolean;
}

type Entered = { kind: "live"; live: LiveSession } | { kind: "refused"; rejection: Rejection };

/** Reads the session of a call that changes nothing. */
export function look(context: StepContext<OnboardingCall>): Promise<Entered> {
	return read(context, false);
}

/**
 * Enters the session for a call that changes it: the first starts it, and each prolongs it from now.
 * @param typed - RUT that the call brings; undefined: the one typed before
 */
export async function enter(context: StepContext<OnboardingCall>, typed?: string): Promise<Entered> {
	const { call, db, platform, storage } = context;
	const entered = await read(context, true, typed);
	if (entered.kind === "refused") return entered;
	prolongProgress(storage, entered.live.session);
	if (entered.live.session.startedAt !== null) return entered;
	const { actor, requestId } = call;
	const now = entered.live.now();
	try {
		await startSession(db, call, now, { actor, requestId, now: platform.clock() });
	} catch (error) {
		if (!lostAuditRace(error)) throw error;
		return read(context, true, typed);
	}
	// Not read again: a failure of D1 now would read as if nothing had happened.
	const session = { ...entered.live.session, startedAt: now, until: now + SESSION_IDLE_MS };
	prolongProgress(storage, session);
	return { kind: "live", live: { ...entered.live, session, begins: true } };
}

async function read(
	context: StepContext<OnboardingCall>,
	prolongs: boolean,
	typed?: string,
): Promise<Entered> {
	const { call, db, platform } = context;
	const { clock } = platform;
	const { partnerId } = call;
	const rut = typed ?? (await readProgress(context, call.session)).answers.rut;
	const rutIndex = rut === undefined ? null : await platform.index.of("rut", partnerId, rut);
	const found = await batch(db, {
		prolonged: prolongs ? prolongSession(db, call, clock()) : null,
		marked: prolongs ? markOnboarding(db, call) : null,
		session: selectSession(db, call),
		partner: selectCaller(db, call),
		code: selectFacts(db, call),
		certificates: selectCertificatesOfCode(db, call),
		carrying: selectCarrying(db, call),
		rut: rutIndex === null ? null : selectRutAttempts(db, { partnerId, rutIndex }),
	});
	const [row] = found.session;
	const [partner] = found.partner;
	const [facts] = found.code;
	if (!row || row.code !== call.code || !partner || partner.suspendedAt !== null || !facts)
		return { kind: "refused", rejection: { reason: "unauthorized" } };
	const { session, now, end } = judgeSession(platform, row);
	if (end) return { kind: "refused", rejection: { reason: "session_ended", end: end.reason } };
	const issued = found.certificates.find(({ serial }) => serial === facts.certificateSerial);
	const certificate =
		facts.issuedAt === null || !issued
			? null
			: {
					serial: issued.serial,
					validFrom: issued.notBefore ?? facts.issuedAt,
					validTo: issued.notAfter ?? facts.issuedAt,
				};
	const rutAttempts = found.rut?.[0] ?? null;
	return {
		kind: "live",
		live: {
			...{ session, now, partner, facts, certificate, rut: rutAttempts, begins: false },
			delivery: standingOf(found.carrying),
		},
	};
}

/** `GET` of a session. */
export async function showOnboarding(context: StepContext<OnboardingCall>): Promise<OnboardingAnswer> {
	return present(context, await look(context));
}

/** Accepts the frame's token: the code is in onboarding from the first time on. */
export async function openOnboarding(context: StepContext<OnboardingCall>): Promise<OnboardingAnswer> {
	return present(context, await enter(context));
}

async function present(context: StepContext<OnboardingCall>, entered: Entered): Promise<OnboardingAnswer> {
	if (entered.kind === "refused") return rejected(entered.rejection);
	return viewOf(entered.live, await readProgress(context, context.call.session));
}

/** Erases the holder's answers: the session ended, or its time was over, after it was read. */
export async function gone(context: StepContext<OnboardingCall>): Promise<Rejected> {
	const now = await look(context);
	return rejected(now.kind === "refused" ? now.rejection : { reason: "session_ended", end: "expired" });
}

export function viewOf(live: LiveSession, { answers, screen, signOn, triedPins }: Progress): OnboardingView {
	const { session, partner, certificate, delivery, begins, facts, rut, now } = live;
	const { name, mode, widgetAccent: accent, widgetLogo: logo } = partner;
	const screens = screensOf(partner);
	return {
		kind: "onboarding",
		session,
		partner: { name, mode, accent, logo },
		screens,
		screen: screen !== null && screens.includes(screen) ? screen : screens[0]!,
		answers,
		signOn: signOn?.state ?? "none",
		certificate,
		delivery,
		attempts:
			certificate !== null
				? downloadsLeft(triedPins)
				: session.validatedAt === null
					? attemptsLeft(facts, "validation", rut, now())
					: attemptsLeft(facts, "claim", null, now()),
		begins,
	};
}
