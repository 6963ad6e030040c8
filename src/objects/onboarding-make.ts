import { selectCode } from "../db/code-changes.ts";
import { selectEmailOwner } from "../db/holders.ts";
import { endOpenSessions, insertSession, selectOpenSession } from "../db/onboarding-sessions.ts";
import { selectCaller } from "../db/partners.ts";
import { batch } from "../db/query.ts";
import { selectRutAttempts } from "../db/rut-attempts.ts";
import { admitOnboarding } from "../domain/admit-onboarding.ts";
import { validityOf } from "../domain/certificate-dates.ts";
import { SESSION_OPENS_MS } from "../domain/limits.ts";
import type { Rejection } from "../domain/rejection.ts";
import type { Platform } from "../platform.ts";
import { createSessionToken, hashSessionToken, newSessionId } from "../secrets/session-token.ts";
import { isMisused, openKey, selectKey } from "./idempotency.ts";
import type { Lease } from "./lease.ts";
import { endOnce } from "./onboarding-end.ts";
import { beginProgress, eraseProgressBut } from "./onboarding-progress.ts";
import type { SessionAnswer, SessionCall } from "./onboarding-rpc.ts";
import { type Replayable, rejected } from "./rpc.ts";
import { runStep } from "./step.ts";
import type { Ending, ReadContext, Step, StepContext } from "./use-case.ts";

type Made = Exclude<SessionAnswer, { kind: "rejected" }>;

/** Makes a session of a code for its partner: read → decide → commit. It ends the code's earlier session. */
export function makeSession(context: StepContext<SessionCall>): Promise<Replayable<SessionAnswer>> {
	return runStep(context, { read, run, explain });
}

async function read({ call, db, platform }: StepContext<SessionCall>, lease: Lease | null) {
	const { clock } = platform;
	const { partnerId } = call;
	const { rutIndex, emailIndex } = await indexPrefill(call, platform);
	const rows = await batch(db, {
		opened: lease && openKey(db, call, clock()),
		partner: selectCaller(db, call),
		code: selectCode(db, call),
		open: selectOpenSession(db, call),
		emailOwner: emailIndex === undefined ? null : selectEmailOwner(db, partnerId, emailIndex),
		rutAttempts: rutIndex === undefined ? null : selectRutAttempts(db, { partnerId, rutIndex }),
		key: selectKey(db, call, clock()),
	});
	return { ...rows, rutIndex };
}

type Read = Awaited<ReturnType<typeof read>>;

async function run(step: Step<SessionCall>, read: Read): Promise<Ending<Made>> {
	const { call, db } = step;
	const [row] = read.code;
	const refusal = refusalOf(step, read, false);
	if (refusal || !row) {
		const answer = rejected(refusal ?? { reason: "not_found" });
		return { change: null, answer, marked: null };
	}

	const { partnerId, code, reference, locale } = call;
	const now = step.now();
	const [partner] = read.partner;
	const [open] = read.open;
	if (open && open.until <= now) await endOnce(step, open.id, "expired");
	const id = newSessionId(step.partnerNumber);
	const token = createSessionToken();
	const until = now + SESSION_OPENS_MS;
	const { rut, email } = call.prefill;
	// Must precede the commit: a committed session always has its progress.
	await beginProgress(
		step,
		{ id, until },
		{
			...(rut !== undefined && { rut }),
			...(email !== undefined && { email }),
		},
	);
	const session = {
		id,
		partnerId,
		code,
		tokenHash: await hashSessionToken(token),
		reference,
		locale,
		claim: partner!.mode === "B2C" && call.claim !== false,
		origins: partner!.widgetOrigins,
		createdAt: now,
		startedAt: null,
		until,
		validatedAt: null,
		completedAt: null,
		endedAt: null,
		endReason: null,
	};
	return {
		change: {
			row,
			set: { onboardingUntil: null },
			action: "session_made",
			outcome: id,
			now,
			alongside: [
				endOpenSessions(db, call, { reason: "replaced", now, except: null }),
				insertSession(db, session),
			],
		},
		answer: { kind: "session_made", session: id, token, until },
		committed: () => eraseProgressBut(step.storage, id),
	};
}

function explain(context: ReadContext<SessionCall>, read: Read, busy: boolean): Rejection {
	return refusalOf(context, read, busy) ?? { reason: "service_unavailable" };
}

/** Keyed indexes of the holder's data from the partner. */
type Indexes = { rutIndex: string | undefined; emailIndex: string | undefined };

async function indexPrefill({ partnerId, prefill }: SessionCall, { index }: Platform): Promise<Indexes> {
	const [rutIndex, emailIndex] = await Promise.all([
		prefill.rut === undefined ? undefined : index.of("rut", partnerId, prefill.rut),
		prefill.email === undefined ? undefined : index.of("email", partnerId, prefill.email.toLowerCase()),
	]);
	return { rutIndex, emailIndex };
}

function refusalOf(
	{ call, platform, now }: ReadContext<SessionCall>,
	read: Read,
	busy: boolean,
): Rejection | null {
	const [partner] = read.partner;
	if (!partner || partner.suspendedAt !== null) return { reason: "unauthorized" };
	if (isMisused(call, read.key)) return { reason: "idempotency_mismatch" };
	const facts = read.code[0]?.facts ?? null;
	return admitOnboarding(
		facts,
		partner,
		{ claim: call.claim, rutIndex: read.rutIndex },
		{
			busy,
			emailOwner: read.emailOwner?.[0]?.rutIndex ?? null,
			rutLockedUntil: read.rutAttempts?.[0]?.lockedUntil ?? null,
			issuable: facts !== null && validityOf(facts.product, platform.clock(), platform.authority) !== null,
			now: now(),
		},
	);
}
