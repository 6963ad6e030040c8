import { insertReplacement, selectReplacement } from "../db/insert-batch.ts";
import { query } from "../db/query.ts";
import { isSellable } from "../domain/certificate-dates.ts";
import { CODE_BYTES, formatCode } from "../domain/code-form.ts";
import { voidToReplace } from "../domain/decide-ops.ts";
import { changeCode } from "./change-code.ts";
import type { Decision } from "./commit-decision.ts";
import { type ReplacementAnswer, type ReplacementCall, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/**
 * Replaces a code by a new one of the same product and partner, in one commit: the old one is cancelled, unless it was
 * issued. Repeating it answers the same new code.
 */
export function replaceCode(context: StepContext<ReplacementCall>): Promise<ReplacementAnswer> {
	const { call, db, platform } = context;
	const { authority } = platform;
	const { partnerId, code, actor, requestId, reason } = call;
	return changeCode(context, async ({ facts }, now): Promise<Decision<ReplacementAnswer>> => {
		const [earlier] = await query(selectReplacement(db, partnerId, code));
		if (earlier) return { answer: { kind: "replaced", ...earlier } };
		const at = platform.clock();
		if (!isSellable(facts.product, at, authority))
			return { answer: rejected({ reason: "service_unavailable" }) };
		const replacement = formatCode(crypto.getRandomValues(new Uint8Array(CODE_BYTES)));
		const alongside = await insertReplacement(db, facts, replacement, { actor, requestId, now: at });
		const set = voidToReplace(facts, now);
		return {
			answer: { kind: "replaced", replacement },
			change: { set, action: "replace", outcome: reason, alongside, opsReason: reason },
		};
	});
}
