import { findCodeOwner } from "../db/purchase-codes.ts";
import { type Databases, findInOne } from "../directory.ts";
import { parseCode } from "../domain/code-form.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { OpsAnswer, OpsCall, ReplacementAnswer } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import type { PartnerCaller } from "./caller.ts";

/** A code of any partner, as ops typed it. Every later step names its partner too. */
export async function findCode(platform: Databases, typed: string): ReturnType<typeof findCodeOwner> {
	const code = parseCode(typed);
	return code === null ? null : findInOne(platform, ({ db }) => findCodeOwner(db, code));
}

export interface WantedChange {
	verb: OpsCall["verb"];
	reason: string;
	/** Why a cancellation makes its certificate void; not given: the default. */
	revocationReason?: RevocationReason | undefined;
}

/** Cancels, blocks or unblocks a code. A cancellation revokes the code's certificate. */
export async function changeCode(
	caller: PartnerCaller,
	code: string,
	{ verb, reason, revocationReason }: WantedChange,
): Promise<OpsAnswer> {
	const { platform, partnerId, actor, requestId, later } = caller;
	const call = { partnerId, code, actor, requestId, idempotency: null, verb, reason };
	const { answer } = await callCode(platform, call, (object) =>
		object.operate({ ...call, ...(revocationReason && { revocationReason }) }),
	);
	if (verb === "cancel" && answer.kind === "done" && answer.facts.certificateSerial !== null)
		later(keepCrlFresh(platform));
	return answer;
}

/** Replaces a code that was not issued by a new one of its product. */
export async function replaceCode(
	{ platform, partnerId, actor, requestId }: PartnerCaller,
	code: string,
	reason: string,
): Promise<ReplacementAnswer> {
	const call = { partnerId, code, actor, requestId, idempotency: null, reason };
	const { answer } = await callCode(platform, call, (object) => object.replaceCode(call));
	return answer;
}
