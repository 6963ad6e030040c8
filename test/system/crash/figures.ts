import type { Journal } from "./journal.ts";
import type { Kill } from "./kill-plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** What was done in a fixture, counted. */
export class Figures {
	/** Kills at each named step, by `step` and by `step manner`. */
	readonly kills = new Map<string, number>();
	/** Planned at a step that the load did not come to. */
	missed = 0;
	/** From the start of the process to its first answer, milliseconds. */
	readonly restarts: number[] = [];
	/** Leases that an alarm has recovered at its own time. */
	recoveredAfterMinute = 0;
	readonly counts = {
		"calls sent": 0,
		"calls answered": 0,
		"calls made again after a crash": 0,
		"leases left by a crash": 0,
		"leases recovered by their alarm": 0,
		"leases recovered by the next call": 0,
		codes: 0,
		"certificates issued": 0,
		"serials signed": 0,
		"serials entered as revoked after a crash": 0,
		"attempts spent by a crash": 0,
		"webhooks received": 0,
		"webhooks received more than once": 0,
		"e-mails received": 0,
		"MiB searched for secrets": 0,
	};

	killed({ step, during }: Kill, isReached: boolean): void {
		if (!isReached) this.missed++;
		const what = step !== null && isReached ? step : `random in ${during}`;
		this.kills.set(what, (this.kills.get(what) ?? 0) + 1);
	}

	ended({ codes, certificates, audit }: Snapshot): void {
		this.counts.codes = codes.size;
		this.counts["certificates issued"] = certificates.filter(({ issued_at }) => issued_at !== null).length;
		this.counts["serials entered as revoked after a crash"] =
			certificates.length - this.counts["certificates issued"];
		for (const ofCode of audit.values())
			this.counts["attempts spent by a crash"] += ofCode.get("step_abandoned attempt_spent") ?? 0;
	}

	finish({ calls, signed, webhooks, mails, ...journal }: Journal, bytes: number): void {
		const byAlarm = journal.leasesLeft.intersection(journal.recoveredByAlarm).size;
		const ids = new Set(webhooks.map(({ id }) => id));
		Object.assign(this.counts, {
			"calls sent": calls.length,
			"calls answered": calls.filter(({ answer }) => answer !== null).length,
			"calls made again after a crash": calls.filter(({ answer, isRepeated }) => isRepeated && !answer)
				.length,
			"leases left by a crash": journal.leasesLeft.size,
			"leases recovered by their alarm": byAlarm,
			"leases recovered by the next call": journal.leasesLeft.size - byAlarm,
			"serials signed": signed.size,
			"webhooks received": webhooks.length,
			"webhooks received more than once": webhooks.length - ids.size,
			"e-mails received": mails.length,
			"MiB searched for secrets": Math.round(bytes / 2 ** 20),
		});
	}
}
