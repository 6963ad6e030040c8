import type { CallOf } from "./calls.ts";
import { changeDeliveries } from "./deliveries.ts";
import { error, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import { type CodeState, changeCode, type Ledger, record } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/* The upkeep (operations.md, "Cron jobs") and what it erases (retention.md). No certificate here is six years over. */

export const JOBS = [
	"forget-idempotency-keys",
	"forget-rut-attempts",
	"forget-onboarding-sessions",
	"forget-holder-visits",
	"forget-console-sessions",
	"forget-holder-counts",
	"forget-delivery-attempts",
	"lapse-validations",
	"erase-holders",
	"remind-of-certificates",
	"remind-of-codes",
	"sweep-stray-pictures",
	"index-emails",
	"forget-emails",
	"erase-leaves",
	"erase-delivery-details",
	"reconcile",
	"reseal-rows",
	"reseal-evidence",
	"digest-audit",
	"verify-audit",
	"watch-authority",
] as const;

const BOOLEAN: Shape = { $: "one of", of: [true, false] };

/** Other sequences run jobs on the same database: of those not run here the time is left open. */
export function applyListJobs(ledger: Ledger): Outcome {
	const jobs = JOBS.map((job) => {
		const at = ledger.jobs[job];
		const ran: Shape = at === undefined ? { $: "one of", of: [null, TEXT] } : time(at);
		return { $: "with", fields: { job, ran_at: ran, done: BOOLEAN } } as const;
	});
	return { ledger, expected: success("list jobs", 200, { jobs }) };
}

/** A run is enough for all there is. Its report counts other sequences' things too, but never a fault. */
export function applyRunJob(ledger: Ledger, { job }: CallOf<"run job">, now: number, rules: Rules): Outcome {
	if (!(JOBS as readonly string[]).includes(job)) return { ledger, expected: error("run job", "NOT_FOUND") };
	const faultless: Record<string, Shape> = {
		reconcile: { found: 0, repaired: 0 },
		"verify-audit": { faults: 0 },
	};
	const report: Shape = { $: "with", fields: (faultless[job] ?? {}) as Record<string, Shape> };
	const ran = { ...ledger, jobs: { ...ledger.jobs, [job]: now } };
	return {
		ledger: CHANGES[job]?.(ran, now, rules) ?? ran,
		expected: success(`run job ${job}`, 200, { job, report, done: BOOLEAN }),
	};
}

type Change = (ledger: Ledger, now: number, rules: Rules) => Ledger;

const CHANGES: Record<string, Change> = {
	"lapse-validations": lapse,
	"erase-holders": (ledger, now, rules) =>
		eraseHolders(ledger, now, "holder_erased", (code) => isForgotten(rules, code, now)),
	"erase-delivery-details": (ledger, now, rules) =>
		changeDeliveries(ledger, ({ dueAt, createdAt }) =>
			dueAt === null && createdAt + rules.deliveryDetails <= now ? { kept: false } : null,
		),
};

/** Decisions, "life of a validation": a code that nobody claims by then is blocked for good. */
export function lapse(ledger: Ledger, now: number, rules: Rules): Ledger {
	return eraseHolders(ledger, now, "block", (code) => {
		const isOpen = !code.certificate && code.cancelledAt === null && code.blockedAt === null;
		return isOpen && code.validation!.at + rules.validationLife <= now;
	});
}

/** With its pictures, and the e-mail is anybody's again. It is ops who set the job going here. */
function eraseHolders(
	ledger: Ledger,
	now: number,
	action: string,
	isDue: (code: CodeState) => boolean,
): Ledger {
	const due = Object.entries(ledger.codes).filter(
		([, code]) => code.validation && !code.validation.erased && isDue(code),
	);
	return due.reduce((changed, [name, { validation, blockedAt }]) => {
		const erased = {
			validation: { ...validation!, email: null, erased: true },
			pictures: [],
			updatedAt: now,
		};
		const closed = changeCode(changed, name, { ...erased, blockedAt: action === "block" ? now : blockedAt });
		return record(closed, `code ${name}`, { at: now, by: "ops", action });
	}, ledger);
}

function isForgotten(rules: Rules, { certificate, cancelledAt, blockedAt }: CodeState, now: number): boolean {
	const closedAt = Math.min(cancelledAt ?? Number.POSITIVE_INFINITY, blockedAt ?? Number.POSITIVE_INFINITY);
	return certificate === null && closedAt + rules.closedHolder <= now;
}
