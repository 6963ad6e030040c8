import { applyClaim } from "./apply-claim.ts";
import { applyAdvance, applyRunJob } from "./apply-clock.ts";
import { applyBulk, applyList, applyStatus } from "./apply-codes.ts";
import { applyFrame } from "./apply-frame.ts";
import {
	applyOperate,
	applyReplace,
	applyRevocation,
	applyShowCertificate,
	applyShowCode,
} from "./apply-ops-codes.ts";
import { applyChangePartner, applyCreatePartner, applyLoseAddress } from "./apply-ops-partners.ts";
import { applyBegin, applyFinish, applyRequest } from "./apply-request.ts";
import { applyMakeSession, applyShowSession, endByChange } from "./apply-sessions.ts";
import { MANAGE, mayLinger, type Reading } from "./authenticate.ts";
import type { Call } from "./calls.ts";
import { COUNT, type Outcome, success, unanswered, unavailable } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import {
	applyDeploy,
	applyJudge,
	applyKeepDatabase,
	applyMend,
	applyRecordRestore,
	applySetBack,
} from "./mend.ts";
import { RULES } from "./rules.ts";

export type Apply = (ledger: Ledger, call: Call, now: number, reading?: Reading) => Outcome;

const STRICT: Reading = { rules: RULES, lingering: false };

/**
 * One call on the ledger: what the interface document and the decisions say it answers, and the ledger after it.
 * @param now - epoch milliseconds; time stands still while a call runs.
 */
export const apply: Apply = (ledger, call, now, reading = STRICT) => {
	const outcome = applyCall(ledger, call, now, reading);
	if (!reading.rules.apiEndsSessions) return outcome;
	const own = call.kind === "frame" ? call.session : null;
	return { ...outcome, ledger: endByChange(ledger, outcome.ledger, { at: now, rules: reading.rules }, own) };
};

function applyCall(ledger: Ledger, call: Call, now: number, reading: Reading): Outcome {
	const { rules } = reading;
	if (ledger.frozen) {
		const kind = nameWhenFrozen(call);
		if (rules.frozen.includes(kind)) return { ledger, expected: unavailable(kind, "frozen") };
	}
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
		case "make session":
			return applyMakeSession(ledger, call, now, reading);
		case "show session":
		case "end session":
			return applyShowSession(ledger, call, now, reading);
		case "frame":
			return applyFrame(ledger, call, now, rules);
		case "end due sessions":
			return { ledger, expected: unanswered("sessions whose time is over end") };
		case "advance":
			return applyAdvance(ledger, call, now, reading);
		case "operate":
			return applyOperate(ledger, call, now, rules);
		case "replace":
			return applyReplace(ledger, call, now, rules);
		case "revoke certificate":
			return applyRevocation(ledger, call, now, rules);
		case "show code":
			return applyShowCode(ledger, call, now, rules);
		case "show certificate":
			return applyShowCertificate(ledger, call);
		case "run job":
			return applyRunJob(ledger, call, now, rules);
		case "create partner":
			return applyCreatePartner(ledger, call, rules);
		case "change partner":
			return applyChangePartner(ledger, call, now, rules);
		case "lose address":
			return applyLoseAddress(ledger, call);
		case "deploy":
			return applyDeploy(ledger, call);
		case "keep database":
			return applyKeepDatabase(ledger, now);
		case "set back":
			return applySetBack(ledger, rules);
		case "judge certificate":
			return applyJudge(ledger, call, rules);
		case "record restore":
			return applyRecordRestore(ledger, call);
		case "mend":
			return applyMend(ledger, now, rules);
		case "reconcile":
			return {
				ledger,
				expected: success("reconcile", 200, { $: "with", fields: { counts: {}, findings: [] } }),
			};
		case "verify audit":
			return {
				ledger,
				expected: success("verify audit", 200, { checked: COUNT, faults: [], silent: [], next: null }),
			};
	}
}

function nameWhenFrozen(call: Call): string {
	if (call.kind === "frame" && call.step !== "show") return "frame step";
	if (MANAGE.includes(call.kind)) return "manage";
	return call.kind === "begin" ? "request" : call.kind;
}

/** Outcomes that the documents allow: one, or two in the minute after a partner was suspended. */
export function possible(ledger: Ledger, call: Call, now: number, model: Apply = apply): Outcome[] {
	const strict = model(ledger, call, now);
	return mayLinger(ledger, call, now, RULES)
		? [strict, model(ledger, call, now, { ...STRICT, lingering: true })]
		: [strict];
}
