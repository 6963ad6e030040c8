import type { CallOf } from "./calls.ts";
import { changeDeliveries } from "./deliveries.ts";
import { error, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import { type CodeState, changeCodes, changePartner, type Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/* The upkeep (operations.md, "Cron jobs") and what it erases (retention.md). No certificate here is six years over. */

export const JOBS = [
	"forget-idempotency-keys",
	"forget-rut-attempts",
	"erase-holders",
	"erase-evidence",
	"sweep-stray-pictures",
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

const CHANGES: Record<string, (ledger: Ledger, now: number, rules: Rules) => Ledger> = {
	"erase-holders": (ledger, now, rules) =>
		changeCodes(ledger, (code) =>
			code.validation && keptUntil(rules, code, code.validation.at) <= now
				? { validation: { ...code.validation, erased: true } }
				: {},
		),
	// A holder that is still there can claim: the pictures go after it.
	"erase-evidence": (ledger, now, rules) =>
		changeCodes(ledger, (code) =>
			hasHolder(code) ? {} : { pictures: code.pictures.filter(({ at }) => keptUntil(rules, code, at) > now) },
		),
	"forget-emails": (ledger) => Object.keys(ledger.partners).reduce(forgetEmails, ledger),
	"erase-delivery-details": (ledger, now, rules) =>
		changeDeliveries(ledger, ({ dueAt, createdAt }) =>
			dueAt === null && createdAt + rules.deliveryDetails <= now ? { kept: false } : null,
		),
};

function keptUntil(
	rules: Rules,
	{ certificate, cancelledAt, blockedAt }: CodeState,
	recordedAt: number,
): number {
	if (certificate) return Number.POSITIVE_INFINITY;
	const closedAt = Math.min(cancelledAt ?? Number.POSITIVE_INFINITY, blockedAt ?? Number.POSITIVE_INFINITY);
	return Math.min(recordedAt + rules.unclaimedHolder, closedAt + rules.closedHolder);
}

function hasHolder({ validation }: CodeState): boolean {
	return validation !== null && !validation.erased;
}

/** "As long as the partner has a holder of that RUT." */
function forgetEmails(ledger: Ledger, partner: string): Ledger {
	const own = Object.values(ledger.codes).filter((code) => code.partner === partner && hasHolder(code));
	const held = new Set(own.map(({ validation }) => validation!.rut));
	const emails = Object.entries(ledger.partners[partner]!.emails).filter(([, rut]) => held.has(rut));
	return changePartner(ledger, partner, { emails: Object.fromEntries(emails) });
}
