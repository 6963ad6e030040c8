import { deleteEvidenceOf, listEvidence } from "../db/evidence.ts";
import { deleteRequestsOf } from "../db/holder-requests.ts";
import { deleteHolder, freeEmail } from "../db/holders.ts";
import { eraseDetailsOfCode } from "../db/retention.ts";
import { decideErasure } from "../domain/decide-erasure.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { changeCode, isAtRest } from "./change-code.ts";
import type { Decision } from "./commit-decision.ts";
import { deleteExpiredAnswers } from "./idempotency.ts";
import { type ErasureAnswer, type ErasureCall, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/**
 * Erases a code's holder when its time is over or the holder asks: name, RUT and its index, e-mail, phone, PIN, requests and
 * pictures, in one commit. A lapsed validation and a holder's wish close the code in the same commit. A code in use is left for the next run.
 */
export async function eraseHolder(context: StepContext<ErasureCall>): Promise<ErasureAnswer> {
	if (!(await isAtRest(context))) return rejected({ reason: "other_validation_in_progress" });
	const { call, db, platform } = context;
	const { evidence } = platform;
	const { partnerId, code } = call;
	let pictures: string[] = [];
	const answer = await changeCode(
		context,
		async ({ facts, holder }, now): Promise<Decision<ErasureAnswer>> => {
			const decision = decideErasure(facts, now, call.asked ?? null);
			if (decision.kind === "keep") return { answer: { kind: "kept" } };
			const rows = await listEvidence(db, call);
			pictures = rows.map(({ objectKey }) => objectKey);
			const { set, why } = decision;
			const alongside = [
				deleteHolder(db, partnerId, code),
				deleteEvidenceOf(db, partnerId, code),
				deleteRequestsOf(db, partnerId, code),
				...(why === "holder_asked" ? [eraseDetailsOfCode(db, partnerId, code)] : []),
			];
			if (holder) {
				const { rutIndex, emailIndex } = holder;
				alongside.push(freeEmail(db, { partnerId, rutIndex, emailIndex }));
			}
			const action = set.blockedAt == null ? "holder_erased" : "block";
			return {
				answer: { kind: "erased" },
				change: { set, action, outcome: why, alongside, opsReason: why },
			};
		},
	);
	// An answer that is kept for a repeated Idempotency-Key has the holder's name and RUT.
	if (answer.kind === "erased") deleteExpiredAnswers(context.storage, Number.POSITIVE_INFINITY);
	// Erased only after the commit: a holder that can still claim keeps its pictures. The sweep erases any left here.
	if (answer.kind === "erased" && pictures.length > 0)
		await evidence
			.delete(pictures)
			.catch((error: unknown) => log("error", "left_to_sweep", { ...describeError(error) }));
	return answer;
}
