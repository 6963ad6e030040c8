import { applyClaim } from "./apply-claim.ts";
import { applyBulk, applyStatus } from "./apply-codes.ts";
import { applyBegin, applyFinish } from "./apply-held.ts";
import { applyList } from "./apply-list.ts";
import { applyLook } from "./apply-look.ts";
import { applyOperate, applyRevocation, applyShowCertificate, applyShowCode } from "./apply-ops-codes.ts";
import {
	applyAddKey,
	applyChangePartner,
	applyCreatePartner,
	applyRevokeKey,
	applyRotateKey,
} from "./apply-ops-partners.ts";
import { applyRequest } from "./apply-request.ts";
import { mayLinger, type Reading } from "./authenticate.ts";
import type { Call } from "./calls.ts";
import type { Outcome } from "./expected.ts";
import { RULES } from "./rules.ts";
import type { World } from "./world.ts";

export type Apply = (world: World, call: Call, now: number, reading?: Reading) => Outcome;

const STRICT: Reading = { rules: RULES, lingering: false };

/**
 * One call on the world: what the interface document and the decisions say it answers, and the world after it.
 * @param now - epoch milliseconds; time stands still while a call runs.
 */
export const apply: Apply = (world, call, now, reading = STRICT) => {
	switch (call.kind) {
		case "bulk":
			return applyBulk(world, call, now, reading);
		case "list":
			return applyList(world, call, now, reading);
		case "status":
			return applyStatus(world, call, now, reading);
		case "request":
			return applyRequest(world, call, now, reading);
		case "claim":
			return applyClaim(world, call, now, reading);
		case "begin":
			return applyBegin(world, call, now, reading);
		case "finish":
			return applyFinish(world, call, now, reading);
		case "create partner":
			return applyCreatePartner(world, call, now);
		case "change partner":
			return applyChangePartner(world, call, now);
		case "add key":
			return applyAddKey(world, call, now);
		case "rotate key":
			return applyRotateKey(world, call, now);
		case "revoke key":
			return applyRevokeKey(world, call, now);
		case "operate":
			return applyOperate(world, call, now, reading.rules);
		case "revoke certificate":
			return applyRevocation(world, call, now);
		case "show code":
			return applyShowCode(world, call, now, reading.rules);
		case "show certificate":
			return applyShowCertificate(world, call);
		default:
			return applyLook(world, call, now, reading.rules);
	}
};

/** What the documents allow: one outcome, or two in the minute after a key has ended. */
export function possible(world: World, call: Call, now: number, model: Apply = apply): Outcome[] {
	const lingers = "key" in call && isPartnerCall(call) && mayLinger(world, call.key, now, RULES);
	const strict = model(world, call, now);
	return lingers ? [strict, model(world, call, now, { ...STRICT, lingering: true })] : [strict];
}

function isPartnerCall({ kind }: Call): boolean {
	return ["bulk", "list", "status", "request", "claim"].includes(kind);
}
