import type { Outcome } from "./outcome.ts";
import type { State } from "./state.ts";

const FOLLOWS_EVERY_MS = 4_000;

/**
 * Follows another device from step to step, until the certificate is issued, the session refuses or nobody looks any more.
 * An answer that was asked for before this page's own state changed is older than it, and shows nothing.
 * @param pause - waits so many milliseconds
 */
export async function follow(
	context: { state: State; accept(state: State): void; calls: { read(): Promise<Outcome<State>> } },
	isWatched: () => boolean,
	pause: (ms: number) => Promise<void>,
): Promise<void> {
	let ms = FOLLOWS_EVERY_MS;
	for (;;) {
		await pause(ms);
		if (!isWatched()) return;
		const known = context.state;
		const read = await context.calls.read();
		if (!isWatched()) return;
		if ("refusal" in read) {
			const { status, retryAfterMs } = read.refusal;
			if (status !== 429 && status < 500) return;
			ms = Math.max(FOLLOWS_EVERY_MS, retryAfterMs);
			continue;
		}
		ms = FOLLOWS_EVERY_MS;
		const { step, status } = read.data;
		if (context.state === known && (step !== known.step || status !== known.status))
			context.accept(read.data);
		if (status === "emitted") return;
	}
}
