import {
	enterCertificate,
	enterWithLeaf,
	revokeCertificate,
	selectCertificatesOfCode,
} from "../db/certificates.ts";
import { forgetPin } from "../db/holders.ts";
import { withdrawCertificate } from "../db/outbox.ts";
import { findFacts } from "../db/purchase-codes.ts";
import { query, type Statement } from "../db/query.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { decideMend, type Mend } from "../domain/decide-mend.ts";
import { Unavailable } from "../unavailable.ts";
import { commitDecision, type DecisionContext } from "./commit-decision.ts";
import { isRunning, readLease } from "./lease.ts";
import { recoverStep } from "./recovery.ts";
import { hasIssued, type RememberedCertificate, readRemembered, rememberLonger } from "./remembered.ts";
import { type MendAnswer, rejected } from "./rpc.ts";

/** The audit action, and the reason given to a partner for a repeated cancellation. */
const MENDED = "mended_after_restore";

/** Recovers a step that the freeze left behind, then mends; ops call it after a restore of D1. */
export async function mend(context: DecisionContext): Promise<MendAnswer> {
	const { storage, platform } = context;
	const lease = readLease(storage);
	if (lease && isRunning(lease, platform.clock()))
		return rejected({ reason: "other_validation_in_progress" });
	if (lease) await recoverStep(context, lease);
	const kind = await mendForgotten(context);
	if (kind === "unchanged") rememberLonger(storage, platform.clock());
	return { kind };
}

/**
 * Tells D1 again what it has forgotten of this code's certificates since it was restored to an earlier moment.
 * @throws {Unavailable}
 */
export async function mendForgotten(context: DecisionContext): Promise<"mended" | "unchanged" | "not_found"> {
	const { call, storage, db, platform } = context;
	const { clock } = platform;
	const remembered = readRemembered(storage);
	if (remembered.length === 0) return "unchanged";
	const answer = await commitDecision<MendAnswer>(context, async ({ facts }, now) => {
		const known = await query(selectCertificatesOfCode(db, call));
		const forgotten = decideMend(facts, known, remembered, now);
		if (forgotten === null) return { answer: { kind: "unchanged" } };
		const { set, enter, revoke } = forgotten;
		const serials = new Set([...enter, ...revoke].map(({ serial }) => serial));
		const outcome = Array.from(serials).join(" ") || "code";
		const alongside = statementsOf(context, facts, forgotten, now);
		return {
			answer: { kind: "mended" },
			change: { set, action: MENDED, outcome, alongside, opsReason: MENDED },
		};
	});
	if (answer.kind === "mended") rememberLonger(storage, clock());
	if (answer.kind !== "rejected") return answer.kind;
	if (answer.rejection.reason === "not_found") return "not_found";
	throw new Unavailable("db", "every try was overtaken");
}

function statementsOf(
	{ call: { partnerId, code }, db }: DecisionContext,
	facts: CodeFacts,
	{ set, enter, revoke }: Mend<RememberedCertificate>,
	now: number,
): Statement[] {
	const named = set.certificateSerial ?? facts.certificateSerial;
	const revoked = revoke.some(({ serial }) => serial === named) ? "revoked" : null;
	const why = set.cancelledAt != null ? "cancelled" : revoked;
	return [
		...enter.flatMap(({ cancelledAt: _, forgetAt: __, leaf, ...row }) =>
			leaf ? enterWithLeaf(db, row, leaf) : [enterCertificate(db, row)],
		),
		...revoke.map(({ serial, reason, at }) => revokeCertificate(db, { serial, partnerId, reason, at })),
		...(set.issuedAt ? [forgetPin(db, partnerId, code)] : []),
		// The restore brought its delivery back too.
		...(why ? [withdrawCertificate({ partnerId, code, now, why })] : []),
	];
}

/** Mends when the object has issued a certificate and D1 knows of none. @returns whether that was so. */
export async function mendIfForgotten(
	context: DecisionContext,
	{ issuedAt }: Pick<CodeFacts, "issuedAt">,
): Promise<boolean> {
	if (issuedAt !== null || !hasIssued(context.storage)) return false;
	await mendForgotten(context);
	return true;
}

/** Mends before an answer is given again, since such a call does not read the code in D1. */
export async function mendBeforeReplay(context: DecisionContext): Promise<void> {
	const { call, storage, db } = context;
	if (!hasIssued(storage)) return;
	const facts = await findFacts(db, call.partnerId, call.code);
	if (facts) await mendIfForgotten(context, facts);
}
