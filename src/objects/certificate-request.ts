import { selectRenewable } from "../db/certificates.ts";
import { type CodeRow, markValidation, selectCode } from "../db/code-changes.ts";
import { insertEvidence } from "../db/evidence.ts";
import { ownEmail, sealHolder, selectEmailOwner, storeHolder } from "../db/holders.ts";
import { selectCaller, settingsOf } from "../db/partners.ts";
import { selectFacts } from "../db/purchase-codes.ts";
import { batch, type Statement } from "../db/query.ts";
import { countRutFailure, forgetRutFailures, requireUnlocked, selectRutLock } from "../db/rut-attempts.ts";
import { selectWebhookSecrets } from "../db/webhook-secrets.ts";
import { deliverAtOnce, type Endpoint } from "../delivery/deliver.ts";
import { enqueue } from "../delivery/queue.ts";
import { admitRequest } from "../domain/admit-request.ts";
import { failedAttempt } from "../domain/attempts.ts";
import { validityOf } from "../domain/certificate-dates.ts";
import { asksSingleSignOn, type PartnerSettings } from "../domain/partner-settings.ts";
import { type Refusal, type Rejection, refuse } from "../domain/rejection.ts";
import { fullName } from "../identity/compare-names.ts";
import { judgeIdentity } from "../identity/judge-identity.ts";
import type { Platform } from "../platform.ts";
import { storeEvidence } from "../secrets/evidence.ts";
import { hashPin } from "../secrets/pin-hash.ts";
import { log } from "../telemetry/log.ts";
import { timed } from "../telemetry/timings.ts";
import { isMisused, openKey, selectKey } from "./idempotency.ts";
import { issueCertificate } from "./issue.ts";
import { type Lease, markedUntil, noteOnLease, requireLease } from "./lease.ts";
import { noteOnboarding } from "./onboarding-success.ts";
import {
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	type RequestSuccess,
	rejected,
} from "./rpc.ts";
import { type Ending, type ReadContext, runStep, type Step, type StepContext } from "./step.ts";

/** certificate_request (§4.1): read → decide → mark → ask → judge → (B2B: issue) → commit. */
export function requestCertificate(context: StepContext<RequestCall>): Promise<Replayable<RequestAnswer>> {
	return runStep(context, { read, run, explain });
}

/** The partner's settings of this moment, the code, whose e-mail it is, whether the RUT is locked, what is renewed. */
async function read({ call, platform }: StepContext<RequestCall>, lease: Lease | null) {
	const { db, clock } = platform;
	const { partnerId, code, renews: serial } = call;
	const indexes = await indexHolder(call, platform);
	const { rutIndex, emailIndex } = indexes;
	const rows = await batch(db, {
		opened: lease && openKey(db, call, clock()),
		partner: selectCaller(db, { partnerId }),
		code: selectCode(db, { partnerId, code }),
		emailOwner: selectEmailOwner(db, partnerId, emailIndex),
		rutLock: selectRutLock(db, { partnerId, rutIndex }, clock()),
		renewable: serial === undefined ? null : selectRenewable(db, { partnerId, serial, rutIndex }),
		secrets: selectWebhookSecrets(db, partnerId, clock()),
		key: selectKey(db, call, clock()),
	});
	return { ...rows, indexes };
}

type Read = Awaited<ReturnType<typeof read>>;

async function run(step: Step<RequestCall>, read: Read): Promise<Ending<RequestSuccess>> {
	const { call, platform, storage, lease } = step;
	const { db } = platform;
	const { indexes } = read;

	// Decide.
	const admission = admit(step, read, false);
	if (admission.kind === "rejected") {
		const { rejection, spendsAttempt } = admission;
		if (rejection.reason === "delivery_address_missing")
			log("error", rejection.reason, { request_id: call.requestId, partner_id: call.partnerId });
		const [row] = read.code;
		if (!spendsAttempt || !row) return endRefused(rejection, null);
		// No mark keeps another code's failure away: the lock that it opened since is in the way of this one.
		return fail(step, row, indexes, rejection, [
			requireUnlocked(db, { partnerId: call.partnerId, ...indexes }, step.now()),
		]);
	}
	const { row, settings, endpoint } = admission;

	// Mark: D1 shows the code as processing, unless another code of the RUT is, or the RUT has been locked since.
	const obstacle = await mark(step, row, indexes);
	if (obstacle) return endRefused(obstacle, null);

	// Ask. The attempt is reserved first, so that neither a crash nor a dropped connection is a free guess.
	noteOnLease(storage, lease, { attemptReserved: true, rutIndex: indexes.rutIndex });
	const { holder } = call;
	const credential = asksSingleSignOn(settings) ? holder.ssoCredential : undefined;
	const [registry, sso] = await Promise.all([
		timed("registry", () =>
			platform.registry.lookUp({ rut: holder.rut, cardSerial: holder.cardSerial ?? null }),
		),
		credential === undefined ? null : timed("sso", () => platform.singleSignOn.verify(credential)),
	]);

	// Judge.
	const verdict = judgeIdentity(settings, holder, registry, sso);
	if (verdict.kind === "mismatch") return fail(step, row, indexes, { reason: verdict.reason });
	if (verdict.kind === "unavailable") {
		noteOnLease(storage, lease, { attemptReserved: false });
		const { upstream, detail } = verdict;
		log("warn", "upstream_unavailable", { request_id: call.requestId, upstream, detail });
		return endRefused(
			{ reason: upstream === "registry" ? "registry_unavailable" : "service_unavailable" },
			markedUntil(lease, row),
		);
	}

	// Pictures first: a bucket that fails must not leave signed serials behind. B2B: issue.
	const { partnerId, code, reference } = call;
	const owner = { partnerId, validation: lease.stepId };
	const pictures = await storeEvidence(platform.evidence, platform.sealer, owner, call.pictures);
	const person = { rut: holder.rut, fullName: fullName(verdict.person), email: holder.email };
	const { partnerCopy = null, renews = null } = call;
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
				})
			: null;

	// Commit, deliver and answer.
	const now = step.now();
	const record = { ...person, phone: holder.phone ?? null, partnerCopy, renews };
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
				lockedUntil: null,
				lockKind: null,
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
			step.later(enqueue(platform, queued));
		},
	};
}

function explain(context: ReadContext<RequestCall>, read: Read, busy: boolean): Rejection {
	const admission = admit(context, read, busy);
	return admission.kind === "rejected" ? admission.rejection : { reason: "service_unavailable" };
}

/** Keyed indexes of the holder, by which D1 knows equality without knowing the holder. */
interface HolderIndexes {
	rutIndex: string;
	emailIndex: string;
}

async function indexHolder({ partnerId, holder }: RequestCall, { index }: Platform): Promise<HolderIndexes> {
	const [rutIndex, emailIndex] = await Promise.all([
		index.of("rut", partnerId, holder.rut),
		index.of("email", partnerId, holder.email.toLowerCase()),
	]);
	return { rutIndex, emailIndex };
}

type Admission = { kind: "admitted"; row: CodeRow; settings: PartnerSettings; endpoint: Endpoint } | Refusal;

function admit({ call, platform, now }: ReadContext<RequestCall>, read: Read, busy: boolean): Admission {
	const { rutIndex } = read.indexes;
	const [partner] = read.partner;
	if (!partner || partner.suspendedAt !== null) return refuse({ reason: "unauthorized" });
	if (isMisused(call, read.key)) return refuse({ reason: "idempotency_mismatch" });
	const [row] = read.code;
	const settings = settingsOf(partner, platform.clock());
	const emailOwner = read.emailOwner[0]?.rutIndex ?? null;
	const rutLockedUntil = read.rutLock[0]?.rutLockedUntil ?? null;
	const renewable = read.renewable === null || read.renewable.length > 0;
	const issuable =
		row !== undefined && validityOf(row.facts.product, platform.clock(), platform.authority) !== null;
	const admission = admitRequest(
		row?.facts ?? null,
		partner,
		{ ...call.holder, rutIndex },
		{ busy, emailOwner, renewable, rutLockedUntil, issuable, now: now() },
	);
	if (admission.kind === "rejected") return admission;
	return { kind: "admitted", row: row!, settings, endpoint: { partner, secrets: read.secrets, now } };
}

async function mark(
	step: Step<RequestCall>,
	row: CodeRow,
	{ rutIndex }: HolderIndexes,
): Promise<Rejection | null> {
	const { call, storage, lease } = step;
	const { db } = step.platform;
	const { version } = row.facts;
	const { partnerId, code } = call;
	requireLease(storage, lease);
	const now = step.now();
	const until = markedUntil(lease, row);
	const read = await batch(db, {
		marked: markValidation(db, { partnerId, code, version, rutIndex, now, until }),
		facts: selectFacts(db, partnerId, code),
		rutLock: selectRutLock(db, { partnerId, rutIndex }, now),
	});
	if (read.marked.length > 0) return null;
	const [lock] = read.rutLock;
	if (lock) return { reason: "rut_locked", retryAfterMs: lock.rutLockedUntil - step.now() };
	const unchanged = read.facts[0]?.version === version;
	return { reason: unchanged ? "other_validation_in_progress" : "service_unavailable" };
}

function endRefused(rejection: Rejection, marked: number | null): Ending<never> {
	return { change: null, answer: rejected(rejection), marked };
}

/** An identity check failed: spends an attempt of the code and of the RUT. */
function fail(
	step: Step<RequestCall>,
	row: CodeRow,
	{ rutIndex }: HolderIndexes,
	rejection: Rejection,
	conditions: readonly Statement[] = [],
): Ending<never> {
	const { partnerId } = step.call;
	const now = step.now();
	const set = failedAttempt(row.facts, "validation", now);
	const alongside = [...conditions, countRutFailure(step.platform.db, { partnerId, rutIndex }, now)];
	const { reason: outcome } = rejection;
	const change = { row, set, action: "validation_failed", outcome, now, alongside };
	return { change, answer: rejected(rejection) };
}
