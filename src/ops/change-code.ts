import { findCodeOwner } from "../db/code-owner.ts";
import type { Db } from "../db/query.ts";
import type { CodeFacts } from "../domain/code-facts.ts";
import { parseCode } from "../domain/code-form.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { OpsAnswer, OpsCall, ReplacementAnswer } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import type { OpsContext } from "./authorize.ts";

/* What ops do to a code, by call or in the console. */

/** Ops name a code without its partner; every later step names both. */
export async function findCode(db: Db, typed: string): ReturnType<typeof findCodeOwner> {
	const code = parseCode(typed);
	return code === null ? null : findCodeOwner(db, code);
}

export interface WantedChange {
	verb: OpsCall["verb"];
	reason: string;
	/** Of the certificate that a cancellation makes void; not given: the default. */
	revocationReason?: RevocationReason | undefined;
}

export async function operateCode(
	{ platform, origin, later }: OpsContext,
	{ partnerId, code }: CodeFacts,
	{ verb, reason, revocationReason }: WantedChange,
): Promise<OpsAnswer> {
	const { actor, requestId } = origin;
	const { answer } = await callCode(platform, { partnerId, code }, (object) =>
		object.operate({
			...{ partnerId, code, actor, requestId, idempotency: null, verb, reason },
			...(revocationReason && { revocationReason }),
		}),
	);
	if (verb === "cancel" && answer.kind === "done" && answer.facts.certificateSerial !== null)
		later(keepCrlFresh(platform));
	return answer;
}

export async function replaceCode(
	{ platform, origin: { actor, requestId } }: OpsContext,
	{ partnerId, code }: CodeFacts,
	reason: string,
): Promise<ReplacementAnswer> {
	const { answer } = await callCode(platform, { partnerId, code }, (object) =>
		object.replaceCode({ partnerId, code, actor, requestId, idempotency: null, reason }),
	);
	return answer;
}
