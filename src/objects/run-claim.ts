import { markEmission } from "../db/change-code.ts";
import { openHolder } from "../db/holder-record.ts";
import { type PartnerRow, selectPartner, settingsOf } from "../db/partners.ts";
import { ask, askBatch } from "../db/query.ts";
import { type CodeRow, selectCode } from "../db/read-code.ts";
import { enqueue } from "../delivery/queue.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { decideClaim } from "../domain/decide-claim.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Rejection } from "../domain/rejection.ts";
import { pinMatches } from "../secrets/pin.ts";
import { beginStep, idempotencyStatements, isMisused } from "./begin-step.ts";
import type { CodeContext } from "./code-context.ts";
import { emitCertificate } from "./emit-certificate.ts";
import { answerBeside, commitOrGiveUp, commitStep, concludeStep, giveUpStep } from "./end-step.ts";
import type { Lease } from "./lease.ts";
import { type ClaimAnswer, type ClaimCall, type ClaimSuccess, type Replayable, rejected } from "./rpc.ts";
import { spentClaim } from "./settle-step.ts";

type ClaimContext = CodeContext<ClaimCall>;

/** `obstacle`: why the call may not go on, though it may have marked the code. */
type Surveyed = { row: CodeRow | null } & (
	| { obstacle: null; settings: PartnerSettings }
	| { obstacle: Rejection }
);

/**
 * certificate_claim (§4.2): mark and read → compare RUT and PIN → decide → issue → commit.
 * @throws {Unavailable} before anything was decided; the caller gives the step up.
 */
export async function runClaim(
	context: ClaimContext,
	hold: (lease: Lease) => void,
): Promise<Replayable<ClaimAnswer>> {
	const beginning = await beginStep<ClaimAnswer>(context);
	if (beginning.kind === "answered") return beginning.answer;
	const { lease } = beginning;
	if (lease) hold(lease);
	return { answer: await claim(context, lease), replayedIn: null };
}

async function claim(context: ClaimContext, lease: Lease | null): Promise<ClaimAnswer> {
	const survey = await surveyCode(context, lease);
	const { row } = survey;
	if (survey.obstacle) return refuse(context, lease, survey.obstacle, row);
	const credentialsMatch = await compareCredentials(context, row);
	const decision = decideClaim(factsOf(row), {
		busy: lease === null,
		credentialsMatch,
		now: context.clock(),
	});
	if (decision.kind === "rejected")
		return decision.spendsAttempt && lease && row
			? spendAttempt(context, lease, row)
			: refuse(context, lease, decision.rejection, row);
	return issue(context, lease!, row!, survey.settings);
}

/** First round trip: the register shows a claimable code as processing, and tells what it knows of it. */
async function surveyCode(context: ClaimContext, lease: Lease | null): Promise<Surveyed> {
	const { call, db } = context;
	const { partnerId, code } = call;
	const results = await askBatch(db, [
		selectPartner(db, partnerId),
		...(lease ? [markEmission(db, { partnerId, code, until: lease.until })] : []),
		selectCode(db, partnerId, code),
		...idempotencyStatements(context, lease),
	]);
	const [[partner], [row = null]] = (lease ? [results[0], results[2]] : results) as [PartnerRow[], CodeRow[]];
	if (!partner || partner.suspendedAt !== null) return { row, obstacle: { reason: "unauthorized" } };
	if (isMisused(context, results)) return { row, obstacle: { reason: "idempotency_mismatch" } };
	return { row, obstacle: null, settings: settingsOf(partner) };
}

/** A code whose holder retention has erased is as one that nobody has validated: there is nothing to compare with. */
function factsOf(row: CodeRow | null): CodeFacts | null {
	if (row === null || row.holder !== null || row.facts.issuedAt !== null) return row?.facts ?? null;
	return { ...row.facts, validatedAt: null };
}

/** Both are always compared, so that the time taken does not tell which was wrong. */
async function compareCredentials({ call, platform }: ClaimContext, row: CodeRow | null): Promise<boolean> {
	const holder = row?.holder;
	if (!holder || holder.pinHash === null || holder.pinSalt === null) return false;
	const record = { salt: holder.pinSalt, hash: holder.pinHash };
	const [rutMatches, pinIsRight] = await Promise.all([
		platform.index.matches(holder.rutIndex, "rut", call.partnerId, call.rut),
		pinMatches(platform.pinPepper, call.code, record, call.pin),
	]);
	return rutMatches && pinIsRight;
}

/** Second round trip: the certificate is made, and the code reads EMITTED before it leaves. */
async function issue(
	context: ClaimContext,
	lease: Lease,
	row: CodeRow,
	settings: PartnerSettings,
): Promise<ClaimAnswer> {
	const { call, platform, clock } = context;
	const { partnerCopy, ...holder } = await openHolder(platform.sealer, call.code, row.holder!);
	const emission = await emitCertificate(context, lease, {
		row,
		settings: { ...settings, mode: "B2C" },
		holder,
		pin: call.pin,
		reference: row.facts.externalReferenceId,
		partnerCopy,
	});
	const answer: ClaimSuccess = {
		kind: "claimed",
		code: call.code,
		certificate: emission.certificate,
		pfx: emission.pfx,
	};
	const { set, alongside } = emission;
	const change = { row, set, action: "emitted", outcome: "ok", now: clock(), alongside };
	const result = await commitStep(context, lease, change, answer);
	if (typeof result !== "string") {
		const due = emission.deliveries.map(({ id }) => ({ id, at: change.now }));
		if (result.kind === "claimed") context.later(enqueue(context.platform, due));
		return result;
	}
	await giveUpStep(context, lease);
	return rejected(await explainConflict(context));
}

/** Ops changed the code while the step ran: what a claim finds now, or that the caller may try again. */
async function explainConflict({ call, db, clock }: ClaimContext): Promise<Rejection> {
	const [row] = await ask(selectCode(db, call.partnerId, call.code));
	const decision = decideClaim(factsOf(row ?? null), { busy: false, credentialsMatch: true, now: clock() });
	return decision.kind === "rejected" ? decision.rejection : { reason: "service_unavailable" };
}

async function spendAttempt(context: ClaimContext, lease: Lease, row: CodeRow): Promise<ClaimAnswer> {
	const now = context.clock();
	const reason = "credentials_mismatch";
	const change = {
		row,
		set: spentClaim(row, now),
		action: "claim_failed",
		outcome: reason,
		now,
		alongside: [],
	};
	return commitOrGiveUp(context, lease, change, rejected({ reason }));
}

async function refuse(
	context: ClaimContext,
	lease: Lease | null,
	rejection: Rejection,
	row: CodeRow | null,
): Promise<ClaimAnswer> {
	if (lease === null) return answerBeside(context, rejection);
	const marked = row?.facts.processingUntil === lease.until;
	return concludeStep(context, lease, rejected(rejection), { marked });
}
