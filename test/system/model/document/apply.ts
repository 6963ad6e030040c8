import { applyClaim } from "./apply-claim.ts";
import { applyBulk, applyStatus } from "./apply-codes.ts";
import { applyDesk, isDeskCall } from "./apply-desk.ts";
import { applyFrame } from "./apply-frame.ts";
import { applyBegin, applyFinish } from "./apply-held.ts";
import { applyList } from "./apply-list.ts";
import { applyOperate, applyRevocation, applyShowCertificate, applyShowCode } from "./apply-ops-codes.ts";
import {
	applyAddKey,
	applyChangePartner,
	applyCreatePartner,
	applyLoseAddress,
	applyRevokeKey,
	applyRotateKey,
} from "./apply-ops-partners.ts";
import { applyRead } from "./apply-read.ts";
import { applyReplace } from "./apply-replace.ts";
import { applyRequest } from "./apply-request.ts";
import { applyMakeSession, applyShowSession } from "./apply-sessions.ts";
import { applyPage } from "./apply-widget.ts";
import { isForScope, mayLinger, type Reading, scopeOf } from "./authenticate.ts";
import type { Call } from "./calls.ts";
import { applyHandOn } from "./deliveries.ts";
import { tellOfChanges } from "./events.ts";
import { error, type Outcome, unanswered, unavailable } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import { applyDeploy, applyKeepDatabase, applySetBack } from "./mend.ts";
import { RULES } from "./rules.ts";
import { endByChange } from "./session-ends.ts";

export type Apply = (ledger: Ledger, call: Call, now: number, reading?: Reading) => Outcome;

const STRICT: Reading = { rules: RULES, lingering: false };

/** Before its deliveries are tried; a restore tells nobody. */
const TELLS_ITSELF = ["advance", "set back", "mend"];

/**
 * One call on the ledger: what the interface document and the decisions say it answers, and the ledger after it.
 * @param now - epoch milliseconds; time stands still while a call runs.
 */
export const apply: Apply = (ledger, call, now, reading = STRICT) => {
	const done = applyCall(ledger, call, now, reading);
	const outcome = TELLS_ITSELF.includes(call.kind)
		? done
		: { ...done, ledger: tellOfChanges(ledger, done.ledger, { at: now, rules: reading.rules }) };
	if (!reading.rules.apiEndsSessions) return outcome;
	const own = call.kind === "frame" ? call.session : null;
	return { ...outcome, ledger: endByChange(ledger, outcome.ledger, { at: now, rules: reading.rules }, own) };
};

function applyCall(ledger: Ledger, call: Call, now: number, reading: Reading): Outcome {
	if (ledger.frozen) {
		const kind = nameWhenFrozen(call);
		if (reading.rules.frozen.includes(kind)) return { ledger, expected: unavailable(kind, "frozen") };
	}
	const asked = call.kind === "begin" ? call.request : call;
	if (!isForScope(ledger, asked, now, reading)) {
		const { scope } = scopeOf(asked)!;
		return { ledger, expected: { ...error("key", "SCOPE_REQUIRED"), outcome: `key 403 for ${scope}` } };
	}
	if (isDeskCall(call)) return applyDesk(ledger, call, now, reading);
	switch (call.kind) {
		case "bulk":
			return applyBulk(ledger, call, now, reading);
		case "list":
			return applyList(ledger, call, now, reading);
		case "status":
			return applyStatus(ledger, call, now, reading);
		case "request":
			return applyRequest(ledger, call, now, reading);
		case "claim":
			return applyClaim(ledger, call, now, reading);
		case "begin":
			return applyBegin(ledger, call, now, reading);
		case "finish":
			return applyFinish(ledger, call, now, reading);
		case "create partner":
			return applyCreatePartner(ledger, call, now, reading.rules);
		case "change partner":
			return applyChangePartner(ledger, call, now, reading.rules);
		case "lose address":
			return applyLoseAddress(ledger, call);
		case "make session":
			return applyMakeSession(ledger, call, now, reading);
		case "show session":
		case "end session":
			return applyShowSession(ledger, call, now, reading);
		case "frame":
			return applyFrame(ledger, call, now, reading.rules);
		case "page":
			return applyPage(ledger, call, now, reading.rules);
		case "end due sessions":
			return { ledger, expected: unanswered("sessions whose time is over end") };
		case "hand on":
			return applyHandOn(ledger, call, now, reading.rules);
		case "deploy":
			return applyDeploy(ledger, call);
		case "keep database":
			return applyKeepDatabase(ledger, now);
		case "set back":
			return applySetBack(ledger, reading.rules);
		case "add key":
			return applyAddKey(ledger, call, now, reading.rules);
		case "rotate key":
			return applyRotateKey(ledger, call, now, reading.rules);
		case "revoke key":
			return applyRevokeKey(ledger, call, now, reading.rules);
		case "operate":
			return applyOperate(ledger, call, now, reading.rules);
		case "replace":
			return applyReplace(ledger, call, now, reading.rules);
		case "revoke certificate":
			return applyRevocation(ledger, call, now, reading.rules);
		case "show code":
			return applyShowCode(ledger, call, now, reading.rules);
		case "show certificate":
			return applyShowCertificate(ledger, call);
		default:
			return applyRead(ledger, call, now, reading.rules);
	}
}

function nameWhenFrozen(call: Call): string {
	if (call.kind === "frame" && call.step !== "show") return "frame step";
	if (scopeOf(call)?.scope === "manage" && !scopeOf(call)!.reads) return "manage";
	return call.kind === "begin" ? "request" : call.kind;
}

/** What the documents allow: one outcome, or two in the minute after a key has ended. */
export function possible(ledger: Ledger, call: Call, now: number, model: Apply = apply): Outcome[] {
	const strict = model(ledger, call, now);
	const of = scopeOf(call);
	const lingers = of && of.scope !== "manage" && "key" in call && mayLinger(ledger, call.key, now, RULES);
	return lingers ? [strict, model(ledger, call, now, { ...STRICT, lingering: true })] : [strict];
}
