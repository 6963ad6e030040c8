import type { CallKind, Journal } from "./journal.ts";
import type { Kill } from "./kill-plan.ts";

/** Counts of a fixture's work: a run that comes to little proves little. */
export class Figures {
	/** Kills at each named step, by `step` and by `step manner`. */
	readonly kills = new Map<string, number>();
	/** Planned at a step that the load did not come to. */
	missed = 0;
	readonly counts = {
		"calls sent": 0,
		"serials signed": 0,
		"widget submissions": 0,
		"widget downloads": 0,
		"widget downloads repeated": 0,
		"widget sessions gone on with after a crash": 0,
		"partners moved": 0,
		"calls refused while the partner moved": 0,
		"webhooks received": 0,
		"e-mails received": 0,
	};

	killed({ step, during }: Kill, isReached: boolean): void {
		if (!isReached) this.missed++;
		const what = step !== null && isReached ? step : `random in ${during}`;
		this.kills.set(what, (this.kills.get(what) ?? 0) + 1);
	}

	finish(journal: Journal): void {
		const { calls, signed, moves, webhooks, mails } = journal;
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
			"serials signed": signed.size,
			"widget submissions": new Set(ofSession("submit")).size,
			"widget downloads": new Set(downloads).size,
			"widget downloads repeated": downloads.length - new Set(downloads).size,
			"widget sessions gone on with after a crash": new Set(wentOn.map(({ id }) => id)).size,
			"partners moved": moves.length,
			"calls refused while the partner moved": calls.filter((call) => journal.isRefused(call)).length,
			"webhooks received": webhooks.length,
			"e-mails received": mails.length,
		} satisfies Figures["counts"]);
	}
}
