import type { CallOf } from "./calls.ts";
import { error, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import { eraseClosed, eraseDetails, lapse } from "./retention.ts";
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
	"lapse-validations": (ledger, at, rules) => lapse(ledger, { at, rules, by: "ops" }),
	"erase-holders": (ledger, at, rules) => eraseClosed(ledger, { at, rules, by: "ops" }),
	"erase-delivery-details": (ledger, now, rules) => eraseDetails(ledger, () => true, { now, rules }),
};
