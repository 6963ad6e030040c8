import type { CallKind, Journal } from "./journal.ts";
import type { Kill } from "./kill-plan.ts";
import type { Snapshot } from "./snapshot.ts";

/** Counts of a fixture's work. */
export class Figures {
	/** Kills at each named step, by `step` and by `step manner`. */
	readonly kills = new Map<string, number>();
	/** Planned at a step that the load did not come to. */
	missed = 0;
	/** Milliseconds from the start of the process to its first answer. */
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
		"widget sessions": 0,
		"widget submissions": 0,
		"widget downloads": 0,
		"widget downloads repeated": 0,
		"widget sessions gone on with after a crash": 0,
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

	ended({ codes, certificates, audit, sessions }: Snapshot): void {
		this.counts.codes = codes.size;
		this.counts["widget sessions"] = sessions.length;
		this.counts["certificates issued"] = certificates.filter(({ issued_at }) => issued_at !== null).length;
		this.counts["serials entered as revoked after a crash"] =
			certificates.length - this.counts["certificates issued"];
		for (const ofCode of audit.values())
			this.counts["attempts spent by a crash"] += ofCode.get("step_abandoned attempt_spent") ?? 0;
	}

	finish({ calls, signed, webhooks, mails, ...journal }: Journal, bytes: number): void {
		const byAlarm = journal.leasesLeft.intersection(journal.recoveredByAlarm).size;
		const ids = new Set(webhooks.map(({ id }) => id));
		const ofSession = (kind: CallKind) =>
			calls.flatMap((call) => (call.kind === kind && call.answer?.status === 200 && call.session?.id) || []);
		const downloads = ofSession("download");
		const lost = calls.flatMap(({ session, answer }, at) =>
			session && !answer ? [{ id: session.id, at }] : [],
		);
		const wentOn = lost.filter(({ id, at }) =>
			calls.slice(at).some(({ session, kind, answer }) => session?.id === id && kind === "open" && answer),
		);
		Object.assign(this.counts, {
			"calls sent": calls.length,
			"calls answered": calls.filter(({ answer }) => answer !== null).length,
			"calls made again after a crash": calls.filter(({ answer, isRepeated }) => isRepeated && !answer)
				.length,
			"leases left by a crash": journal.leasesLeft.size,
			"leases recovered by their alarm": byAlarm,
			"leases recovered by the next call": journal.leasesLeft.size - byAlarm,
			"widget submissions": new Set(ofSession("submit")).size,
			"widget downloads": new Set(downloads).size,
			"widget downloads repeated": downloads.length - new Set(downloads).size,
			"widget sessions gone on with after a crash": new Set(wentOn.map(({ id }) => id)).size,
			"serials signed": signed.size,
			"webhooks received": webhooks.length,
			"webhooks received more than once": webhooks.length - ids.size,
			"e-mails received": mails.length,
			"MiB searched for secrets": Math.round(bytes / 2 ** 20),
		});
	}
}
