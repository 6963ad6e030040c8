import { closedTo } from "../domain/admit-request.ts";
import { type AttemptsLeft, attemptsLeft, downloadsLeft } from "../domain/attempts.ts";
import {
	CLAIM_ATTEMPTS,
	REFUSED_SUBMITS,
	REFUSED_SUBMITS_WINDOW_MS,
	SESSION_IDLE_MS,
} from "../domain/limits.ts";
import { answersTo, screensOf } from "../domain/onboarding.ts";
import { pfxFileName } from "../domain/pfx-file-name.ts";
import type { FieldProblem } from "../domain/rejection.ts";
import { unavailable } from "./around-calls.ts";
import { claimCertificate } from "./certificate-claim.ts";
import { requestCertificate } from "./certificate-request.ts";
import { endSession } from "./onboarding-end.ts";
import { changeProgress, readProgress } from "./onboarding-progress.ts";
import type {
	OnboardingAnswer,
	OnboardingCall,
	OnboardingClaimAnswer,
	OnboardingClaimCall,
	SubmitAnswer,
	SubmitCall,
} from "./onboarding-rpc.ts";
import { enter, gone, type LiveSession, look, viewOf } from "./onboarding-view.ts";
import { type Rejected, type Replayable, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/* The two calls of a session that change its code: the use cases of certificate_request and certificate_claim. */

/**
 * Validates the holder's answers. A validated session is not validated again. Refusals before the registry is asked take
 * no place of the partner's rate, so ten of them in an hour end the session.
 */
export async function submitOnboarding(context: StepContext<SubmitCall>): Promise<SubmitAnswer> {
	let isAsked = false;
	const noteAsked = () => {
		isAsked = true;
	};
	try {
		const entered = await enter(context);
		if (entered.kind === "refused") return { ...rejected(entered.rejection), unasked: true };
		const answer = await validate({ ...context, noteAsked }, entered.live);
		if (isAsked || answer.kind !== "rejected") return answer;
		return { ...(await refuseUnasked(context, entered.live, answer)), unasked: true };
	} catch (error) {
		if (isAsked) throw error;
		return { ...unavailable(error, context.call.requestId), unasked: true };
	}
}

/** Counts the refusal, and ends the session at the last one that it bears. */
async function refuseUnasked(
	context: StepContext<SubmitCall>,
	{ session }: LiveSession,
	refusal: Rejected,
): Promise<Rejected> {
	if (!(await countRefusedSubmit(context, session))) return refusal;
	const ended = await endSession({ ...context, call: { ...context.call, reason: "too_many_submits" } });
	// A step that runs on the code keeps the session: the next refusal ends it.
	return ended.kind === "ended" ? gone(context) : refusal;
}

async function validate(context: StepContext<SubmitCall>, live: LiveSession): Promise<OnboardingAnswer> {
	const { call } = context;
	const { pin, consent } = call;
	const { session, partner } = live;
	const progress = await readProgress(context, session.id);
	if (session.validatedAt !== null) return viewOf(live, progress);
	const { rut, email, ...answers } = answersTo(screensOf(partner), progress.answers);
	if (rut === undefined || email === undefined) return missing(context, { rut, email });
	const { answer } = await requestCertificate({
		...context,
		call: {
			...call,
			idempotency: null,
			reference: session.reference,
			holder: {
				...NOT_ASKED,
				...answers,
				rut,
				email,
				pin,
				ssoCredential: progress.signOn?.credential,
			},
			partnerCopy: undefined,
			renews: undefined,
			pictures: [],
			onboarding: { ...onboardingOf(session), claim: session.claim, consent },
		},
	});
	if (answer.kind === "rejected") return answer;
	// Not read again: a failure of D1 now would read as if nothing had happened.
	const now = live.now();
	const validated = { ...session, validatedAt: now, until: now + SESSION_IDLE_MS };
	const facts = { ...live.facts, claimFailures: 0, claimLockedUntil: null };
	return viewOf({ ...live, session: validated, facts, certificate: answer.certificate }, progress);
}

/** Counts a submission that was refused before the registry was asked. @returns whether there were too many. */
async function countRefusedSubmit(
	context: StepContext<SubmitCall>,
	session: { id: string; until: number },
): Promise<boolean> {
	const now = context.platform.clock();
	const counted = await changeProgress(context, session, (before) => {
		const recent = (before.refusedSubmits ?? []).filter((time) => time > now - REFUSED_SUBMITS_WINDOW_MS);
		return { ...before, refusedSubmits: [...recent, now] };
	});
	return (counted?.refusedSubmits?.length ?? 0) >= REFUSED_SUBMITS;
}

/** Issues the certificate of a validated session to its holder, or gives it again for its token and PIN. */
export async function claimOnboarding(
	context: StepContext<OnboardingClaimCall>,
): Promise<Replayable<OnboardingClaimAnswer>> {
	const { call } = context;
	const entered = await enter(context);
	if (entered.kind === "refused") return first(rejected(entered.rejection));
	const { session, partner, certificate } = entered.live;
	const { rut } = (await readProgress(context, session.id)).answers;
	if (!session.claim || partner.mode === "B2B" || session.validatedAt === null)
		return first(rejected({ reason: "not_found" }));
	if (rut === undefined) return first(await missing(context, { rut }));
	const isIssued = certificate !== null;
	const tried = isIssued ? await countTriedPin(context, session) : 0;
	if (tried === null) return first(await gone(context));
	if (tried > CLAIM_ATTEMPTS) return first(rejected({ reason: "already_issued" }));
	const { answer, replayedIn } = await claimCertificate({
		...context,
		call: {
			...call,
			rut,
			onboarding: { ...onboardingOf(session), claim: true, consent: null },
		},
	});
	if (answer.kind === "rejected") {
		const { reason } = answer.rejection;
		const refuse = (after: AttemptsLeft) => first(rejected({ reason: "credentials_mismatch", after }));
		if (isIssued && (reason === "already_issued" || reason === "credentials_mismatch"))
			return refuse(downloadsLeft(tried));
		if (replayedIn === null || reason !== "credentials_mismatch") return { answer, replayedIn };
		// A wrong PIN that is repeated spends nothing: fewer attempts may be left now than its first answer said.
		const { facts, now } = entered.live;
		const closed = closedTo("claim", facts, now());
		return closed ? first(rejected(closed)) : refuse(attemptsLeft(facts, "claim", null, now()));
	}
	if (isIssued) await changeProgress(context, session, (before) => ({ ...before, triedPins: 0 }));
	return { answer: { ...answer, fileName: pfxFileName(rut) }, replayedIn };
}

/**
 * Limits tries of the PIN: four digits protect the issued certificate from a thief of the token. Counted before the PIN
 * is checked; the right one clears the count.
 */
async function countTriedPin(
	context: StepContext<OnboardingClaimCall>,
	session: { id: string; until: number },
): Promise<number | null> {
	const counted = await changeProgress(context, session, (before) => ({
		...before,
		triedPins: (before.triedPins ?? 0) + 1,
	}));
	return counted?.triedPins ?? null;
}

const NOT_ASKED = {
	cardSerial: undefined,
	cardExpiry: undefined,
	names: undefined,
	fatherSurname: undefined,
	motherSurname: undefined,
	phone: undefined,
};

/** Names the missing answers, unless they were erased with the session, which ended since it was entered. */
async function missing(
	context: StepContext<OnboardingCall>,
	needed: Partial<Record<"rut" | "email", string | undefined>>,
): Promise<Rejected> {
	const now = await look(context);
	if (now.kind === "refused") return rejected(now.rejection);
	const problems = Object.entries(needed)
		.filter(([, value]) => value === undefined)
		.map(([field]) => ({ field, problem: "required" }) as FieldProblem);
	return rejected({ reason: "conditional_fields", problems });
}

function onboardingOf({ id: session, reference, locale: language }: LiveSession["session"]) {
	return { session, reference, language };
}

function first<Answer>(answer: Answer): Replayable<Answer> {
	return { answer, replayedIn: null };
}
