import { type CodeRow, markValidation } from "../db/code-changes.ts";
import { insertEvidence } from "../db/evidence.ts";
import { ownEmail, sealHolder, storeHolder } from "../db/holders.ts";
import { selectFacts } from "../db/purchase-codes.ts";
import { batch, type Statement } from "../db/query.ts";
import {
	countRutFailure,
	forgetRutFailures,
	requireUnlocked,
	selectRutAttempts,
} from "../db/rut-attempts.ts";
import { deliverAtOnce } from "../delivery/deliver.ts";
import { enqueue } from "../delivery/queue.ts";
import { attemptsLeft, failedAttempt, failedRut } from "../domain/attempts.ts";
import { asksCardSerial, asksSingleSignOn } from "../domain/partner-settings.ts";
import type { IdentityMismatch, Rejection } from "../domain/rejection.ts";
import { fullName } from "../identity/compare-names.ts";
import { judgeIdentity } from "../identity/judge-identity.ts";
import { storeEvidence } from "../secrets/evidence.ts";
import { hashPin } from "../secrets/pin-hash.ts";
import { log } from "../telemetry/log.ts";
import { timed } from "../telemetry/timings.ts";
import { issueCertificate } from "./issue.ts";
import { markedUntil, noteOnLease, requireLease } from "./lease.ts";
import { noteOnboarding } from "./onboarding-success.ts";
import { admit, type HolderIndexes, type RequestRead, readRequest } from "./request-admission.ts";
import {
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	type RequestSuccess,
	rejected,
} from "./rpc.ts";
import { runStep } from "./step.ts";
import type { Ending, ReadContext, Step, StepContext } from "./use-case.ts";

/** certificate_request (§4.1): read → decide → mark → ask → judge → (B2B: issue) → commit. */
export function requestCertificate(context: StepContext<RequestCall>): Promise<Replayable<RequestAnswer>> {
	return runStep(context, { read: readRequest, run, explain });
}

async function run(step: Step<RequestCall>, read: RequestRead): Promise<Ending<RequestSuccess>> {
	const { call, db, platform, storage, lease, waitingKey } = step;
	const { indexes } = read;

	// Decide.
	const admission = admit(step, read, false);
	if (admission.kind === "rejected") {
		const { rejection, spendsAttempt } = admission;
		if (rejection.reason === "delivery_address_missing")
			log("error", rejection.reason, { request_id: call.requestId, partner_id: call.partnerId });
		const [row] = read.code;
		if (!spendsAttempt || !row) return endRefused(rejection, null);
		// No mark prevents another code's failure: a lock that it opened since is an obstacle to this one.
		return fail(step, read, row, "rut_mismatch", [
			requireUnlocked(db, { partnerId: call.partnerId, ...indexes }, step.now()),
		]);
	}
	const { row, settings, endpoint } = admission;

	// Mark: D1 shows the code as processing, unless another code of the RUT is, or the RUT has been locked since.
	const obstacle = await mark(step, row, indexes);
	if (obstacle) return endRefused(obstacle, null);

	// Ask. The attempt is reserved first, so that neither a crash nor a dropped connection is a free guess.
	noteOnLease(storage, lease, { attemptReserved: true, rutIndex: indexes.rutIndex });
	// The output gate holds the question until the note is stored. The key is made after it left, for it holds the thread.
	await storage.sync();
	step.noteAsked?.();
	const { holder } = call;
	const credential = asksSingleSignOn(settings) ? holder.ssoCredential : undefined;
	const cardSerial = asksCardSerial(settings) ? (holder.cardSerial ?? null) : null;
	const [registry, sso] = await Promise.all([
		timed("registry", () => platform.registry.lookUp({ rut: holder.rut, cardSerial })),
		credential === undefined ? null : timed("sso", () => platform.singleSignOn.verify(credential)),
		waitingKey.prepare(settings.keyAlgorithm, platform.clock()),
	]);

	// Judge.
	const verdict = judgeIdentity(settings, holder, registry, sso);
	if (verdict.kind === "mismatch") return fail(step, read, row, verdict.reason);
	if (verdict.kind === "unavailable") {
		noteOnLease(storage, lease, { attemptReserved: false });
		const { upstream, detail } = verdict;
		log("warn", "upstream_unavailable", { request_id: call.requestId, upstream, detail });
		return endRefused({ reason: `${upstream}_unavailable` }, markedUntil(lease, row));
	}

	// Pictures first: a bucket that fails must not leave signed serials behind. B2B: issue.
	const { partnerId, code, reference } = call;
	const owner = { partnerId, validation: lease.stepId };
	const pictures = await storeEvidence(platform.evidence, platform.sealer, owner, call.pictures);
	const person = { rut: holder.rut, fullName: fullName(verdict.person), email: holder.email };
	const { partnerCopy = null, renews = null } = call;
	const language = call.onboarding?.language ?? null;
	const issued =
		settings.mode === "B2B"
			? await issueCertificate(step, {
					facts: row.facts,
					settings,
					holder: person,
					pin: holder.pin,
					reference,
					renews,
					partnerCopy,
					language,
				})
			: null;

	// Commit, deliver and answer.
	const now = step.now();
	const record = { ...person, phone: holder.phone ?? null, partnerCopy, renews, language };
	const pin = issued ? null : await hashPin(platform.pinPepper, code, holder.pin);
	const holderRow = await sealHolder(platform.sealer, { partnerId, code, now }, record, {
		...indexes,
		pin,
		consent: call.onboarding?.consent ?? null,
	});
	const noted = noteOnboarding(step, call.onboarding, { settings, emitted: issued !== null, now });
	const evidence = pictures.map((picture) => ({ ...picture, partnerId, code, createdAt: now }));
	const kind = issued ? "emitted" : "validated";
	return {
		change: {
			row,
			set: {
				validatedAt: now,
				boundRut: indexes.rutIndex,
				externalReferenceId: reference,
				validationFailures: 0,
				claimFailures: 0,
				validationLockedUntil: null,
				claimLockedUntil: null,
				...issued?.set,
			},
			action: kind,
			outcome: "ok",
			now,
			alongside: [
				storeHolder(db, holderRow),
				ownEmail(db, { partnerId, ...indexes, now }),
				forgetRutFailures(db, { partnerId, ...indexes }),
				...insertEvidence(db, evidence),
				...(issued?.alongside ?? []),
				...noted.alongside,
			],
			events: noted.events,
		},
		answer: { kind, code, reference, holder: person, certificate: issued?.certificate ?? null },
		committed: async () => {
			if (!issued) return;
			const { atOnce, queued } = issued.deliveries;
			await deliverAtOnce(platform, atOnce, endpoint, step.later);
			step.later(enqueue(platform, partnerId, queued));
		},
	};
}

function explain(context: ReadContext<RequestCall>, read: RequestRead, busy: boolean): Rejection {
	const admission = admit(context, read, busy);
	return admission.kind === "rejected" ? admission.rejection : { reason: "service_unavailable" };
}

async function mark(
	step: Step<RequestCall>,
	row: CodeRow,
	{ rutIndex }: HolderIndexes,
): Promise<Rejection | null> {
	const { call, db, storage, lease } = step;
	const { version } = row.facts;
	const { partnerId, code } = call;
	requireLease(storage, lease);
	const now = step.now();
	const until = markedUntil(lease, row);
	const read = await batch(db, {
		marked: markValidation(db, { partnerId, code, version, rutIndex, now, until }),
		facts: selectFacts(db, { partnerId, code }),
		rutAttempts: selectRutAttempts(db, { partnerId, rutIndex }),
	});
	if (read.marked.length > 0) return null;
	const lockedUntil = read.rutAttempts[0]?.lockedUntil ?? 0;
	if (lockedUntil > now) return { reason: "rut_locked", retryAfterMs: lockedUntil - step.now() };
	const unchanged = read.facts[0]?.version === version;
	return { reason: unchanged ? "other_validation_in_progress" : "service_unavailable" };
}

function endRefused(rejection: Rejection, marked: number | null): Ending<never> {
	return { change: null, answer: rejected(rejection), marked };
}

/** An identity check failed: spends an attempt of the code and of the RUT, and answers how many were left as they were read. */
function fail(
	step: Step<RequestCall>,
	read: RequestRead,
	row: CodeRow,
	reason: IdentityMismatch,
	conditions: readonly Statement[] = [],
): Ending<never> {
	const { partnerId } = step.call;
	const { rutIndex } = read.indexes;
	const now = step.now();
	const set = failedAttempt(row.facts, "validation", now);
	const alongside = [...conditions, countRutFailure(step.db, { partnerId, rutIndex }, now)];
	const change = { row, set, action: "validation_failed" as const, outcome: reason, now, alongside };
	const rut = failedRut(read.rutAttempts[0] ?? null, now);
	const after = attemptsLeft({ ...row.facts, ...set }, "validation", rut, now);
	return { change, answer: rejected({ reason, after }) };
}
