import { type CodeRow, markEmission, selectCode } from "../db/code-changes.ts";
import { openHolder } from "../db/holders.ts";
import { selectCaller, settingsOf } from "../db/partners.ts";
import { batch } from "../db/query.ts";
import { enqueue } from "../delivery/queue.ts";
import { attemptsLeft, failedAttempt } from "../domain/attempts.ts";
import { validityOf } from "../domain/certificate-dates.ts";
import { decideClaim } from "../domain/decide-claim.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { type Refusal, type Rejection, refuse } from "../domain/rejection.ts";
import { pinMatches } from "../secrets/pin-hash.ts";
import { isMisused, openKey, selectKey } from "./idempotency.ts";
import { issueCertificate } from "./issue.ts";
import { type Lease, markedUntil } from "./lease.ts";
import { noteOnboarding } from "./onboarding-success.ts";
import { type ClaimAnswer, type ClaimCall, type ClaimSuccess, type Replayable, rejected } from "./rpc.ts";
import { runStep } from "./step.ts";
import type { Ending, ReadContext, Step, StepContext } from "./use-case.ts";

/** certificate_claim (§4.2): mark and read → decide → issue → commit. */
export function claimCertificate(context: StepContext<ClaimCall>): Promise<Replayable<ClaimAnswer>> {
	return runStep(context, { read, run, explain });
}

/** Reads; under a lease also marks a claimable code in D1 as processing. */
function read({ call, db, platform: { clock } }: StepContext<ClaimCall>, lease: Lease | null) {
	const { partnerId, code } = call;
	return batch(db, {
		mark: lease && markEmission(db, { partnerId, code, until: lease.until }),
		opened: lease && openKey(db, call, clock()),
		partner: selectCaller(db, call),
		code: selectCode(db, call),
		key: selectKey(db, call, clock()),
	});
}

type Read = Awaited<ReturnType<typeof read>>;

async function run(step: Step<ClaimCall>, read: Read): Promise<Ending<ClaimSuccess>> {
	const { call, platform, lease } = step;
	const { sealer } = platform;
	const { code } = call;

	// Decide.
	const decision = await decide(step, read, false);
	const [row = null] = read.code;
	if (decision.kind === "rejected") {
		if (!decision.spendsAttempt || !row)
			return { change: null, answer: rejected(decision.rejection), marked: markOf(row, lease) };
		const now = step.now();
		const set = failedAttempt(row.facts, "claim", now);
		const { reason } = decision.rejection;
		const after = attemptsLeft({ ...row.facts, ...set }, "claim", null, now);
		return {
			change: { row, set, action: "claim_failed", outcome: reason, now, alongside: [] },
			answer: rejected({ reason, after }),
		};
	}

	// Issue: from here on D1 may know of a serial.
	const { partnerCopy, renews, language, ...holder } = await openHolder(sealer, code, decision.row.holder!);
	const issued = await issueCertificate(step, {
		facts: decision.row.facts,
		settings: { ...decision.settings, mode: "B2C" },
		holder,
		pin: call.pin,
		reference: decision.row.facts.externalReferenceId,
		renews,
		partnerCopy,
		language,
	});

	// Commit, and answer with the PFX.
	const { certificate, pfx, set, alongside, deliveries } = issued;
	const now = step.now();
	const { settings } = decision;
	const noted = noteOnboarding(step, call.onboarding, { settings, emitted: true, now });
	return {
		change: {
			row: decision.row,
			set,
			action: "emitted",
			outcome: "ok",
			now,
			alongside: [...alongside, ...noted.alongside],
			events: noted.events,
		},
		answer: { kind: "claimed", code, certificate, pfx },
		committed: () => step.later(enqueue(platform, call.partnerId, deliveries.queued)),
	};
}

async function explain(context: ReadContext<ClaimCall>, read: Read, busy: boolean): Promise<Rejection> {
	const decision = await decide(context, read, busy);
	return decision.kind === "rejected" ? decision.rejection : { reason: "service_unavailable" };
}

type Decision = { kind: "issue"; row: CodeRow; settings: PartnerSettings } | Refusal;

async function decide(context: ReadContext<ClaimCall>, read: Read, busy: boolean): Promise<Decision> {
	const { call, platform } = context;
	const [partner] = read.partner;
	const [row] = read.code;
	if (!partner || partner.suspendedAt !== null) return refuse({ reason: "unauthorized" });
	if (isMisused(call, read.key)) return refuse({ reason: "idempotency_mismatch" });
	const credentialsMatch = row ? await compareCredentials(context, row) : false;
	const facts = row?.facts ?? null;
	const issuable = facts !== null && validityOf(facts.product, platform.clock(), platform.authority) !== null;
	const decision = decideClaim(facts, { busy, issuable, credentialsMatch, now: context.now() });
	if (decision.kind === "rejected") return decision;
	return { kind: "issue", row: row!, settings: settingsOf(partner, platform.clock()) };
}

/** This run's mark, if the read found it; a code of another status has none. */
function markOf(row: CodeRow | null, lease: Lease): number | null {
	const until = row?.facts.processingUntil ?? null;
	return row && until === markedUntil(lease, row) ? until : null;
}

/** RUT and PIN are always both compared, so that the time taken does not tell which was wrong. */
async function compareCredentials(
	{ call, platform }: ReadContext<ClaimCall>,
	{ holder }: CodeRow,
): Promise<boolean> {
	if (!holder || holder.pinHash === null || holder.pinSalt === null) return false;
	const record = { salt: holder.pinSalt, hash: holder.pinHash };
	const [rutMatches, pinIsRight] = await Promise.all([
		platform.index.matches(holder.rutIndex, "rut", call.partnerId, call.rut),
		pinMatches(platform.pinPepper, call.code, record, call.pin),
	]);
	return rutMatches && pinIsRight;
}
