import { enterAbandonedSerial } from "../db/certificate-register.ts";
import { markValidation, ownEmail } from "../db/change-code.ts";
import { sealHolder, storeHolder } from "../db/holder-record.ts";
import { type PartnerRow, selectPartner, settingsOf } from "../db/partners.ts";
import { type CodeRow, selectCode, selectEmailOwner, selectFacts } from "../db/read-code.ts";
import { ask, askBatch, type Statement } from "../db/register.ts";
import { evidence } from "../db/schema.ts";
import { selectWebhookSecrets, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Endpoint } from "../delivery/attempt-delivery.ts";
import { deliverAtOnce } from "../delivery/deliver-at-once.ts";
import { admitRequest } from "../domain/decide-request.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { IdentityMismatch, Rejection } from "../domain/rejection.ts";
import type { RegisteredPerson } from "../identity/civil-registry.ts";
import { fullName } from "../identity/compare-names.ts";
import { judgeIdentity } from "../identity/judge-identity.ts";
import { log } from "../telemetry/log.ts";
import { timed } from "../telemetry/timings.ts";
import { storeEvidence } from "../vault/evidence.ts";
import { hashPin } from "../vault/pin.ts";
import { beginStep, idempotencyStatements, isMisused } from "./begin-step.ts";
import type { CodeContext } from "./code-context.ts";
import { type Emission, emitCertificate } from "./emit-certificate.ts";
import { commitStep, concludeStep, giveUpStep, type StepChange } from "./end-step.ts";
import { type Lease, noteOnLease, requireLease } from "./lease.ts";
import {
	type Rejected,
	type Replayable,
	type RequestAnswer,
	type RequestCall,
	type RequestSuccess,
	rejected,
} from "./messages.ts";
import { spentValidation } from "./settle-step.ts";

type RequestContext = CodeContext<RequestCall>;

/** Keyed indexes of the holder, by which the register knows equality without knowing the holder. */
interface HolderIndexes {
	rutIndex: string;
	emailIndex: string;
}

interface Surveyed {
	row: CodeRow | null;
	settings: PartnerSettings;
	/** The partner's webhook, for the first attempt. */
	endpoint: Endpoint;
	emailOwner: string | null;
}

/**
 * certificate_request (§4.1): read → admit → mark → registry and single sign-on → judge → (B2B: issue) → commit.
 * @throws {RegisterUnavailable} before anything was decided; the caller gives the step up.
 */
export async function runRequest(
	context: RequestContext,
	hold: (lease: Lease) => void,
): Promise<Replayable<RequestAnswer>> {
	const beginning = await beginStep<RequestAnswer>(context);
	if (beginning.kind === "answered") return beginning.answer;
	const { lease } = beginning;
	if (lease) hold(lease);
	return { answer: await validate(context, lease), replayedIn: null };
}

async function validate(context: RequestContext, lease: Lease | null): Promise<RequestAnswer> {
	const indexes = await indexHolder(context);
	const survey = await surveyCode(context, lease, indexes);
	if ("reason" in survey) return refuse(context, lease, survey);

	const admission = admit(context, survey, indexes, lease === null);
	if (lease === null) {
		if (admission.kind === "admitted") throw new Error("a busy code admits nothing");
		return rejected(admission.rejection);
	}
	if (admission.kind === "rejected") {
		const { reason } = admission.rejection;
		return admission.spendsAttempt && survey.row
			? spendAttempt(context, lease, survey.row, reason as IdentityMismatch)
			: refuse(context, lease, admission.rejection);
	}
	const row = survey.row!;
	const obstacle = await mark(context, lease, row, indexes);
	if (obstacle) return refuse(context, lease, obstacle);

	noteOnLease(context.storage, lease, { attemptReserved: true });
	const verdict = await askUpstreams(context, survey.settings);
	if (verdict.kind === "mismatch") return spendAttempt(context, lease, row, verdict.reason);
	if (verdict.kind === "unavailable") {
		noteOnLease(context.storage, lease, { attemptReserved: false });
		const { upstream, detail } = verdict;
		log("warn", "upstream_unavailable", { request_id: context.call.requestId, upstream, detail });
		const reason = upstream === "registry" ? "registry_unavailable" : "service_unavailable";
		return concludeStep(context, lease, rejected({ reason }), { marked: true });
	}
	return accept(context, lease, { ...survey, row }, indexes, verdict.person);
}

async function indexHolder({ call, platform }: RequestContext): Promise<HolderIndexes> {
	const { rut, email } = call.holder;
	const [rutIndex, emailIndex] = await Promise.all([
		platform.index.of("rut", call.partnerId, rut),
		platform.index.of("email", call.partnerId, email.toLowerCase()),
	]);
	return { rutIndex, emailIndex };
}

/** First round trip: the partner's settings of this moment, the code, and whose e-mail it is. */
async function surveyCode(
	context: RequestContext,
	lease: Lease | null,
	{ emailIndex }: HolderIndexes,
): Promise<Surveyed | Rejection> {
	const { call, register } = context;
	const results = await askBatch(register, [
		selectPartner(register, call.partnerId),
		selectCode(register, call.partnerId, call.code),
		selectEmailOwner(register, call.partnerId, emailIndex),
		selectWebhookSecrets(register, call.partnerId, context.clock()),
		...idempotencyStatements(context, lease),
	]);
	const [[partner], [row], [owner], secrets] = results as [
		PartnerRow[],
		CodeRow[],
		{ rutIndex: string }[],
		WebhookSecretRow[],
	];
	if (!partner || partner.suspendedAt !== null) return { reason: "unauthorized" };
	if (isMisused(context, results)) return { reason: "idempotency_mismatch" };
	return {
		row: row ?? null,
		settings: settingsOf(partner),
		endpoint: { partner, secrets },
		emailOwner: owner?.rutIndex ?? null,
	};
}

function admit(
	{ call, clock }: RequestContext,
	survey: Surveyed,
	{ rutIndex }: HolderIndexes,
	busy: boolean,
) {
	const surroundings = { busy, emailOwner: survey.emailOwner, now: clock() };
	return admitRequest(survey.row?.facts ?? null, survey.settings, { ...call.holder, rutIndex }, surroundings);
}

/** Second round trip: the register shows the code as processing, and no other code of the RUT may follow. */
async function mark(context: RequestContext, lease: Lease, row: CodeRow, { rutIndex }: HolderIndexes) {
	const { call, register, storage, clock } = context;
	requireLease(storage, lease);
	const { partnerId, code } = call;
	const validation = {
		partnerId,
		code,
		version: row.facts.version,
		rutIndex,
		now: clock(),
		until: lease.until,
	};
	const [marked, [current]] = await ask(
		register.batch([markValidation(register, validation), selectFacts(register, partnerId, code)]),
	);
	if (marked.length > 0) return null;
	const reason =
		current?.version === row.facts.version ? "other_validation_in_progress" : "service_unavailable";
	return { reason } as const;
}

async function askUpstreams({ call, platform }: RequestContext, settings: PartnerSettings) {
	const { holder } = call;
	const credential = settings.requireCardSerial ? undefined : holder.ssoCredential;
	const [registry, sso] = await Promise.all([
		timed("registry", () =>
			platform.registry.lookUp({ rut: holder.rut, cardSerial: holder.cardSerial ?? null }),
		),
		credential === undefined ? null : timed("sso", () => platform.singleSignOn.verify(credential)),
	]);
	return judgeIdentity(settings, holder, registry, sso);
}

/** Third round trip on the way of success: evidence and certificate first, then the commit that tells of them. */
async function accept(
	context: RequestContext,
	lease: Lease,
	{ row, settings, endpoint }: Surveyed & { row: CodeRow },
	indexes: HolderIndexes,
	person: RegisteredPerson,
): Promise<RequestAnswer> {
	const { call, clock } = context;
	const holder = { rut: call.holder.rut, fullName: fullName(person), email: call.holder.email };
	const emission =
		settings.mode === "B2B"
			? await emitCertificate(context, lease, {
					row,
					settings,
					holder,
					pin: call.holder.pin,
					reference: call.reference,
					partnerCopy: call.partnerCopy ?? null,
				})
			: null;
	const now = clock();
	const answer: RequestSuccess = {
		kind: emission ? "emitted" : "validated",
		code: call.code,
		reference: call.reference,
		holder,
		certificate: emission?.certificate ?? null,
	};
	const change = {
		row,
		set: {
			validatedAt: now,
			boundRut: indexes.rutIndex,
			externalReferenceId: call.reference,
			validationFailures: 0,
			claimFailures: 0,
			lockedUntil: null,
			...emission?.set,
		},
		action: answer.kind,
		outcome: "ok",
		now,
		alongside: await validatedRows(context, lease, indexes, holder, emission),
	};
	const result = await commitStep(context, lease, change, answer);
	if (typeof result !== "string") {
		if (emission && result.kind === "emitted")
			await deliverAtOnce(context.courier, emission.deliveries, endpoint, context.later);
		return result;
	}
	if (result === "email_in_use") return refuseEmail(context, lease, row);
	await giveUpStep(context, lease);
	return rejected(await explainConflict(context, indexes));
}

/** The e-mail became another RUT's while the registry was asked: a final answer; what was signed is void. */
async function refuseEmail(context: RequestContext, lease: Lease, row: CodeRow): Promise<RequestAnswer> {
	const { register, clock } = context;
	const now = clock();
	const { partnerId, code } = row.facts;
	const { serial } = lease;
	const alongside = serial === null ? [] : [enterAbandonedSerial(register, { serial, partnerId, code, now })];
	const change = { row, set: {}, action: "validation_refused", outcome: "email_in_use", now, alongside };
	return commitOrGiveUp(context, lease, change, rejected({ reason: "email_in_use" }));
}

async function validatedRows(
	{ call, register, platform, evidence: bucket, clock }: RequestContext,
	lease: Lease,
	{ rutIndex, emailIndex }: HolderIndexes,
	holder: { rut: string; fullName: string; email: string },
	emission: Emission | null,
): Promise<Statement[]> {
	const { partnerId, code } = call;
	const now = clock();
	const pictures = await storeEvidence(
		bucket,
		platform.sealer,
		{ partnerId, validation: lease.step },
		call.pictures,
	);
	const pin = emission ? null : await hashPin(platform.pinPepper, code, call.holder.pin);
	const record = { ...holder, phone: call.holder.phone ?? null, partnerCopy: call.partnerCopy ?? null };
	const row = await sealHolder(platform.sealer, { partnerId, code, now }, record, { rutIndex, pin });
	const evidenceRows = pictures.map((picture) => ({ ...picture, partnerId, code, createdAt: now }));
	return [
		storeHolder(register, row),
		ownEmail(register, { partnerId, emailIndex, rutIndex, now }),
		...(evidenceRows.length > 0 ? [register.insert(evidence).values(evidenceRows)] : []),
		...(emission?.alongside ?? []),
	];
}

/** Ops changed the code while the step ran: what a request finds now, or that the caller may try again. */
async function explainConflict(context: RequestContext, indexes: HolderIndexes): Promise<Rejection> {
	const survey = await surveyCode(
		{ ...context, call: { ...context.call, idempotency: null } },
		null,
		indexes,
	);
	if ("reason" in survey) return survey;
	const admission = admit(context, survey, indexes, false);
	return admission.kind === "rejected" ? admission.rejection : { reason: "service_unavailable" };
}

async function spendAttempt(
	context: RequestContext,
	lease: Lease,
	row: CodeRow,
	reason: IdentityMismatch,
): Promise<RequestAnswer> {
	const now = context.clock();
	const set = spentValidation(row, now);
	const change = { row, set, action: "validation_failed", outcome: reason, now, alongside: [] };
	return commitOrGiveUp(context, lease, change, rejected({ reason }));
}

/** Commits a rejection; when ops changed the code while the step ran, the caller may try again. */
async function commitOrGiveUp(
	context: RequestContext,
	lease: Lease,
	change: StepChange,
	answer: Rejected,
): Promise<RequestAnswer> {
	const result = await commitStep(context, lease, change, answer);
	if (typeof result !== "string") return result;
	await giveUpStep(context, lease);
	return rejected({ reason: "service_unavailable" });
}

function refuse(
	context: RequestContext,
	lease: Lease | null,
	rejection: Rejection,
): Promise<RequestAnswer> | RequestAnswer {
	return lease ? concludeStep(context, lease, rejected(rejection), { marked: false }) : rejected(rejection);
}
