import { lostAuditRace } from "../db/audit-events.ts";
import { selectCertificatesOfCode } from "../db/certificates.ts";
import { markOnboarding, prolongSession, selectSession, startSession } from "../db/onboarding-sessions.ts";
import { type PartnerRow, selectCaller } from "../db/partners.ts";
import { selectFacts } from "../db/purchase-codes.ts";
import { batch } from "../db/query.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
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
	/** This call has started it. */
	begins: boolean;
}

type Entered = { kind: "live"; live: LiveSession } | { kind: "refused"; rejection: Rejection };

/** Reads the session of a call that changes nothing. */
export function look(context: StepContext<OnboardingCall>): Promise<Entered> {
	return read(context, false);
}

/** Enters the session for a call that changes it: the first starts it, and each prolongs it from now. */
export async function enter(context: StepContext<OnboardingCall>): Promise<Entered> {
	const { call, platform, storage } = context;
	const entered = await read(context, true);
	if (entered.kind === "refused") return entered;
	prolongProgress(storage, entered.live.session);
	if (entered.live.session.startedAt !== null) return entered;
	const { actor, requestId } = call;
	const now = entered.live.now();
	try {
		await startSession(platform.db, call, now, { actor, requestId, now: platform.clock() });
	} catch (error) {
		if (!lostAuditRace(error)) throw error;
		return read(context, true);
	}
	// Not read again: a failure of D1 now would read as if nothing had happened.
	const session = { ...entered.live.session, startedAt: now, until: now + SESSION_IDLE_MS };
	prolongProgress(storage, session);
	return { kind: "live", live: { ...entered.live, session, begins: true } };
}

async function read({ call, platform }: StepContext<OnboardingCall>, prolongs: boolean): Promise<Entered> {
	const { db, clock } = platform;
	const found = await batch(db, {
		prolonged: prolongs ? prolongSession(db, call, clock()) : null,
		marked: prolongs ? markOnboarding(db, call) : null,
		session: selectSession(db, call),
		partner: selectCaller(db, call),
		code: selectFacts(db, call),
		certificates: selectCertificatesOfCode(db, call),
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
	return { kind: "live", live: { session, now, partner, facts, certificate, begins: false } };
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

export function viewOf(
	{ session, partner, certificate, begins }: LiveSession,
	{ answers, screen, signOn }: Progress,
): OnboardingView {
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
		begins,
	};
}
