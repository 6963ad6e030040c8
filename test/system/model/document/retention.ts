import { changeDeliveries } from "./deliveries.ts";
import type { AuditEntry, DeliveryState } from "./facts.ts";
import { type CodeState, changeCode, type Ledger, record } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";

/* What is closed and erased when its time is over (retention.md). */

/** `only`: of this partner, by its own clock; of all, by the real one, which is never ahead of a partner's. */
export interface Run {
	at: number;
	rules: Rules;
	by: AuditEntry["by"];
	only?: string;
}

/** Decisions, "life of a validation": a code that nobody claims by then is blocked for good. */
export function lapse(ledger: Ledger, run: Run): Ledger {
	return eraseHolders(ledger, run, "block", (code, now) => {
		const isOpen = !code.certificate && code.cancelledAt === null && code.blockedAt === null;
		return isOpen && code.validation!.at + run.rules.validationLife <= now;
	});
}

/** The holders of codes that were closed before a certificate was issued. */
export function eraseClosed(ledger: Ledger, run: Run): Ledger {
	return eraseHolders(ledger, run, "holder_erased", ({ certificate, cancelledAt, blockedAt }, now) => {
		const closedAt = Math.min(cancelledAt ?? NEVER, blockedAt ?? NEVER);
		return certificate === null && closedAt + run.rules.closedHolder <= now;
	});
}

const NEVER = Number.POSITIVE_INFINITY;

/** With its pictures, and the e-mail is anybody's again. */
function eraseHolders(
	ledger: Ledger,
	{ at, rules, by, only }: Run,
	action: string,
	isDue: (code: CodeState, now: number) => boolean,
): Ledger {
	const clock = only === undefined ? at : momentOf(ledger, only, at, rules).now;
	const due = Object.entries(ledger.codes)
		.filter(([, { partner }]) => only === undefined || partner === only)
		.filter(([, code]) => code.validation && !code.validation.erased && isDue(code, clock));
	return due.reduce((changed, [name, { partner, validation, blockedAt }]) => {
		const { now } = momentOf(ledger, partner, at, rules);
		const erased = {
			validation: { ...validation!, email: null, erased: true },
			pictures: [],
			updatedAt: now,
		};
		const closed = changeCode(changed, name, { ...erased, blockedAt: action === "block" ? now : blockedAt });
		return record(closed, `code ${name}`, { at, by, action });
	}, ledger);
}

/** To whom something went, and what was left behind. */
export function eraseDetails(
	ledger: Ledger,
	isOf: (delivery: DeliveryState) => boolean,
	{ now, rules }: { now: number; rules: Rules },
): Ledger {
	return changeDeliveries(ledger, (delivery) =>
		isOf(delivery) && delivery.dueAt === null && delivery.createdAt + rules.deliveryDetails <= now
			? { kept: false }
			: null,
	);
}
