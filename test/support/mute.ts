import { giveUp } from "../../src/deadlines.ts";
import { SECOND_MS } from "../../src/domain/durations.ts";
import { replaceTimers, type SetTimer } from "./clock.ts";
import { passTime } from "./look-inside.ts";

const MUTE_MS = 80 * SECOND_MS;
/** Time of the test's own after which a deadline is over, and after which what nobody waits for any more fails. */
const SOON_MS = 1;

/**
 * Something that the service asks stays mute for 80 s by the service's clock; then it fails at once. Each deadline that
 * the service sets for it is over soon, and moves the clock on by as much; other deadlines take their time.
 */
export function goMute(error: Error) {
	const withoutDeadline: ((error: Error) => void)[] = [];
	const setTimer = globalThis.setTimeout as SetTimer;
	let since: number | null = null;
	const timers = replaceTimers((run, milliseconds, ...values) => {
		const fail = run === giveUp ? withoutDeadline.pop() : undefined;
		if (!fail) return setTimer(run, milliseconds, ...values);
		return setTimer(() => {
			passTime(milliseconds);
			giveUp(...(values as Parameters<typeof giveUp>));
			setTimer(fail, SOON_MS, error);
		}, SOON_MS);
	});
	return {
		/** Takes a question. The service must set its deadline in the turn in which it asks. */
		ask(): Promise<never> {
			since ??= Date.now();
			if (Date.now() - since >= MUTE_MS) return Promise.reject(error);
			return new Promise((_, reject) => withoutDeadline.push(reject));
		},
		end: () => timers.mockRestore(),
	};
}
