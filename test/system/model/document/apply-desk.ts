import { applyAdvance } from "./apply-clock.ts";
import {
	applyOwnSecret,
	applyOwnSettings,
	applyOwnWebhook,
	applySetEmail,
	applySetReminders,
	applySetWebhook,
	applyTestWebhook,
} from "./apply-desk-addresses.ts";
import {
	applyCsv,
	applyOwnCancel,
	applyOwnCertificates,
	applyOwnCode,
	applyOwnRevocation,
	applySearch,
} from "./apply-desk-codes.ts";
import { applyOwnDeliveries, applyOwnDelivery } from "./apply-desk-deliveries.ts";
import { applyOwnUsage } from "./apply-desk-usage.ts";
import { applyExample, applySetFlow } from "./apply-sandbox.ts";
import { applyOwnWidget, applySetWidget } from "./apply-widget.ts";
import { authenticate, type Reading, unauthorized } from "./authenticate.ts";
import type { Call, DeskCall } from "./calls.ts";
import { resend } from "./deliveries.ts";
import { type Desk, isOwn } from "./desk.ts";
import { error, type Outcome, success } from "./expected.ts";
import { addKey, type By, revokeKey, rotateKey } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import { keyFacts } from "./partner-facts.ts";

/* Decisions, "Partner's own calls". */

const OTHERS = ["bulk", "request", "claim", "status", "list", "make session", "show session", "end session"];

export function isDeskCall(call: Call): call is DeskCall {
	return "key" in call && !OTHERS.includes(call.kind) && !/^(rotate|revoke) key$/.test(call.kind);
}

export function applyDesk(ledger: Ledger, call: DeskCall, at: number, reading: Reading): Outcome {
	const { key, kind } = call;
	const { rules } = reading;
	const lingers = reading.lingering || rules.manageLingers;
	const caller = authenticate(ledger, key, at, { rules, lingering: lingers });
	if (!caller) return { ...unauthorized(ledger, "desk") };
	const moment = momentOf(ledger, caller.id, at, rules);
	const desk: Desk = { ...moment, ...caller, key, kind };
	const by: By = { ...moment, partner: caller.id, by: "partner", key, kind };
	switch (call.kind) {
		case "own deliveries":
			return applyOwnDeliveries(ledger, call, desk);
		case "own delivery":
			return applyOwnDelivery(ledger, call.of, desk);
		case "own resend":
			return isOwn(ledger.deliveries[call.of], desk)
				? resend(ledger, call.of, { kind, to: "partner", now: moment.now })
				: { ledger, expected: error(kind, "NOT_FOUND") };
		case "own webhook":
			return applyOwnWebhook(ledger, desk);
		case "set webhook":
			return applySetWebhook(ledger, call, desk);
		case "test webhook":
			return applyTestWebhook(ledger, desk);
		case "own secret":
			return applyOwnSecret(ledger, call.overlapHours, desk);
		case "set email":
			return applySetEmail(ledger, call.email, desk);
		case "set reminders":
			return applySetReminders(ledger, call.on, desk);
		case "own settings":
			return applyOwnSettings(ledger, desk);
		case "own code":
			return applyOwnCode(ledger, call.code.code, desk);
		case "own cancel":
			return applyOwnCancel(ledger, call.code.code, desk);
		case "own certificates":
			return applyOwnCertificates(ledger, call.query, desk);
		case "search by RUT":
			return applySearch(ledger, call, desk);
		case "own revocation":
			return applyOwnRevocation(ledger, call, desk);
		case "own usage":
			return applyOwnUsage(ledger, call.month, desk);
		case "own widget":
			return applyOwnWidget(ledger, desk);
		case "set widget":
			return applySetWidget(ledger, call, desk);
		case "set flow":
			return applySetFlow(ledger, call.sent, desk);
		case "example of":
			return applyExample(ledger, call.event, desk);
		case "advance":
			return applyAdvance(ledger, call, desk);
		case "csv":
			return applyCsv(ledger, call, desk);
		case "own keys": {
			const own = Object.entries(ledger.keys).filter(([, { partner }]) => partner === caller.id);
			const of = own.map(([name, state]) => keyFacts(name, state));
			return { ledger, expected: success(kind, 200, { keys: { $: "set", of, maybe: [] } }) };
		}
		case "add own key":
			return addKey(ledger, { label: "own key", ...call.asked }, by);
		case "rotate own key":
			return rotateKey(ledger, call.of, call, by);
		case "revoke own key":
			return revokeKey(ledger, call.of, by);
	}
}
