import { markValidation } from "../db/change-code.ts";
import { ask } from "../db/query.ts";
import { type CodeRow, selectFacts } from "../db/read-code.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { IdentityMismatch, Rejection } from "../domain/rejection.ts";
import { judgeIdentity } from "../identity/judge-identity.ts";
import { log } from "../telemetry/log.ts";
import { timed } from "../telemetry/timings.ts";
import { acceptRequest } from "./accept-request.ts";
import { beginStep } from "./begin-step.ts";
import { answerBeside, commitOrGiveUp, concludeStep } from "./end-step.ts";
import { type Lease, noteOnLease, requireLease } from "./lease.ts";
import { type Replayable, type RequestAnswer, rejected } from "./rpc.ts";
import { spentValidation } from "./settle-step.ts";
import {
	admitSurveyed,
	type HolderIndexes,
	indexHolder,
	type RequestContext,
	surveyRequest,
} from "./survey-request.ts";

/**
 * certificate_request (§4.1): read → admit → mark → registry and single sign-on → judge → (B2B: issue) → commit.
 * @throws {Unavailable} before anything was decided; the caller gives the step up.
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
	const survey = await surveyRequest(context, lease, indexes);
	if ("reason" in survey) return refuse(context, lease, survey);

	const admission = admitSurveyed(context, survey, indexes, lease === null);
	if (lease === null) {
		if (admission.kind === "admitted") throw new Error("a busy code admits nothing");
		return answerBeside(context, admission.rejection);
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
	return acceptRequest(context, lease, { ...survey, row }, indexes, verdict.person);
}

/** Second round trip: the register shows the code as processing, and no other code of the RUT may follow. */
async function mark(context: RequestContext, lease: Lease, row: CodeRow, { rutIndex }: HolderIndexes) {
	const { call, db, storage, clock } = context;
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
		db.batch([markValidation(db, validation), selectFacts(db, partnerId, code)]),
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

function refuse(
	context: RequestContext,
	lease: Lease | null,
	rejection: Rejection,
): Promise<RequestAnswer> | RequestAnswer {
	return lease ? concludeStep(context, lease, rejected(rejection), { marked: false }) : rejected(rejection);
}
