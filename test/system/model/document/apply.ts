import { applyClaim } from "./apply-claim.ts";
import { applyAdvance, applyRunJob } from "./apply-clock.ts";
import { applyBulk, applyList, applyStatus } from "./apply-codes.ts";
import { applyFrame } from "./apply-frame.ts";
import { applyOperate, applyRevocation, applyShowCertificate, applyShowCode } from "./apply-ops-codes.ts";
import { applyBegin, applyFinish, applyRequest } from "./apply-request.ts";
import { applyMakeSession, applyShowSession, endByChange } from "./apply-sessions.ts";
import { applyCreatePartner } from "./authenticate.ts";
import type { Call, CallOf } from "./calls.ts";
import { COUNT, type Expected, type Outcome, success, unanswered, unavailable } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import {
	applyDeploy,
	applyJudge,
	applyKeepDatabase,
	applyMend,
	applyRecordRestore,
	applySetBack,
} from "./mend.ts";
import { applyMove, nameOf, refuseMoving } from "./moves.ts";
import { RULES, type Rules } from "./rules.ts";

export type Apply = (ledger: Ledger, call: Call, now: number, rules?: Rules) => Outcome;

/**
 * One call on the ledger: what the interface document and the decisions say it answers, and the ledger after it.
 * @param now - epoch milliseconds; time stands still while a call runs.
 */
export const apply: Apply = (ledger, call, now, rules = RULES) => {
	const outcome = applyCall(ledger, call, now, rules);
	const own = call.kind === "frame" ? call.session : null;
	const ended = rules.apiEndsSessions
		? endByChange(ledger, outcome.ledger, { at: now, rules }, own)
		: outcome.ledger;
	return refuseMoving(ledger, call, { ...outcome, ledger: ended }, rules);
};

function applyCall(ledger: Ledger, call: Call, now: number, rules: Rules): Outcome {
	if (ledger.frozen) {
		const kind = nameOf(call);
		if (rules.frozen.includes(kind)) return { ledger, expected: unavailable(kind, "frozen") };
	}
	const applyKind = BY_KIND[call.kind] as ApplyKind<Call>;
	return applyKind(ledger, call, now, rules);
}

type ApplyKind<C extends Call> = (ledger: Ledger, call: C, now: number, rules: Rules) => Outcome;

const BY_KIND: { [Kind in Call["kind"]]: ApplyKind<CallOf<Kind>> } = {
	bulk: applyBulk,
	list: applyList,
	status: applyStatus,
	request: applyRequest,
	claim: applyClaim,
	begin: applyBegin,
	finish: applyFinish,
	"make session": applyMakeSession,
	"show session": applyShowSession,
	"end session": applyShowSession,
	frame: applyFrame,
	move: applyMove,
	"end due sessions": expecting(unanswered("sessions whose time is over end")),
	advance: applyAdvance,
	operate: applyOperate,
	"revoke certificate": applyRevocation,
	"show code": applyShowCode,
	"show certificate": applyShowCertificate,
	"run job": applyRunJob,
	"create partner": applyCreatePartner,
	deploy: applyDeploy,
	"keep database": (ledger, _, now) => applyKeepDatabase(ledger, now),
	"set back": (ledger, _, __, rules) => applySetBack(ledger, rules),
	"judge certificate": (ledger, call, _, rules) => applyJudge(ledger, call, rules),
	"record restore": applyRecordRestore,
	mend: (ledger, _, now, rules) => applyMend(ledger, now, rules),
	reconcile: expecting(success("reconcile", 200, { $: "with", fields: { counts: {}, findings: [] } })),
	"verify audit": expecting(
		success("verify audit", 200, { checked: COUNT, faults: [], silent: [], next: null }),
	),
};

function expecting(expected: Expected): ApplyKind<Call> {
	return (ledger) => ({ ledger, expected });
}
