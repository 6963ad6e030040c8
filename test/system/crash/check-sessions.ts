import type { State } from "../../../src/wire/session.ts";
import type { Answer, Call, Journal } from "./journal.ts";

/* Checks the answers to the widget's frames, session by session. */

type FrameCall = Call & { answer: Answer; session: NonNullable<Call["session"]> };

/** A session shows its own code and holder, keeps what it took, and gives its file as often as it is asked. */
export function checkSessions({ calls, holders }: Journal): string[] {
	const answered = calls.filter(
		(call): call is FrameCall => call.session !== null && call.answer !== null && call.code !== null,
	);
	return [...Map.groupBy(answered, ({ session }) => session.id).values()].flatMap((ofSession) => [
		...lostAnswers(ofSession),
		...othersShown(ofSession, holders),
		...refusedDownloads(ofSession),
	]);
}

/** The session's state, where the answer is one. */
function stateIn({ answer: { status, body } }: FrameCall): State | null {
	return status === 200 && body?.data?.steps ? body.data : null;
}

/** Invariant 3: what was acknowledged as typed is there in every later answer. */
function lostAnswers(calls: readonly FrameCall[]): string[] {
	const known = new Set<string>();
	return calls.flatMap((call) => {
		const state = stateIn(call);
		if (!state) return [];
		const shown = Object.keys(state.answers);
		const lost = [...known].filter((name) => !shown.includes(name));
		for (const name of shown) known.add(name);
		return lost.map((name) => `3: ${call.kind} of ${call.code} has no ${name}, which was saved`);
	});
}

/** Invariant 6, of a frame. */
function othersShown(calls: readonly FrameCall[], holders: Journal["holders"]): string[] {
	return calls.flatMap((call) => {
		const state = stateIn(call);
		if (!state) return [];
		const { dni } = state.answers;
		const isOwn = state.p_code === call.code && (!dni || dni === holders.get(call.code!)?.rut);
		return isOwn ? [] : [`6: the frame of ${call.code} shows ${state.p_code}`];
	});
}

/** One that had its file has it again while it lasts; that it is the same is invariant 1. */
function refusedDownloads(calls: readonly FrameCall[]): string[] {
	const downloads = calls.filter(({ kind }) => kind === "download");
	const had = Math.min(
		...downloads.filter(({ answer }) => answer.status === 200).map(({ answer }) => answer.at),
	);
	return downloads
		.filter(({ sentAt, answer }) => sentAt > had && ![200, 401, 503].includes(answer.status))
		.map(({ code, answer }) => `3: a repeated download of ${code} was answered ${answer.status}`);
}
