import { applyClaim } from "./apply-claim.ts";
import { applyAdvance, applyRunJob } from "./apply-clock.ts";
import { applyBulk, applyList, applyStatus } from "./apply-codes.ts";
import { applyFrame } from "./apply-frame.ts";
import { applyOperate, applyRevocation, applyShowCertificate, applyShowCode } from "./apply-ops-codes.ts";
import { applyBegin, applyFinish, applyRequest } from "./apply-request.ts";
import { applyMakeSession, applyShowSession, endByChange } from "./apply-sessions.ts";
import { applyCreatePartner } from "./authenticate.ts";
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
import { RULES, type Rules } from "./rules.ts";

export type Apply = (ledger: Ledger, call: Call, now: number, rules?: Rules) => Outcome;

/**
 * One call on the ledger: what the interface document and the decisions say it answers, and the ledger after it.
 * @param now - epoch milliseconds; time stands still while a call runs.
 */
export const apply: Apply = (ledger, call, now, rules = RULES) => {
	const outcome = applyCall(ledger, call, now, rules);
	if (!rules.apiEndsSessions) return outcome;
	const own = call.kind === "frame" ? call.session : null;
	return { ...outcome, ledger: endByChange(ledger, outcome.ledger, { at: now, rules }, own) };
};

function applyCall(ledger: Ledger, call: Call, now: number, rules: Rules): Outcome {
	if (ledger.frozen) {
		const kind = nameWhenFrozen(call);
		if (rules.frozen.includes(kind)) return { ledger, expected: unavailable(kind, "frozen") };
	}
	switch (call.kind) {
		case "bulk":
			return applyBulk(ledger, call, now, rules);
		case "list":
			return applyList(ledger, call, now, rules);
		case "status":
			return applyStatus(ledger, call, now, rules);
		case "request":
			return applyRequest(ledger, call, now, rules);
		case "claim":
			return applyClaim(ledger, call, now, rules);
		case "begin":
			return applyBegin(ledger, call, now, rules);
		case "finish":
			return applyFinish(ledger, call, now, rules);
		case "make session":
			return applyMakeSession(ledger, call, now, rules);
		case "show session":
		case "end session":
			return applyShowSession(ledger, call, now, rules);
		case "frame":
			return applyFrame(ledger, call, now, rules);
		case "end due sessions":
			return { ledger, expected: unanswered("sessions whose time is over end") };
		case "advance":
			return applyAdvance(ledger, call, now, rules);
		case "operate":
			return applyOperate(ledger, call, now, rules);
		case "revoke certificate":
			return applyRevocation(ledger, call, now, rules);
		case "show code":
			return applyShowCode(ledger, call, now, rules);
		case "show certificate":
			return applyShowCertificate(ledger, call);
		case "run job":
			return applyRunJob(ledger, call, now, rules);
		case "create partner":
			return applyCreatePartner(ledger, call);
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
	if (call.kind === "advance") return "manage";
	return call.kind === "begin" ? "request" : call.kind;
}
