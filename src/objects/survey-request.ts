import { type PartnerRow, selectPartner, settingsOf } from "../db/partners.ts";
import { askBatch } from "../db/query.ts";
import { type CodeRow, selectCode, selectEmailOwner } from "../db/read-code.ts";
import { selectWebhookSecrets, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Endpoint } from "../delivery/deliver.ts";
import { admitRequest } from "../domain/decide-request.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Rejection } from "../domain/rejection.ts";
import { idempotencyStatements, isMisused } from "./begin-step.ts";
import type { CodeContext } from "./code-context.ts";
import type { Lease } from "./lease.ts";
import type { RequestCall } from "./rpc.ts";

/* What a certificate_request reads before it decides, and the decision on it. */

export type RequestContext = CodeContext<RequestCall>;

/** Keyed indexes of the holder, by which the register knows equality without knowing the holder. */
export interface HolderIndexes {
	rutIndex: string;
	emailIndex: string;
}

export interface Surveyed {
	row: CodeRow | null;
	settings: PartnerSettings;
	/** The partner's webhook, for the first attempt. */
	endpoint: Endpoint;
	emailOwner: string | null;
}

export async function indexHolder({ call, platform }: RequestContext): Promise<HolderIndexes> {
	const { rut, email } = call.holder;
	const [rutIndex, emailIndex] = await Promise.all([
		platform.index.of("rut", call.partnerId, rut),
		platform.index.of("email", call.partnerId, email.toLowerCase()),
	]);
	return { rutIndex, emailIndex };
}

/** First round trip: the partner's settings of this moment, the code, and whose e-mail it is. */
export async function surveyRequest(
	context: RequestContext,
	lease: Lease | null,
	{ emailIndex }: HolderIndexes,
): Promise<Surveyed | Rejection> {
	const { call, db } = context;
	const results = await askBatch(db, [
		selectPartner(db, call.partnerId),
		selectCode(db, call.partnerId, call.code),
		selectEmailOwner(db, call.partnerId, emailIndex),
		selectWebhookSecrets(db, call.partnerId, context.clock()),
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

export function admitSurveyed(
	{ call, clock }: RequestContext,
	survey: Surveyed,
	{ rutIndex }: HolderIndexes,
	busy: boolean,
) {
	const surroundings = { busy, emailOwner: survey.emailOwner, now: clock() };
	return admitRequest(survey.row?.facts ?? null, survey.settings, { ...call.holder, rutIndex }, surroundings);
}

/** Ops changed the code while the step ran: what a request finds now, or that the caller may try again. */
export async function explainConflict(context: RequestContext, indexes: HolderIndexes): Promise<Rejection> {
	const survey = await surveyRequest(
		{ ...context, call: { ...context.call, idempotency: null } },
		null,
		indexes,
	);
	if ("reason" in survey) return survey;
	const admission = admitSurveyed(context, survey, indexes, false);
	return admission.kind === "rejected" ? admission.rejection : { reason: "service_unavailable" };
}
